// SPDX-License-Identifier: Apache-2.0
// The stub of a function that is hooked at its entry only; the witness for stub_x86_64.c.
// Placeholder: record head 0x11111111.
#include "capture/agent/abi.h"
pool = stub - 0x1000
stub:	.byte 0xa9; .long body - (.+4)	// test $..., %eax; as jmp: the function is switched off
	mov	%rax, -8(%rsp)
	mov	%rcx, -16(%rsp)
	mov	%rdx, -24(%rsp)
1:	mov	%gs:FCA_STRAND_SELF, %rdx
	mov	FCA_STRAND_SHADOW(%rdx), %rcx
	cmp	8(%rcx), %rsp
	jae	special
	mov	FCA_STRAND_CURSOR(%rdx), %rax
	cmp	FCA_STRAND_LIMIT(%rdx), %rax
	jae	special
	cmp	FCA_STRAND_LOW(%rdx), %rsp
	jb	special
	lea	8(%rax), %rcx
	cmpxchg	%rcx, FCA_STRAND_CURSOR(%rdx)
	jne	1b
	rdtsc
	shl	$58, %rdx
	shl	$26, %rax
	lea	0x11111111(%rax,%rdx), %rdx
	mov	%rdx, -8(%rcx)
	jmp	off				// the registers as they were, and on
special:
	cmpb	$0, FCA_STRAND_OFF(%rdx)
	jne	off				// nothing is recorded
agent:	sub	$24, %rsp
	lea	body(%rip), %rax
	jmp	*pool + 8 * FCA_POOL_ENTRY_ONLY(%rip)
off:	mov	-8(%rsp), %rax
	mov	-16(%rsp), %rcx
	mov	-24(%rsp), %rdx
body:
