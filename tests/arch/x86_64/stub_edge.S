// SPDX-License-Identifier: Apache-2.0
// The stub of a function whose calls are counted by caller; the witness for stub_x86_64.c.
// Placeholders: the function's id 0x11111111, what scatters its edges 0x22222222.
#include "capture/agent/abi.h"
pool = stub - 0x1000
stub:	mov	%rax, -8(%rsp)
	mov	%rcx, -16(%rsp)
	mov	%rdx, -24(%rsp)
	mov	%gs:FCA_STRAND_COUNTS, %rax
	mov	(%rsp), %rdx			// rdx = return address
	mov	%edx, %ecx
	xor	$0x22222222, %ecx		// fca_edge_index()
	and	$4 * (FCA_NR_EDGES - 1), %ecx
	lea	FCA_EDGES_HEAD(%rax,%rcx,4), %rcx	// rcx = where its entry would be
	test	%rax, %rax
	jnz	find
agent:	sub	$24, %rsp			// no table yet, no entry yet, or a full count
	lea	body(%rip), %rax
	jmp	*pool + 8 * FCA_POOL_EDGE(%rip)
next:	cmpq	$0, (%rcx)
	je	agent
	add	$16, %rcx
find:	cmp	%rdx, (%rcx)
	jne	next
	mov	8(%rcx), %eax
	xor	$0x11111111, %eax
	shl	$32 - FCA_EDGE_CALLS, %eax	// what remains are the bits of the id
	jnz	next
	addq	$1 << FCA_EDGE_CALLS, 8(%rcx)
	js	agent
	mov	-8(%rsp), %rax
	mov	-16(%rsp), %rcx
	mov	-24(%rsp), %rdx
body:
