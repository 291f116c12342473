// SPDX-License-Identifier: Apache-2.0
// The same for a stub that only counts: its counters in rax, 0 if there are none.
// Placeholder: the table's address 0x1122334455667788.
#include "capture/agent/abi.h"
.equ	back, detour + 0x1000
detour:	mov	%rcx, -16(%rsp)
	mov	%rdx, -24(%rsp)
	rdfsbase %rax
	mov	%rax, %rcx			// fca_thread_index()
	shr	$12, %rcx
	imul	$FCA_THREAD_FACTOR - 0x100000000, %ecx, %ecx
	shr	$32 - FCA_NR_THREADS_LOG2, %ecx
	movabs	$0x1122334455667788, %rdx
	mov	(%rdx, %rcx, 8), %rdx
	xor	%ecx, %ecx
	cmp	%rax, FCA_STRAND_THREAD(%rdx)
	mov	FCA_STRAND_COUNTS(%rdx), %rax
	cmovne	%rcx, %rax
	mov	-16(%rsp), %rcx
	mov	-24(%rsp), %rdx
	jmp	back
	.fill	80 - 5 - (. - detour), 1, 0xcc
	jmp	back				// where the agent looks for it
