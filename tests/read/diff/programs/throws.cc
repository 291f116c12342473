// SPDX-License-Identifier: Apache-2.0
// throws NUMBER: the NUMBERth of three tries is left by an exception.
#include <cstdlib>

#define CALLED extern "C" __attribute__((noinline, noclone))
#define KEEP   __asm__ volatile("")

CALLED void inner(bool is_bad)
{
	if (is_bad)
		throw 1;
	KEEP;
}

CALLED void outer(bool is_bad)
{
	inner(is_bad);
	KEEP;
}

CALLED void attempt(bool is_bad)
{
	try {
		outer(is_bad);
	} catch (int) {
		KEEP;
	}
	KEEP;
}

int main(int argc, char **argv)
{
	int which = std::atoi(argv[1]);
	for (int i = 1; i <= 3; i++)
		attempt(i == which);
	return 0;
}
