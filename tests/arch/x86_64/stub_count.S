// SPDX-License-Identifier: Apache-2.0
// The stub of a function whose calls are only counted; the witness for stub_x86_64.c.
// Placeholder: the counter's offset 0x11111111.
#include "capture/agent/abi.h"
pool = stub - 0x1000
stub:	mov	%rax, -8(%rsp)
	mov	%gs:FCA_STRAND_COUNTS, %rax
	test	%rax, %rax
	jnz	count
	mov	%rcx, -16(%rsp)			// no counters yet: the agent
	mov	%rdx, -24(%rsp)
	sub	$24, %rsp
	lea	body(%rip), %rax
	jmp	*pool + 8 * FCA_POOL_COUNT(%rip)
count:	incq	0x11111111(%rax)
	mov	-8(%rsp), %rax
body:
