// SPDX-License-Identifier: Apache-2.0
// The stub of a function that is hooked at entry and exit; the witness for stub_x86_64.c.
// Placeholders: record heads 0x11111111 and 0x22222222.
#include "capture/agent/abi.h"
pool = stub - 0x1000
stub:	.byte 0xa9; .long body - (.+4)	// test $..., %eax; as jmp: the function is switched off
	mov	%rax, -8(%rsp)
	mov	%rcx, -16(%rsp)
	mov	%rdx, -24(%rsp)
1:	mov	%gs:FCA_STRAND_SELF, %rdx	// rdx = strand: a handler may change %gs
	mov	FCA_STRAND_SHADOW(%rdx), %rcx	// rcx = top shadow entry
	cmp	8(%rcx), %rsp
	.byte 0x0f, 0x83; .long special_entry - (.+4)	// jae: not below the top's slot
	mov	FCA_STRAND_CURSOR(%rdx), %rax
	cmp	FCA_STRAND_LIMIT(%rdx), %rax
	.byte 0x0f, 0x83; .long special_entry - (.+4)	// jae: no room
	cmp	FCA_STRAND_LOW(%rdx), %rsp
	.byte 0x0f, 0x82; .long special_entry - (.+4)	// jb: not this strand's stack
	mov	%rsp, 24(%rcx)			// the entry to be has a slot from the start
	lea	8(%rax), %rcx
	cmpxchg	%rcx, FCA_STRAND_CURSOR(%rdx)
	jne	1b				// a signal came between
	addq	$16, FCA_STRAND_SHADOW(%rdx)
	mov	FCA_STRAND_SHADOW(%rdx), %rax
	mov	(%rsp), %rdx
	mov	%rsp, 8(%rax)			// entry->slot again: a handler may have
	mov	%rdx, (%rax)			// used it; and entry->ret
	rdtsc
	shl	$58, %rdx
	shl	$26, %rax
	lea	0x11111111(%rax,%rdx), %rdx
	mov	%rdx, -8(%rcx)			// the record
	mov	-8(%rsp), %rax
	mov	-16(%rsp), %rcx
	mov	-24(%rsp), %rdx
	add	$8, %rsp
	call	body
exit:	sub	$8, %rsp
again:	mov	%rax, -8(%rsp)
	mov	%rcx, -16(%rsp)
	mov	%rdx, -24(%rsp)
2:	mov	%gs:FCA_STRAND_SELF, %rdx
	mov	FCA_STRAND_SHADOW(%rdx), %rcx
	cmp	8(%rcx), %rsp
	jne	special_exit			// the top is not ours
	mov	FCA_STRAND_CURSOR(%rdx), %rax
	cmp	FCA_STRAND_LIMIT(%rdx), %rax
	jae	special_exit
	lea	8(%rax), %rcx
	cmpxchg	%rcx, FCA_STRAND_CURSOR(%rdx)
	jne	2b
	mov	FCA_STRAND_SHADOW(%rdx), %rax
	mov	(%rax), %rax			// entry->ret
	subq	$16, FCA_STRAND_SHADOW(%rdx)
	mov	%rax, (%rsp)
	rdtsc
	shl	$58, %rdx
	shl	$26, %rax
	lea	0x22222222(%rax,%rdx), %rdx
	mov	%rdx, -8(%rcx)
	mov	-8(%rsp), %rax
	mov	-16(%rsp), %rcx
	mov	-24(%rsp), %rdx
	ret
special_exit:
	sub	$24, %rsp			// the slot holds the exit's address
	jmp	*pool + 8 * FCA_POOL_EXIT(%rip)
	.byte	0				// FCA_LOOPS
special_entry:
	cmpb	$0, FCA_STRAND_OFF(%rdx)
	jne	off				// nothing is recorded
	sub	$24, %rsp
	lea	body(%rip), %rax
	jmp	*pool + 8 * FCA_POOL_ENTRY(%rip)
off:	mov	-8(%rsp), %rax
	mov	-16(%rsp), %rcx
	mov	-24(%rsp), %rdx
body:
