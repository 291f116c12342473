// SPDX-License-Identifier: Apache-2.0
// Exceptions: caught near and far, thrown on from handlers, through destructors that throw and
// catch their own, through a library's callback.
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#define FN __attribute__((noinline, noclone))

static int trail;

FN void step(int n)
{
	trail = (trail * 7 + n) % 1000003;
}

struct guard {
	int n;
	FN ~guard()
	{
		step(n);
		if (n == 2) {
			try {
				throw 1.5;
			} catch (double) {
				step(9);
			}
		}
	}
};

FN void thrower(int n)
{
	guard g = { n };
	if (n % 2)
		throw n;
	throw std::runtime_error("even");
}

FN void middle(int depth, int n)
{
	guard g = { depth };
	if (depth)
		middle(depth - 1, n);
	else
		thrower(n);
	step(100);
}

FN void rethrows(int n)
{
	try {
		middle(3, n);
	} catch (int) {
		step(4);
		throw;
	} catch (const std::exception &) {
		step(5);
		throw 7;
	}
}

FN int catches(int n)
{
	try {
		rethrows(n);
	} catch (int got) {
		step(got);
		return got;
	}
	return 0;
}

FN int compares(const void *, const void *)
{
	step(11);
	throw 3;
}

FN int sorts()
{
	int two[2] = { 2, 1 };
	try {
		std::qsort(two, 2, sizeof(two[0]), compares);
	} catch (...) {
		step(12);
	}
	return two[0];
}

int main()
{
	int sum = catches(1) + catches(2) + sorts();
	std::printf("%d %d\n", trail, sum);
	return 0;
}
