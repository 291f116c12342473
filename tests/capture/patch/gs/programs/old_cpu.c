// SPDX-License-Identifier: Apache-2.0
/* Preloaded into fctrace alone: a machine on which %fs cannot be read by an instruction. */
#include <elf.h>
#include <stdlib.h>

__attribute__((constructor)) static void begin(void)
{
	unsetenv("LD_PRELOAD");
}

unsigned long getauxval(unsigned long type)
{
	(void)type;
	return 0;
}
