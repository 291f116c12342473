// SPDX-License-Identifier: Apache-2.0
// mixed.cc - all that a trace can hold in little: threads, a fork, an exception, recursion, tails.
#include <stdexcept>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

extern "C" {
__attribute__((noinline)) int leaf(int n)
{
	__asm__ volatile("");
	return n + 1;
}

__attribute__((noinline)) int fib(int n)
{
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

__attribute__((noinline)) int deep(int n)
{
	__asm__ volatile("");
	return n ? deep(n - 1) + 1 : leaf(0);
}
}

namespace app
{
struct Worker {
	__attribute__((noinline)) int fails(int n)
	{
		if (n == 0)
			throw std::runtime_error("zero");
		return leaf(n) + fails(n - 1);
	}
	__attribute__((noinline)) void run()
	{
		try {
			fails(5);
		} catch (const std::runtime_error &) {
			leaf(1);
		}
		fib(10);
	}
};
} // namespace app

int main()
{
	app::Worker worker;
	std::thread threads[3];

	for (auto &t : threads)
		t = std::thread([&worker] { worker.run(); });
	for (auto &t : threads)
		t.join();
	deep(200);
	pid_t child = fork();
	if (child == 0) {
		fib(8);
		_exit(leaf(2) == 3 ? 0 : 1);
	}
	int status = 0;
	waitpid(child, &status, 0);
	return status;
}
