// SPDX-License-Identifier: Apache-2.0
// The doors of the agent: from a stub into C and back, every register as it was.
#include "agent/abi.h"

	.section .head, "ax"
	.globl	agent_head
agent_head:
	.long	FCA_MAGIC
	.long	agent_config
	.long	agent_entry
	.long	agent_exit
	.long	agent_entry_only
	.long	agent_unwind
	.long	agent_dl
	.long	agent_root + 4096	// the second page
	.long	agent_size
	.long	strands
	.long	nr_strands
	.long	agent_filter
	.long	agent_go
	.long	agent_count
	.long	agent_edge

	.text

// A stub jumps here with rax = where it would go on, and on the stack, lowest first, the
// saved rdx, rcx, rax, below the slot of the return address. This completes struct agent_frame (agent.c) and calls C with it.
.macro	ENTER_C function
	push	%rax			// frame->go
	push	%rsi
	push	%rdi
	push	%r8
	push	%r9
	push	%r10
	push	%r11
	mov	%rsp, %rdi		// first argument: frame
	push	%rbp
	push	%rbx			// these for rewind_x86_64.c: struct agent_saved
	push	%r12
	push	%r13
	push	%r14
	push	%r15
	mov	%rsp, %rbp
	and	$-16, %rsp
	push	%rbp			// twice, for the alignment
	push	%rbp
	call	\function
\function\()_back:
	lea	40(%rbp), %rsp
	pop	%rbp
.endm

.macro	RESTORE
	pop	%r11
	pop	%r10
	pop	%r9
	pop	%r8
	pop	%rdi
	pop	%rsi
.endm

// Leave with rsp as the stub found it and jump to frame->go, which now lies in the red zone
// (x86-64 psABI 3.2.2: 128 bytes below rsp are left alone by signals).
.macro	GO
	mov	8(%rsp), %rdx
	mov	16(%rsp), %rcx
	mov	24(%rsp), %rax
	lea	32(%rsp), %rsp
	jmp	*-32(%rsp)
.endm

	.globl	agent_on_entry_back, agent_on_exit_back, agent_on_entry_only_back
	.globl	agent_on_unwind_back, agent_on_dl_back, agent_on_filter_back
	.globl	agent_entry, agent_exit, agent_entry_only, agent_unwind, agent_dl, agent_filter
	.globl	agent_go, agent_count, agent_on_count_back, agent_edge, agent_on_edge_back

// void agent_entry(void)	frame->go = body, or the stub's start to try again
agent_entry:
	ENTER_C	agent_on_entry
	RESTORE
	GO

agent_entry_only:
	ENTER_C	agent_on_entry_only
	RESTORE
	GO

agent_unwind:
	ENTER_C	agent_on_unwind
	RESTORE
	GO

agent_dl:
	ENTER_C	agent_on_dl
	RESTORE
	GO

agent_filter:
	ENTER_C	agent_on_filter
	RESTORE
	GO

agent_go:
	ENTER_C	agent_on_go
	RESTORE
	GO

agent_count:
	ENTER_C	agent_on_count
	RESTORE
	GO

agent_edge:
	ENTER_C	agent_on_edge
	RESTORE
	GO

// bool agent_on_exit(frame)	true: the slot holds the true return address: return to it
agent_exit:
	ENTER_C	agent_on_exit
	test	%al, %al
	jnz	1f
	RESTORE
	GO
1:	RESTORE
	mov	8(%rsp), %rdx
	mov	16(%rsp), %rcx
	mov	24(%rsp), %rax
	lea	32(%rsp), %rsp
	ret

	.section .note.GNU-stack, "", @progbits
