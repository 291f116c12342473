/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words on the stack that point into the first instructions of unwinders, as they are there while
 * these unwind themselves, and exceptions that these must bring through clean-ups. With an
 * argument there is also what a signal frame is known by: a handler will go back to such a word.
 */
#include <unwind.h>

#include "attached.h"

static long nr_cleaned;

struct Cleaner {
	~Cleaner()
	{
		nr_cleaned++;
	}
};

NOINLINE static long thrower(long n)
{
	Cleaner cleaner;
	if (n % 2)
		throw n;
	throw (int)n;
}

NOINLINE static long passer(long n)
{
	Cleaner cleaner;
	return thrower(n) + 1;
}

NOINLINE static long catcher(long n)
{
	try {
		return passer(n);
	} catch (long caught) {
		return caught;
	} catch (int caught) {
		return caught;
	}
}

int main(int argc, char **)
{
	enum { NR = 16, RIP = 40, FLAGS = 0x202, USER_CS = 0x33 };
	volatile uintptr_t words[2 * NR], frame[2 * RIP] = { 0 };
	unsigned long nr = 0;
	for (int i = 0; i < NR; i++) {
		words[2 * i] = (uintptr_t)_Unwind_RaiseException + i;
		words[2 * i + 1] = (uintptr_t)_Unwind_Resume + i;
	}
	for (int i = 0; i < 2; i++) { /* behind a push, with and without an endbr64 before it */
		frame[RIP + 4 * i] = (uintptr_t)_Unwind_Resume + (i ? 5 : 1);
		frame[RIP + 4 * i + 1] = FLAGS;
		frame[RIP + 4 * i + 2] = argc > 1 ? USER_CS : 0;
	}
	ready();
	for (; nr < 1000 || !is_over(); nr++) {
		nr_cleaned = 0;
		CHECK(catcher((long)nr) == (long)nr);
		CHECK(nr_cleaned == 2);
		CHECK(words[2 * (nr % NR)] == (uintptr_t)_Unwind_RaiseException + nr % NR);
		CHECK(frame[RIP + 1] == FLAGS);
	}
	return well(nr);
}
