// SPDX-License-Identifier: Apache-2.0
/* Preloaded into fctrace alone (pretended.py): the kernel offers no FSGSBASE. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <stdlib.h>

enum { FSGSBASE = 2 }; /* <asm/hwcap2.h> */

__attribute__((constructor)) static void begin(void)
{
	unsetenv("LD_PRELOAD");
}

unsigned long getauxval(unsigned long type)
{
	unsigned long (*next)(unsigned long) =
		(unsigned long (*)(unsigned long))dlsym(RTLD_NEXT, "getauxval");
	unsigned long value = next(type);
	return type == AT_HWCAP2 ? value & ~(unsigned long)FSGSBASE : value;
}
