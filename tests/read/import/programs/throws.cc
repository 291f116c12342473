// SPDX-License-Identifier: Apache-2.0
// Calls that are left by exceptions, with destructors on the way.
#include <stdexcept>
#include <string>

struct Guard {
	~Guard();
	int *sum;
};

static int sum;

Guard::~Guard()
{
	++*sum;
}

static int deep(int n)
{
	Guard guard = { &sum };
	if (!n)
		throw std::runtime_error("deep");
	return deep(n - 1) + 1;
}

template <class T> T twice(T x)
{
	return x + x;
}

int main()
{
	for (int i = 0; i < 5; i++) {
		try {
			deep(i);
		} catch (const std::exception &e) {
			sum += twice(3);
		}
	}
	return twice(std::string("ab")).size() != 4 || sum < 5;
}
