// SPDX-License-Identifier: Apache-2.0
// The doors of the agent: from a stub into C and back, every register as it was.
#include "capture/agent/abi.h"

	.section .head, "ax"		// agent.ld: agent_head
	.long	FCA_MAGIC
	.long	agent_config
	.long	agent_entry
	.long	agent_exit
	.long	agent_entry_only
	.long	agent_unwind
	.long	agent_dl
	.long	agent_root + FCA_PAGE	// the second page
	.long	agent_size
	.long	strands
	.long	nr_strands
	.long	agent_filter
	.long	agent_go
	.long	agent_count
	.long	agent_edge
	.long	agent_threads
	.long	agent_wiped
	.long	agent_wait_outside
	.long	agent_wait_end
	.long	agent_values
	.long	agent_result
	.long	agent_stacks

	.text

// A stub jumps here with rax = where it would go on, and on the stack, lowest first, the saved
// rdx, rcx, rax, below the slot of the return address. This completes struct agent_frame
// (machine_x86_64.h) and calls C with it: on this stack if there is room for certain, else on one
// of the agent's, with signals blocked, since a handler may need more room than that has, and may
// look where it stands. Of a stack that is not known, no more is used than four words below the
// slot. In quiet, and if all are taken, the stack is this one.
//
// From here on the slot is so many words above rsp; or, BY_RBP, above what rbp names; or,
// UNMOVED, three words above rsp and nothing is pushed; or there is none. For in_agent_x86_64.c: a
// signal's handler may end the thread from here.
	.set	BY_RBP, -1
	.set	NO_SLOT, -2
	.set	UNMOVED, -3
	.set	BY_THREAD, 1		// enum fca_found_by
	.set	READABLE, 1		// enum fca_thread_word
.macro	SLOT_AT words
	.pushsection .rodata.doors, "a"	// agent.ld: agent_doors
	.long	9f, \words		// the image is linked at 0
	.popsection
9:
.endm

	.set	STACK_SHIFT, 12		// of FCA_STACK_SIZE
	.set	NR_STACKS, FCA_NR_STACKS	// bits of WIPED_STACKS
	.set	WIPED_STACKS, 0		// struct agent_wiped

	.set	NR_rt_sigprocmask, 14
	.set	SIG_SETMASK, 2
	.pushsection .rodata, "a"
	.balign	8
all_signals:
	.quad	-1
	.popsection

.macro	KEEP register, words
	push	%\register
	SLOT_AT	\words
.endm

.macro	TAKE register, words
	pop	%\register
	SLOT_AT	\words
.endm

.macro	ENTER_C function, is_exit
	SLOT_AT	3
	cmpl	$BY_THREAD, agent_config+FCA_CONFIG_FOUND_BY(%rip)
	jae	\function\()_find
	mov	%gs:FCA_STRAND_SELF, %rdx
\function\()_found:
	lea	-FCA_ROOM(%rsp), %rcx
	cmp	FCA_STRAND_ROOM(%rdx), %rcx
	jb	\function\()_own
	cmp	FCA_STRAND_HIGH(%rdx), %rsp
	jae	\function\()_own
	mov	FCA_STRAND_SHADOW(%rdx), %rcx
	mov	8(%rcx), %rcx			// the innermost open call's slot: below what may be
	sub	$24, %rcx			// a stack that is made of a frame's memory,
	cmp	%rcx, %rsp			// where there need not be so much room
	ja	\function\()_own
\function\()_here:
	KEEP	rax, 4			// frame->go
	KEEP	rsi, 5
	KEEP	rdi, 6
	KEEP	r8, 7
	KEEP	r9, 8
	KEEP	r10, 9
	KEEP	r11, 10
	lea	80(%rsp), %rcx
	KEEP	rcx, 11			// frame->slot
	mov	%rsp, %rdi		// first argument: frame
	KEEP	rbp, 12
	KEEP	rbx, 13			// these for in_agent_x86_64.c: struct agent_saved
	KEEP	r12, 14
	KEEP	r13, 15
	KEEP	r14, 16
	KEEP	r15, 17
	mov	%rsp, %rbp
	SLOT_AT	BY_RBP
	and	$-16, %rsp
	push	%rbp			// twice, for the alignment
	push	%rbp
	call	\function
9:	lea	40(%rbp), %rsp
	.pushsection .rodata.backs, "a"	// agent.ld: agent_backs
	.long	9b, \is_exit
	.popsection
	SLOT_AT	12
	TAKE	rbp, 11
	lea	8(%rsp), %rsp
	SLOT_AT	10
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

// One of the agent's stacks, seen from its upper end: rsp and the signal mask as they were, what C
// returned, struct agent_frame, rbp. Who looks where threads stand follows that rsp.
	.set	SAVED_RSP, FCA_STACK_SP
	.set	MASK, -16
	.set	RET, -24
	.set	FRAME, -112
	.set	SAVED_RBP, -120
	.set	BEGIN, -128

// rdx: the strand in the table for a thread with the pointer in rcx, which is lost
.macro	LAST_STRAND
	shr	$12, %rcx
	imul	$FCA_THREAD_FACTOR, %ecx, %ecx
	shr	$32-FCA_NR_THREADS_LOG2, %ecx
	lea	agent_threads(%rip), %rdx
	mov	(%rdx,%rcx,8), %rdx
.endm

// The same as ENTER_C and RESTORE. At its end rax is what C returned.
.macro	ENTER_C_OWN function
\function\()_find:
	SLOT_AT	3
	ja	\function\()_by_word	// BY_TID
	rdfsbase %rcx
	LAST_STRAND
	rdfsbase %rcx
	cmp	%rcx, FCA_STRAND_THREAD(%rdx)
	je	\function\()_found
	jmp	\function\()_own
\function\()_by_word:
	cmpl	$READABLE, agent_config+FCA_CONFIG_WORD(%rip)
	jne	\function\()_own
	mov	%fs:0, %rcx
	LAST_STRAND
	mov	%fs:0, %rcx
	cmp	%rcx, FCA_STRAND_THREAD(%rdx)
	je	\function\()_found
\function\()_own:
	cmpl	$0, agent_config+FCA_CONFIG_QUIET(%rip)
	jne	\function\()_here
	mov	%rax, -8(%rsp)		// where GO looks for it
	SLOT_AT	UNMOVED
1:	mov	agent_wiped+WIPED_STACKS(%rip), %ecx
	not	%ecx
	bsf	%ecx, %edx
	jz	2f
	lock bts %edx, agent_wiped+WIPED_STACKS(%rip)
	jc	1b
	shl	$STACK_SHIFT, %rdx
	lea	agent_stacks+(1 << STACK_SHIFT)(%rip), %rcx
	add	%rcx, %rdx
	mov	%rsp, SAVED_RSP(%rdx)
	mov	%rbp, SAVED_RBP(%rdx)
	mov	%r11, FRAME+8(%rdx)
	mov	%r10, FRAME+16(%rdx)
	mov	%r9, FRAME+24(%rdx)
	mov	%r8, FRAME+32(%rdx)
	mov	%rdi, FRAME+40(%rdx)
	mov	%rsi, FRAME+48(%rdx)
	mov	%rax, FRAME+56(%rdx)
	mov	(%rsp), %rcx
	mov	%rcx, FRAME+64(%rdx)	// rdx
	mov	8(%rsp), %rcx
	mov	%rcx, FRAME+72(%rdx)	// rcx
	mov	16(%rsp), %rcx
	mov	%rcx, FRAME+80(%rdx)	// rax
	lea	24(%rsp), %rcx
	mov	%rcx, FRAME(%rdx)	// frame->slot
	mov	$NR_rt_sigprocmask, %eax
	mov	$SIG_SETMASK, %edi
	lea	all_signals(%rip), %rsi
	lea	MASK(%rdx), %rdx
	mov	$8, %r10d
	movabs	$FCA_OWN_CALL << 32, %r9	// fca_own_call()
	syscall
	lea	-MASK(%rdx), %rbp
	lea	BEGIN(%rbp), %rsp
	lea	FRAME(%rbp), %rdi
	call	\function
	mov	%rax, RET(%rbp)
	mov	FRAME(%rbp), %rcx
	mov	FRAME+56(%rbp), %rdx
	mov	%rdx, -32(%rcx)
	lea	-32(%rcx), %rsp
	SLOT_AT	4
	mov	$NR_rt_sigprocmask, %eax
	mov	$SIG_SETMASK, %edi
	lea	MASK(%rbp), %rsi
	mov	SAVED_RBP(%rbp), %rbp
	xor	%edx, %edx
	mov	$8, %r10d
	movabs	$FCA_OWN_CALL << 32, %r9	// fca_own_call()
	syscall
	mov	FRAME+8-MASK(%rsi), %r11
	mov	FRAME+16-MASK(%rsi), %r10
	mov	FRAME+24-MASK(%rsi), %r9
	mov	FRAME+32-MASK(%rsi), %r8
	mov	FRAME+40-MASK(%rsi), %rdi
	mov	RET-MASK(%rsi), %rax
	lea	agent_stacks(%rip), %rdx
	mov	%rsi, %rcx
	sub	%rdx, %rcx
	shr	$STACK_SHIFT, %rcx
	mov	FRAME+48-MASK(%rsi), %rsi
	lock btr %ecx, agent_wiped+WIPED_STACKS(%rip)
	jmp	3f
2:	mov	-8(%rsp), %rax
	SLOT_AT	3
	jmp	\function\()_here
3:	SLOT_AT	4
.endm

.macro	DOOR function, is_exit=0
	ENTER_C	\function, \is_exit
	RESTORE
	GO
	ENTER_C_OWN \function
	GO
.endm

// void agent_entry(void)	frame->go = body, or the stub's start to try again
agent_entry:
	DOOR	agent_on_entry

agent_entry_only:
	DOOR	agent_on_entry_only

agent_unwind:
	DOOR	agent_on_unwind

agent_dl:
	DOOR	agent_on_dl

agent_filter:
	DOOR	agent_on_filter

agent_go:
	DOOR	agent_on_go

agent_count:
	DOOR	agent_on_count

agent_edge:
	DOOR	agent_on_edge

agent_values:
	DOOR	agent_on_values

// The last of the doors are those of calls that have returned: in_agent_x86_64.c knows them by that.
// The slot holds the site.
agent_result:
	DOOR	agent_on_result, 1

// Here rax is nothing.
// bool agent_on_exit(frame)	true: the slot holds the true return address: return to it
agent_exit:
	ENTER_C	agent_on_exit, 1
	test	%al, %al
	jnz	1f
	RESTORE
	GO
1:	SLOT_AT	10
	RESTORE
	LEAVE_C
	ret
	ENTER_C_OWN agent_on_exit
	test	%al, %al
	jnz	1f
	GO
1:	SLOT_AT	4
	LEAVE_C
	ret
	SLOT_AT	NO_SLOT
	.pushsection .rodata.doors, "a"
	.long	0xffffffff, NO_SLOT	// behind all
	.popsection
	.pushsection .rodata.backs, "a"
	.long	0xffffffff, 0		// behind all
	.popsection

	.section .note.GNU-stack, "", @progbits
