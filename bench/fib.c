/* SPDX-License-Identifier: Apache-2.0 */
/* Recursion in two branches: calls and returns of every depth, nothing else. */
#include "calls.h"
#include "fib.h"

static uint64_t work(void)
{
	return fib(FIB_N) == FIB_RESULT ? FIB_CALLS : 0;
}
