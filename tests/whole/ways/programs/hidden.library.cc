// SPDX-License-Identifier: Apache-2.0
// A library with an unwinder of its own, linked statically: nothing tells of it by name.
#include <cstdio>
#include <stdexcept>
#include <unwind.h>
#define API extern "C" __attribute__((visibility("default"), noinline))

API int lib_throw(int x)
{
	if (x % 3 == 0)
		throw std::runtime_error("from the library");
	if (x % 3 == 1)
		throw x;
	return x;
}

static _Unwind_Reason_Code count(struct _Unwind_Context *, void *nr)
{
	++*(int *)nr;
	return _URC_NO_REASON;
}

API int lib_depth(void)
{
	int nr = 0;
	_Unwind_Backtrace(count, &nr);
	return nr;
}

// What call() calls here may throw: then that is caught here, above the program's frames.
API int lib_try(int (*call)(int), int x)
{
	try {
		return call(x);
	} catch (const std::exception &e) {
		return -1;
	} catch (int thrown) {
		return -2 - thrown;
	}
}
