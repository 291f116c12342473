// SPDX-License-Identifier: Apache-2.0
/* C++20's coroutines, whose frames are in the heap: no stack of their own. */
#include <coroutine>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <poll.h>
#include <string>
#include <vector>

struct generator {
	struct promise_type {
		unsigned value = 0;
		generator get_return_object()
		{
			return generator{ std::coroutine_handle<promise_type>::from_promise(*this) };
		}
		std::suspend_always initial_suspend() { return {}; }
		std::suspend_always final_suspend() noexcept { return {}; }
		std::suspend_always yield_value(unsigned v)
		{
			value = v;
			return {};
		}
		void return_void() {}
		void unhandled_exception() { std::abort(); }
	};
	std::coroutine_handle<promise_type> handle;
};

__attribute__((noinline)) unsigned hash(const std::string &text)
{
	unsigned sum = 0;
	for (char c : text)
		sum = sum * 31 + (unsigned char)c;
	return sum;
}

static generator words(int nr)
{
	for (int i = 0; i < 6; i++) {
		std::string text = "word " + std::to_string(nr * 100 + i);
		co_yield hash(text);
		unsigned caught = 0;
		try {
			if (i % 3 == 2)
				throw hash(text);
		} catch (unsigned h) {
			caught = h;
		}
		co_yield caught;
	}
}

static unsigned one_round()
{
	std::vector<generator> all;
	unsigned sum = 0;
	for (int i = 0; i < 10; i++)
		all.push_back(words(i));
	for (bool is_going = true; is_going;) {
		is_going = false;
		for (auto &one : all)
			if (!one.handle.done()) {
				one.handle.resume();
				sum = sum * 17 + one.handle.promise().value;
				is_going = true;
			}
	}
	for (auto &one : all)
		one.handle.destroy();
	return sum;
}

int main(int argc, char **argv)
{
	long nr_rounds = argc > 2 ? atol(argv[2]) : 0;
	struct pollfd in = { 0, POLLIN, 0 };
	unsigned first = one_round();
	if (!nr_rounds) {
		puts("ready");
		fflush(stdout);
	}
	for (long i = 0; nr_rounds ? i < nr_rounds : !poll(&in, 1, 0); i++)
		if (one_round() != first)
			return 1;
	printf("ok %u\n", first);
	return 0;
}
