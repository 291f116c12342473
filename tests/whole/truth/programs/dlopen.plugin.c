/* SPDX-License-Identifier: Apache-2.0 */
/* The library that dlopen.c opens. */
#define TRUTH_PLUGIN
#include "truth.h"

int plugin_entry(int x, int (*callback)(int));

static FN int inner(int x)
{
	ENTER;
	LEAVE;
	return x + 100;
}

FN int plugin_entry(int x, int (*callback)(int))
{
	ENTER;
	int r = inner(x) + callback(x);
	LEAVE;
	return r;
}
