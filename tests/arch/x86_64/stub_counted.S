// SPDX-License-Identifier: Apache-2.0
// What stands behind the body of a stub that can be switched to counting; the witness for
// stub_x86_64.c. Placeholders: the counter's offset 0x11111111, the stub behind its switch
// 0x22222222 and the body 0x33333333.
#include "capture/agent/abi.h"
counted: mov	%rax, -8(%rsp)
	mov	%gs:FCA_STRAND_COUNTS, %rax
	test	%rax, %rax
	jz	none
	incq	0x11111111(%rax)
	mov	-8(%rsp), %rax
	.byte	0xe9; .long 0x33333333
none:	mov	-8(%rsp), %rax			// the agent makes counters
	.byte	0xe9; .long 0x22222222
