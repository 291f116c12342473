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
	.long	agent_threads

	.text

// A stub jumps here with rax = where it would go on, and on the stack, lowest first, the
// saved rdx, rcx, rax, below the slot of the return address. This completes struct agent_frame (agent.c) and calls C with it.
// From here on the slot is so many words above rsp; or, BY_RBP, above what rbp names; or there is
// none. For rewind_x86_64.c: a signal's handler may end the thread from here.
	.set	BY_RBP, -1
	.set	NO_SLOT, -2
.macro	SLOT_AT words
	.pushsection .rodata.doors, "a"
	.long	9f, \words		// the image is linked at 0
	.popsection
9:
.endm

	.pushsection .rodata.doors, "a"
	.globl	agent_doors
	.balign	4
agent_doors:
	.popsection

.macro	KEEP register, words
	push	%\register
	SLOT_AT	\words
.endm

.macro	TAKE register, words
	pop	%\register
	SLOT_AT	\words
.endm

.macro	ENTER_C function
	SLOT_AT	3
	KEEP	rax, 4			// frame->go
	KEEP	rsi, 5
	KEEP	rdi, 6
	KEEP	r8, 7
	KEEP	r9, 8
	KEEP	r10, 9
	KEEP	r11, 10
	mov	%rsp, %rdi		// first argument: frame
	KEEP	rbp, 11
	KEEP	rbx, 12			// these for rewind_x86_64.c: struct agent_saved
	KEEP	r12, 13
	KEEP	r13, 14
	KEEP	r14, 15
	KEEP	r15, 16
	mov	%rsp, %rbp
	SLOT_AT	BY_RBP
	and	$-16, %rsp
	push	%rbp			// twice, for the alignment
	push	%rbp
	call	\function
\function\()_back:
	lea	40(%rbp), %rsp
	SLOT_AT	11
	TAKE	rbp, 10
.endm

.macro	RESTORE
	TAKE	r11, 9
	TAKE	r10, 8
	TAKE	r9, 7
	TAKE	r8, 6
	TAKE	rdi, 5
	TAKE	rsi, 4
.endm

.macro	LEAVE_C
	mov	8(%rsp), %rdx
	mov	16(%rsp), %rcx
	mov	24(%rsp), %rax
	lea	32(%rsp), %rsp
	SLOT_AT	0
.endm

// Leave with rsp as the stub found it and jump to frame->go, which now lies in the red zone
// (x86-64 psABI 3.2.2: 128 bytes below rsp are left alone by signals).
.macro	GO
	LEAVE_C
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

// The last of the doors: rewind_x86_64.c knows it by that.
// Here rax is nothing, and the slot holds the site.
// bool agent_on_exit(frame)	true: the slot holds the true return address: return to it
agent_exit:
	ENTER_C	agent_on_exit
	test	%al, %al
	jnz	1f
	RESTORE
	GO
1:	SLOT_AT	10
	RESTORE
	LEAVE_C
	ret
	SLOT_AT	NO_SLOT
	.pushsection .rodata.doors, "a"
	.long	0xffffffff, NO_SLOT	// behind all
	.popsection

	.section .note.GNU-stack, "", @progbits
