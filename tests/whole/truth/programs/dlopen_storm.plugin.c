/* SPDX-License-Identifier: Apache-2.0 */
/* The library that dlopen_storm.c opens. */
#define TRUTH_PLUGIN
#include "truth.h"

int plugin_entry(int x, int (*callback)(int));

FN int plugin_entry(int x, int (*callback)(int))
{
	ENTER;
	int r = callback(x) + 100;
	LEAVE;
	return r;
}
