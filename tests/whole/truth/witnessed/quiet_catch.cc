// SPDX-License-Identifier: Apache-2.0
// Functions that catch an exception and return before they call anything that is hooked: they
// return all the same.
#include <cstdio>

#define FN __attribute__((noinline, noclone))

static volatile int trail;

FN void throws(int n)
{
	if (n)
		throw n;
	trail = trail + 1;
}

FN int catches(int n)
{
	try {
		throws(n);
	} catch (int) {
		return 1;
	}
	return 0;
}

FN int calls(int n)
{
	return catches(n) + 1;
}

int main()
{
	int sum = calls(0) + calls(1) + calls(2);
	std::printf("%d\n", sum);
	return 0;
}
