// SPDX-License-Identifier: Apache-2.0
// Exceptions that nobody catches, or that may not leave: std::terminate.
#include <cstdio>
#include <exception>
#include <cstdlib>
#include <stdexcept>
#define NI __attribute__((noinline))
extern "C" NI int leaf(int x)
{
	__asm__ volatile("");
	return x + 1;
}
struct G {
	NI ~G()
	{
		leaf(1);
	}
};
NI void th(int n)
{
	G g;
	if (!n)
		throw std::runtime_error("x");
	th(n - 1);
	leaf(1);
}
NI void ne() noexcept
{
	th(3);
	leaf(1);
}
NI void handler()
{
	leaf(4);
	if (std::current_exception())
		puts("has exc");
	puts("terminating");
	fflush(stdout);
	leaf(5);
	abort();
}
NI void handler2()
{
	leaf(4);
	puts("exiting");
	exit(3);
}
int main(int c, char **v)
{
	int k = v[1][0];
	if (k == 'a')
		th(3); // uncaught: verbose terminate
	if (k == 'b')
		ne();
	if (k == 'c') {
		std::set_terminate(handler);
		th(3);
	}
	if (k == 'd') {
		std::set_terminate(handler2);
		ne();
	}
	if (k == 'e') {
		try {
			th(2);
		} catch (...) {
			std::terminate();
		}
	}
}
