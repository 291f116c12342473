// SPDX-License-Identifier: Apache-2.0
// C++ exceptions: rethrown, nested, foreign, out of destructors, static objects and qsort.
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <unwind.h>
#include <cstring>
#include <vector>
#include <string>
#include <execinfo.h>
#define NI __attribute__((noinline))
static int sum;
extern "C" NI int leaf(int x)
{
	__asm__ volatile("");
	return x + 1;
}
struct G {
	int k;
	NI G(int k) : k(k)
	{
		sum += leaf(k);
	}
	NI ~G()
	{
		sum += leaf(k) * 3;
	}
};
struct T {
	NI ~T() noexcept(false)
	{
		if (!std::uncaught_exceptions())
			throw std::runtime_error("dtor");
	}
};
extern "C" NI int cmp(const void *a, const void *b)
{
	int x = *(int *)a, y = *(int *)b;
	leaf(x);
	if (x == 7 || y == 7)
		throw std::logic_error("seven");
	return x - y;
}
NI void deep(int n)
{
	G g(n);
	if (!n)
		throw std::runtime_error("deep");
	deep(n - 1);
	leaf(n);
}
NI void rethrow(int n)
{
	try {
		deep(n);
	} catch (std::exception &e) {
		leaf(3);
		throw;
	}
}
NI void nested(int n)
{
	try {
		deep(n);
	} catch (std::exception &e) {
		try {
			rethrow(n);
		} catch (...) {
			sum += leaf(7);
		}
		sum += leaf(8);
		try {
			throw;
		} catch (std::runtime_error &) {
			sum += leaf(1);
		}
	}
}
NI int catcher_silent(int n)
{
	try {
		deep(n);
	} catch (std::exception &e) {
		return 1;
	}
	return 0;
}
NI int outer_silent(int n)
{
	return catcher_silent(n) + 1;
}
static void fcleanup(_Unwind_Reason_Code, _Unwind_Exception *e)
{
	sum += leaf(1);
	free(e);
}
NI void foreign()
{
	G g(5);
	auto *e = (_Unwind_Exception *)calloc(1, sizeof(_Unwind_Exception) + 64);
	memcpy(&e->exception_class, "FOREIGN", 7);
	e->exception_cleanup = fcleanup;
	_Unwind_RaiseException(e);
	leaf(0);
	abort();
}
NI void fcatch()
{
	try {
		foreign();
	} catch (...) {
		leaf(2);
		puts("foreign caught");
	}
}
NI int init()
{
	try {
		deep(4);
	} catch (std::exception &e) {
		printf("static init %s\n", e.what());
	}
	return leaf(1);
}
static int inited = init();
struct St {
	NI ~St()
	{
		try {
			deep(3);
		} catch (std::exception &e) {
			printf("static dtor %s\n", e.what());
			fflush(stdout);
		}
	}
} st;
static _Unwind_Reason_Code tr(_Unwind_Context *c, void *a)
{
	int *n = (int *)a;
	(*n)++;
	return _URC_NO_REASON;
}
NI int btdepth(int n)
{
	if (n)
		return btdepth(n - 1) + leaf(0) * 0;
	int d = 0;
	_Unwind_Backtrace(tr, &d);
	return d;
}
NI int btdepth2(int n)
{
	if (n) {
		int r = btdepth2(n - 1);
		leaf(0);
		return r;
	}
	void *b[100];
	return backtrace(b, 100);
}
NI void func_try()
try {
	deep(2);
} catch (std::exception &e) {
	leaf(2);
	throw std::string("other");
}
NI void inline_through(std::vector<int> &v)
{
	v.at(100) = 1;
}
struct Big {
	char c[40000];
};
NI int bigframes(int n)
{
	volatile char c[70000];
	c[0] = n;
	c[69999] = n;
	if (!n)
		throw 5;
	return bigframes(n - 1) + c[0];
}
static volatile unsigned long k4 = -1ul / 4;
int main()
{
	for (int i = 0; i < 5; i++) {
		try {
			deep(i);
		} catch (std::exception &e) {
			puts(e.what());
		}
		try {
			rethrow(i);
		} catch (std::exception &e) {
			puts(e.what());
		}
		nested(i);
		printf("%d\n", outer_silent(i));
	}
	try {
		T t;
		leaf(1);
	} catch (std::exception &e) {
		puts(e.what());
	}
	int a[] = { 5, 3, 7, 1 };
	try {
		qsort(a, 4, 4, cmp);
	} catch (std::exception &e) {
		puts(e.what());
	}
	fcatch();
	printf("bt %d %d\n", btdepth(10) > 0 ? btdepth(20) - btdepth(10) : -1,
	       btdepth2(20) - btdepth2(10));
	try {
		func_try();
	} catch (std::string &s) {
		puts(s.c_str());
	}
	std::vector<int> v(3);
	try {
		inline_through(v);
	} catch (std::out_of_range &e) {
		puts("oor");
	}
	try {
		bigframes(20);
	} catch (int x) {
		printf("int %d\n", x);
	}
	std::exception_ptr p;
	try {
		deep(3);
	} catch (...) {
		p = std::current_exception();
	}
	try {
		std::rethrow_exception(p);
	} catch (std::exception &e) {
		printf("ptr %s\n", e.what());
	}
	try {
		(void)new char[k4];
	} catch (std::bad_alloc &) {
		puts("bad_alloc");
	}
	printf("%d\n", sum);
}
