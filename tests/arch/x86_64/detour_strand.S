// SPDX-License-Identifier: Apache-2.0
// How a stub finds its strand where %gs is the program's; the witness for stubs_x86_64.S.
// Placeholder: the table's address 0x1122334455667788.
#include "capture/agent/abi.h"
.equ	back, detour + 0x1000
.equ	agent, detour + 0x2000
detour:	rdfsbase %rax
	mov	%rax, %rcx			// fca_thread_index()
	shr	$12, %rcx
	imul	$FCA_THREAD_FACTOR - 0x100000000, %ecx, %ecx
	shr	$32 - FCA_NR_THREADS_LOG2, %ecx
	movabs	$0x1122334455667788, %rdx
	mov	(%rdx, %rcx, 8), %rdx
	cmp	%rax, FCA_STRAND_THREAD(%rdx)
	jne	agent
	jmp	back
	.fill	80 - 5 - (. - detour), 1, 0xcc
	jmp	back				// where the agent looks for it
