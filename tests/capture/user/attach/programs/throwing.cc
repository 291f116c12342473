/* SPDX-License-Identifier: Apache-2.0 */
/* C++ exceptions all the time: nested, rethrown, through destructors, in several threads. */
#include <pthread.h>
#include <stdexcept>
#include <string>
#include <vector>

#include "attached.h"

static volatile bool is_told;
static thread_local long nr_destroyed;

struct Counted {
	~Counted()
	{
		nr_destroyed++;
	}
};

struct Cleaner {
	long n;
	~Cleaner();
};

NOINLINE static long thrower(long depth, long what)
{
	Counted counted;
	std::vector<long> some(4, depth);
	if (!depth) {
		if (what % 3 == 0)
			throw std::runtime_error(std::to_string(what));
		if (what % 3 == 1)
			throw what;
		usleep(300);
		throw std::logic_error("slow");
	}
	return thrower(depth - 1, what) + some[0];
}

NOINLINE static long catcher(long depth, long what)
{
	try {
		return thrower(depth, what);
	} catch (const std::runtime_error &error) {
		return std::stol(error.what());
	} catch (long n) {
		return n;
	} catch (const std::logic_error &) {
		return what;
	}
}

NOINLINE static long rethrower(long what)
{
	try {
		thrower(5, what);
	} catch (...) {
		catcher(3, what + 1);
		throw;
	}
	return -1;
}

/* Throws and catches while an exception is on its way. */
Cleaner::~Cleaner()
{
	CHECK(catcher(4, n) == n);
}

NOINLINE static long cleaned(long what)
{
	try {
		Cleaner cleaner = { what + 3 };
		return rethrower(what);
	} catch (const std::runtime_error &error) {
		return std::stol(error.what());
	} catch (long n) {
		return n;
	} catch (const std::exception &) {
		return what;
	}
}

static void *throw_often(void *arg)
{
	unsigned long nr = 0;
	for (long n = (long)arg; !is_told; n++, nr++) {
		nr_destroyed = 0;
		CHECK(catcher(10, n) == n);
		CHECK(nr_destroyed == 11);
		nr_destroyed = 0;
		CHECK(cleaned(n) == n);
		CHECK(nr_destroyed == 6 + 4 + 5);
	}
	return (void *)nr;
}

int main()
{
	pthread_t threads[3];
	unsigned long sum = 0;
	for (long i = 0; i < 3; i++)
		CHECK(!pthread_create(&threads[i], NULL, throw_often, (void *)(i * 1000)));
	usleep(20000);
	ready();
	while (!is_over())
		usleep(2000);
	is_told = true;
	for (int i = 0; i < 3; i++) {
		void *nr;
		CHECK(!pthread_join(threads[i], &nr));
		sum += (unsigned long)nr;
	}
	return well(sum);
}
