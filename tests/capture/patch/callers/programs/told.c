// SPDX-License-Identifier: Apache-2.0
/* Built with -finstrument-functions: its functions tell who called them, and that is printed. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>

#define NOT_TOLD __attribute__((no_instrument_function, noinline))

static int depth;

NOT_TOLD static const char *name_of(void *address)
{
	Dl_info info;
	return dladdr(address, &info) && info.dli_sname ? info.dli_sname : "?";
}

NOT_TOLD static void tell(const char *what, void *func, void *site)
{
	if (depth < 5)
		printf("%*s%s %s, %s\n", depth * 2, "", what, name_of(func), name_of(site));
}

NOT_TOLD void __cyg_profile_func_enter(void *func, void *site)
{
	tell(">", func, site);
	depth++;
}

NOT_TOLD void __cyg_profile_func_exit(void *func, void *site)
{
	depth--;
	tell("<", func, site);
}

__attribute__((noinline)) int leaf(int n)
{
	return n * 3 + 1;
}

__attribute__((noinline)) int branch(int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum += leaf(i);
	return sum;
}

int main(void)
{
	return branch(3) != 12;
}
