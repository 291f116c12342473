// SPDX-License-Identifier: Apache-2.0
// C++ exceptions through hooked frames: clean-ups, rethrows, nested, and out of a
// callback.
#include <cstdio>
#include <stdexcept>
#include <algorithm>
#include "truth.h"

extern "C" {

FN int clean(int n)
{
	ENTER;
	LEAVE;
	return n + 1;
}

static int nr;

struct guard {
	~guard()
	{
		nr += clean(1);
	}
};

FN void thrower(int depth)
{
	ENTER;
	if (!depth)
		throw std::runtime_error("at the bottom");
	thrower(depth - 1);
	LEAVE;
}

FN void cleans(int depth)
{
	ENTER;
	guard g;
	thrower(depth);
	LEAVE;
}

FN void rethrows(int depth)
{
	ENTER;
	try {
		thrower(depth);
	} catch (std::exception &) {
		LANDED;
		clean(2);
		throw;
	}
	LEAVE;
}

FN int catches(int depth, void (*inner)(int))
{
	int r = 0;
	ENTER;
	try {
		inner(depth);
	} catch (std::exception &e) {
		LANDED;
		r = e.what()[0];
	}
	r += clean(r);
	LEAVE;
	return r;
}

FN bool before(int a, int b)
{
	ENTER;
	if (a == 13 || b == 13)
		throw std::logic_error("unlucky");
	LEAVE;
	return a < b;
}

FN int sorts(void)
{
	int numbers[] = { 5, 3, 9, 13, 1, 2 };
	int r = 0;
	ENTER;
	try {
		std::sort(numbers, numbers + 6, before);
	} catch (std::exception &) {
		LANDED;
		r = clean(9);
	}
	LEAVE;
	return r;
}
}

FN int main()
{
	ENTER;
	int sum = 0;
	for (int i = 0; i < 10; i++) {
		sum += catches(i, thrower);
		sum += catches(i, rethrows);
	}
	sum += sorts();
	printf("%d %d\n", sum, nr);
	LEAVE;
	return 0;
}
