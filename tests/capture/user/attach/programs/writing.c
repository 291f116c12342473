/* SPDX-License-Identifier: Apache-2.0 */
/* It has made its code writable, and writes over an operand within a function's first bytes. */
#include <sys/mman.h>

#include "attached.h"

int hot(void);
__asm__("\t.text\n\t.p2align 4\n\t.globl hot\n\t.type hot, @function\nhot:\n\t.cfi_startproc\n"
	"\tmov $1, %eax\n\tret\n\t.cfi_endproc\n\t.size hot, .-hot\n\t.p2align 4\n");

int main(void)
{
	int nr = 1;
	void *page = (void *)((uintptr_t)hot & ~4095ul);
	CHECK(!mprotect(page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC));
	ready();
	for (; !is_over(); nr++) {
		memcpy((char *)(uintptr_t)hot + 1, &nr, sizeof(nr));
		CHECK(hot() == nr);
	}
	return well((unsigned long)nr);
}
