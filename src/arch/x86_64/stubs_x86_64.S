// SPDX-License-Identifier: Apache-2.0
//
// The stubs, and where things are in them. scripts/stubs makes bytes and offsets of this; both are
// kept (arch/x86_64/stub_bytes_x86_64.h, capture/agent/stub_x86_64.h), so that every host compiles them.
//
//   entry  checks: does this call nest in the top shadow entry, has the ring room, is the
//          stack this strand's? Else: special_entry, the agent.
//          reserve a word by an unlocked cmpxchg on the cursor; push a shadow entry; take
//          the time and write the record; then CALL the body with the return address
//          dropped, so that the CPU's own return stack stays paired
//   exit   the same for the return, and RET to the true return address
//   off    where the first instruction, the switch, jumps to when one byte of it is
//          changed: the body, or the counter behind it; and the way of a strand that is off
//
// The order is what it is because little overlaps with rdtsc: all that can be done before
// it is. A signal between cmpxchg and the record's mov leaves a hole that is filled later;
// the drain puts such records in order.
//
// Live: all registers. Clobbers: arithmetic flags, memory below rsp.
//
// Each stub is a section. stub_x86_64.c writes over the numbers 0x11111111, 0x22222222, ... and
// where pointers of the pool's head are read.

#include "capture/agent/abi.h"

	.set	SWITCH_ON, 0xa9			// test $..., %eax: the first byte of a stub that records
	.set	SWITCH_OFF, 0xe9		// jmp: to the body, or to where the call is only counted
	.set	ONLY_WATCHED, 0xeb		// jmp
	.set	SPECIAL_LOWERS, 24		// bytes, for rax, rcx, rdx
	.set	PROBE_RED_ZONE, 128		// bytes below rsp that may be in use (psABI 3.2.2)
	.set	PROBE_BODY, 0x1e0		// a probe's moved code: behind what any arguments take

// A place: where the next instruction begins, or what began some bytes before it.
.macro	at	name, stub, before=0
	.set	\name, . - \before - \stub
.endm

// ---- of a function that is hooked at its entry and its exit: CALL_...

	.section .call, "ax"
	pool = call - 0x1000
call:	.byte	SWITCH_ON
	at	CALL_SWITCH, call
	.long	body - (. + 4)
	at	CALL_SWITCHED, call
	mov	%rax, -8(%rsp)
	mov	%rcx, -16(%rsp)
	mov	%rdx, -24(%rsp)
	at	CALL_RETRY, call
1:	mov	%gs:FCA_STRAND_SELF, %rdx	// rdx = strand: a handler may change %gs
	at	CALL_LOADED, call		// rdx, rcx, rax are not the caller's from here on
	mov	FCA_STRAND_SHADOW(%rdx), %rcx	// rcx = top shadow entry
	cmp	8(%rcx), %rsp
	jae	4f				// not below the top's slot
	mov	FCA_STRAND_CURSOR(%rdx), %rax
	cmp	FCA_STRAND_LIMIT(%rdx), %rax
	at	CALL_LIMIT, call		// whoever comes here by a short jump has the flags for it
4:	.byte	0x0f, 0x83; .long special_entry - (. + 4)	// jae: no room in the ring, or off
	cmp	%rsp, FCA_STRAND_LOW(%rdx)
	ja	4b				// not this strand's stack
	lea	8(%rax), %rcx
	cmpxchg	%rcx, FCA_STRAND_CURSOR(%rdx)
	at	CALL_TRIED, call		// the word is reserved if ZF is set
	jne	1b				// a signal came between
	mov	FCA_STRAND_SHADOW(%rdx), %rax
	add	$16, %rax
3:	mov	%rsp, 8(%rax)			// entry->slot
	mov	%rax, FCA_STRAND_SHADOW(%rdx)
	at	CALL_PUSHED, call		// the shadow entry counts
	cmp	%rsp, 8(%rax)
	jne	3b				// handlers used it before, and have popped it since
	mov	(%rsp), %rdx
	mov	%rdx, (%rax)			// entry->ret
	rdtsc
	shl	$58, %rdx
	shl	$26, %rax
	lea	0x11111111(%rax,%rdx), %rdx
	at	CALL_ID, call, 4
	mov	%rdx, -8(%rcx)			// the record
	at	CALL_RECORDED, call
	mov	-8(%rsp), %rax
	mov	-16(%rsp), %rcx
	mov	-24(%rsp), %rdx
	at	CALL_BEGIN, call		// all is done but to drop the return address
	add	$8, %rsp
	at	CALL_DROPPED, call		// rsp is above the slot
	call	body
	at	CALL_EXIT, call			// the same
	sub	$8, %rsp
	at	CALL_AGAIN, call
	mov	%rax, -8(%rsp)
	mov	%rcx, -16(%rsp)
	mov	%rdx, -24(%rsp)
	at	CALL_EXIT_RETRY, call
2:	mov	%gs:FCA_STRAND_SELF, %rdx
	at	CALL_EXIT_LOADED, call		// rdx, rcx, rax are not the function's from here on
	mov	FCA_STRAND_SHADOW(%rdx), %rcx
	cmp	8(%rcx), %rsp
	at	CALL_EXIT_CHECK, call		// a gate's: jmp
	jne	special_exit			// the top is not ours
	mov	FCA_STRAND_CURSOR(%rdx), %rax
	cmp	FCA_STRAND_LIMIT(%rdx), %rax
	at	CALL_EXIT_LIMIT, call
	jae	special_exit			// no room
	lea	8(%rax), %rcx
	cmpxchg	%rcx, FCA_STRAND_CURSOR(%rdx)
	at	CALL_EXIT_TRIED, call		// the word is reserved if ZF is set
	jne	2b
	mov	FCA_STRAND_SHADOW(%rdx), %rax
	mov	(%rax), %rax			// entry->ret
	subq	$16, FCA_STRAND_SHADOW(%rdx)
	at	CALL_EXIT_POPPED, call		// the shadow entry is gone, rax is the return address
	mov	%rax, (%rsp)
	at	CALL_EXIT_STORED, call		// the slot holds the return address
	rdtsc
	shl	$58, %rdx
	shl	$26, %rax
	lea	0x22222222(%rax,%rdx), %rdx
	at	CALL_EXIT_ID, call, 4
	mov	%rdx, -8(%rcx)			// the record
	at	CALL_EXIT_RECORDED, call
	mov	-8(%rsp), %rax
	mov	-16(%rsp), %rcx
	mov	-24(%rsp), %rdx
	ret
special_exit:
	at	CALL_SPECIAL_EXIT, call		// from the next instruction on rsp is lowered
	sub	$SPECIAL_LOWERS, %rsp			// the slot holds the exit's address
	at	CALL_SPECIAL_EXIT_LAST, call
	jmp	*pool + 8 * FCA_POOL_EXIT(%rip)
	at	CALL_POOL_EXIT, call, 4
	at	CALL_LOOPS, call
	.byte	0				// does it jump to its own start? Its watch
special_entry:
	cmpb	$0, FCA_STRAND_OFF(%rdx)
	jne	off				// nothing is recorded
	at	CALL_GATE, call, 1		// a gate's: 0, it goes on
	at	CALL_SPECIAL_ENTRY, call	// from the next instruction on rsp is lowered
	sub	$SPECIAL_LOWERS, %rsp
	lea	body(%rip), %rax
	jmp	*pool + 8 * FCA_POOL_ENTRY(%rip)
	at	CALL_POOL_ENTRY, call, 4
	at	CALL_OFF, call			// rsp is not lowered
off:	mov	-8(%rsp), %rax
	mov	-16(%rsp), %rcx
	mov	-24(%rsp), %rdx
	at	CALL_BODY, call
body:

// ---- of a function that is hooked at its entry only: ONLY_...

	.section .only, "ax"
	only_pool = only - 0x1000
only:	.byte	SWITCH_ON
	at	ONLY_SWITCH, only
	.long	only_body - (. + 4)
	at	ONLY_SWITCHED, only
	mov	%rax, -8(%rsp)
	mov	%rcx, -16(%rsp)
	mov	%rdx, -24(%rsp)
	at	ONLY_RETRY, only		// a jump to the agent, where its door does it all
1:	mov	%gs:FCA_STRAND_SELF, %rdx
	at	ONLY_LOADED, only		// rdx, rcx, rax are not the caller's from here on
	mov	FCA_STRAND_SHADOW(%rdx), %rcx
	cmp	8(%rcx), %rsp
	jae	special
	mov	FCA_STRAND_CURSOR(%rdx), %rax
	cmp	FCA_STRAND_LIMIT(%rdx), %rax
	at	ONLY_LIMIT, only		// one that is watched jumps always,
	jae	special
	at	ONLY_WATCH, only		// and has here, where it never comes, which watch
	cmp	FCA_STRAND_LOW(%rdx), %rsp
	jb	special
	lea	8(%rax), %rcx
	cmpxchg	%rcx, FCA_STRAND_CURSOR(%rdx)
	at	ONLY_TRIED, only		// the word is reserved if ZF is set
	jne	1b
	rdtsc
	shl	$58, %rdx
	shl	$26, %rax
	lea	0x11111111(%rax,%rdx), %rdx
	at	ONLY_ID, only, 4
	mov	%rdx, -8(%rcx)
	at	ONLY_RECORDED, only		// the record is written
	jmp	only_off			// the registers as they were, and on
special:
	cmpb	$0, FCA_STRAND_OFF(%rdx)
	jne	only_off			// nothing is recorded
	at	ONLY_GATE, only, 1		// a gate's: 0, it goes on
	at	ONLY_AGENT, only		// from the next instruction on rsp is lowered
	sub	$SPECIAL_LOWERS, %rsp
	lea	only_body(%rip), %rax
	jmp	*only_pool + 8 * FCA_POOL_ENTRY_ONLY(%rip)
	at	ONLY_POOL, only, 4
	at	ONLY_OFF, only			// rsp is not lowered
only_off:
	mov	-8(%rsp), %rax
	mov	-16(%rsp), %rcx
	mov	-24(%rsp), %rdx
	at	ONLY_BODY, only
only_body:

// ---- of a static probe, in the midst of a function: behind the code of ONLY_..., which this calls, its body
// ---- PROBE_..., then what gathers the probe's arguments (probe_x86_64.c), then FIRED_..., then the moved code
//
//   rsp of the program
//     the red zone
//     its flags
//     rax | the last argument's word | ... | the first one's
//     where the call returns to: for ONLY_... this is the slot

	.section .probe, "ax"
probe:	ret
	at	PROBE_TAIL, probe
	.word	0x1111				// from the stub's start to FIRED_...
	at	PROBE_BEGIN, probe		// here the jump from the probe comes
	lea	-PROBE_RED_ZONE(%rsp), %rsp
	at	PROBE_SKIPPED, probe
	pushfq
	at	PROBE_SAVED, probe
	cld					// the agent is compiled code (psABI 3.2.1)
	at	PROBE_FORWARD, probe
	lea	0x22222222(%rsp), %rsp
	at	PROBE_ROOM, probe, 4		// negative
	at	PROBE_LOWERED, probe
	mov	%rax, 0x33333333(%rsp)
	at	PROBE_RAX, probe, 4
	at	PROBE_FILL, probe

	.section .fired, "ax"
fired:	lea	0x11111111(%rsp), %rsp
	at	FIRED_ROOM, fired, 4
	at	FIRED_RAISED, fired
	popfq
	at	FIRED_RESTORED, fired
	lea	PROBE_RED_ZONE(%rsp), %rsp
	at	FIRED_DONE, fired
	.byte	0xe9; .long 0x22222222		// jmp to PROBE_BODY
	at	FIRED_TO_BODY, fired, 4
	at	FIRED_SIZE, fired

// ---- of a function whose calls are only counted: COUNT_...

	.section .count, "ax"
	count_pool = count - 0x1000
count:	mov	%rax, -8(%rsp)
	at	COUNT_READ, count
	mov	%gs:FCA_STRAND_COUNTS, %rax
	at	COUNT_LOADED, count		// rax is not the caller's from here on
	test	%rax, %rax
	jnz	found
	mov	%rcx, -16(%rsp)			// no counters yet: the agent
	mov	%rdx, -24(%rsp)
	at	COUNT_LOWERED, count		// from the next instruction on rsp is lowered
	sub	$SPECIAL_LOWERS, %rsp
	lea	count_body(%rip), %rax
	jmp	*count_pool + 8 * FCA_POOL_COUNT(%rip)
	at	COUNT_POOL, count, 4
	at	COUNT_FOUND, count		// rsp is not lowered
found:	incq	0x11111111(%rax)
	at	COUNT_AT, count, 4
	at	COUNT_DONE, count		// the call is counted
	mov	-8(%rsp), %rax
	at	COUNT_BODY, count
count_body:

// ---- of a function whose calls are counted by caller: EDGE_...

	.section .edge, "ax"
	edge_pool = edge - 0x1000
edge:	mov	%rax, -8(%rsp)
	mov	%rcx, -16(%rsp)
	mov	%rdx, -24(%rsp)
	at	EDGE_READ, edge
	mov	%gs:FCA_STRAND_COUNTS, %rax
	at	EDGE_LOADED, edge		// rdx, rcx, rax are not the caller's from here on
	mov	(%rsp), %rdx			// rdx = return address
	mov	%edx, %ecx
	xor	$0x22222222, %ecx		// fca_edge_index()
	at	EDGE_SCATTER, edge, 4
	and	$4 * (FCA_NR_EDGES - 1), %ecx
	lea	FCA_EDGES_HEAD(%rax,%rcx,4), %rcx	// rcx = where its entry would be
	test	%rax, %rax
	jnz	find
	at	EDGE_LOWERED, edge		// from the next instruction on rsp is lowered
agent:	sub	$SPECIAL_LOWERS, %rsp			// no table yet, no entry yet, or a full count
	lea	edge_body(%rip), %rax
	jmp	*edge_pool + 8 * FCA_POOL_EDGE(%rip)
	at	EDGE_POOL, edge, 4
	at	EDGE_NEXT, edge			// rsp is not lowered
next:	cmpq	$0, (%rcx)
	je	agent
	add	$16, %rcx
find:	cmp	%rdx, (%rcx)
	jne	next
	mov	8(%rcx), %eax
	xor	$0x11111111, %eax
	at	EDGE_ID, edge, 4
	shl	$32 - FCA_EDGE_CALLS, %eax	// what remains are the bits of the id
	jnz	next
	addq	$1 << FCA_EDGE_CALLS, 8(%rcx)
	at	EDGE_DONE, edge			// the call is counted
	js	agent
	mov	-8(%rsp), %rax
	mov	-16(%rsp), %rcx
	mov	-24(%rsp), %rdx
	at	EDGE_BODY, edge
edge_body:

// ---- behind the body of one that can be switched to counting: COUNTED_...

	.section .counted, "ax"
counted: mov	%rax, -8(%rsp)
	at	COUNTED_READ, counted
	mov	%gs:FCA_STRAND_COUNTS, %rax
	at	COUNTED_LOADED, counted
	test	%rax, %rax
	jz	none
	incq	0x11111111(%rax)
	at	COUNTED_AT, counted, 4
	at	COUNTED_DONE, counted
	mov	-8(%rsp), %rax
	.byte	0xe9; .long 0x33333333		// jmp body
	at	COUNTED_TO_BODY, counted, 4
	at	COUNTED_NONE, counted		// there are no counters yet
none:	mov	-8(%rsp), %rax			// the agent makes them
	.byte	0xe9; .long 0x22222222		// jmp to the stub behind its switch
	at	COUNTED_BACK, counted, 4
	at	COUNTED_SIZE, counted

// ---- behind the body of one whose values are asked for: its entry, or its exit, VALUES_...

	.section .values, "ax"
	values_pool = values - 0x1000
values:	mov	%rax, -8(%rsp)
	mov	%rcx, -16(%rsp)
	mov	%rdx, -24(%rsp)
	at	VALUES_LOWERED, values		// from the next instruction on rsp is lowered
	sub	$SPECIAL_LOWERS, %rsp
	lea	values_go(%rip), %rax
	jmp	*values_pool + 8 * FCA_POOL_VALUES(%rip)
	at	VALUES_POOL, values, 4
	at	VALUES_GO, values		// rsp is not lowered, all registers are as they were
values_go:
	mov	%rax, -8(%rsp)			// what the jump to here was written over
	.byte	0xe9; .long 0x11111111		// jmp to behind it
	at	VALUES_BACK, values, 4
	.balign	4, 0x90				// stubs begin at multiples of 8
	at	VALUES_FETCHES, values		// struct fca_fetches

// ---- of one whose values are in registers and on the stack: the agent is not needed. VALUED_..., CLAIMED_...,
// ---- then the code that takes them (capture_x86_64.c), then TAKEN_...; what is on the stack must be on the
// ---- page of the return address, else the agent looks whether it is there: SAME_PAGE_... is before CLAIMED_...
//
//   mark's head | its words: the values | record
//
// All of it is reserved at once; rcx is the end of it then, and rax is free.

	.section .valued, "ax"
valued:	mov	%rax, -8(%rsp)
	mov	%rcx, -16(%rsp)
	mov	%rdx, -24(%rsp)
	at	VALUED_RETRY, valued
	mov	%gs:FCA_STRAND_SELF, %rdx
	at	VALUED_LOADED, valued		// rdx, rcx, rax are not the caller's from here on
	mov	FCA_STRAND_SHADOW(%rdx), %rcx
	cmp	8(%rcx), %rsp
	.byte	0x0f, 0x83; .long 0x22222222	// jae: not below the top's slot
	at	VALUED_NESTS, valued, 4
	cmp	FCA_STRAND_LOW(%rdx), %rsp
	.byte	0x0f, 0x82; .long 0x33333333	// jb: not this strand's stack
	at	VALUED_LOW, valued, 4
	at	VALUED_SIZE, valued

	.section .same_page, "ax"
same_page:
	lea	0x11111111(%rsp), %rax		// the last byte
	at	SAME_PAGE_LAST, same_page, 4
	xor	%rsp, %rax
	cmp	$FCA_PAGE - 1, %rax
	.byte	0x0f, 0x87; .long 0x22222222	// ja: on another page
	at	SAME_PAGE_SLOW, same_page, 4
	at	SAME_PAGE_SIZE, same_page

	.section .claimed, "ax"
claimed:
	mov	FCA_STRAND_CURSOR(%rdx), %rax
	lea	0x11111111(%rax), %rcx
	at	CLAIMED_END, claimed, 4		// behind the record to be
	cmp	FCA_STRAND_LIMIT(%rdx), %rcx
	.byte	0x0f, 0x87; .long 0x44444444	// ja: no room in the ring, or off
	at	CLAIMED_ROOM, claimed, 4
	lea	0x55555555(%rax), %rcx
	at	CLAIMED_NEXT, claimed, 4
	cmpxchg	%rcx, FCA_STRAND_CURSOR(%rdx)
	at	CLAIMED_TRIED, claimed		// the words are reserved if ZF is set
	.byte	0x0f, 0x85; .long 0x22222222	// jne: a signal came between
	at	CLAIMED_RETRY, claimed, 4
	at	CLAIMED_SIZE, claimed

	.section .taken, "ax"
taken:	mov	FCA_STRAND_SHADOW(%rdx), %rax
	add	$16, %rax
1:	mov	%rsp, 8(%rax)
	mov	%rax, FCA_STRAND_SHADOW(%rdx)
	at	TAKEN_PUSHED, taken		// the shadow entry counts
	cmp	%rsp, 8(%rax)
	jne	1b
	addq	$0x33333333, FCA_STRAND_MARKED(%rdx)
	at	TAKEN_MARKED, taken, 4
	mov	(%rsp), %rdx
	mov	%rdx, (%rax)
	rdtsc
	shl	$58, %rdx
	shl	$26, %rax
	add	%rax, %rdx
	lea	0x44444444(%rdx), %rax
	at	TAKEN_HEAD_IS, taken, 4
	mov	%rax, 0x55555555(%rcx)		// the mark's head
	at	TAKEN_HEAD, taken, 4
	add	$0x66666666, %rdx
	at	TAKEN_ID, taken, 4
	mov	%rdx, -8(%rcx)			// the record
	at	TAKEN_RECORDED, taken
	mov	-8(%rsp), %rax
	mov	-16(%rsp), %rcx
	mov	-24(%rsp), %rdx
	.byte	0xe9; .long 0x77777777		// jmp to CALL_BEGIN
	at	TAKEN_BEGIN, taken, 4
	at	TAKEN_SLOW, taken
	cmpb	$0, FCA_STRAND_OFF(%rdx)	// the agent fetches them; unless nothing is recorded
	je	taken_values + VALUES_LOWERED
	mov	-8(%rsp), %rax
	mov	-16(%rsp), %rcx
	mov	-24(%rsp), %rdx
	jmp	taken_values + VALUES_GO
	at	TAKEN_SIZE, taken
taken_values:					// here comes the code of VALUES_...

// ---- the same of one that is hooked at its entry only: PASSED_... instead of TAKEN_...

	.section .passed, "ax"
passed:	addq	$0x33333333, FCA_STRAND_MARKED(%rdx)
	at	PASSED_MARKED, passed, 4
	rdtsc
	shl	$58, %rdx
	shl	$26, %rax
	add	%rax, %rdx
	lea	0x44444444(%rdx), %rax
	at	PASSED_HEAD_IS, passed, 4
	mov	%rax, 0x55555555(%rcx)		// the mark's head
	at	PASSED_HEAD, passed, 4
	add	$0x66666666, %rdx
	at	PASSED_ID, passed, 4
	mov	%rdx, -8(%rcx)			// the record
	at	PASSED_RECORDED, passed
	.byte	0xe9; .long 0x77777777		// jmp to ONLY_OFF: the registers as they were, and on
	at	PASSED_OFF, passed, 4
	at	PASSED_SLOW, passed
	cmpb	$0, FCA_STRAND_OFF(%rdx)	// as behind TAKEN_SLOW
	je	passed_values + VALUES_LOWERED
	mov	-8(%rsp), %rax
	mov	-16(%rsp), %rcx
	mov	-24(%rsp), %rdx
	jmp	passed_values + VALUES_GO
	at	PASSED_SIZE, passed
passed_values:

// ---- the same at its exit: EXITED_..., then what asks the agent all the same if the call has failed
// ---- (capture_x86_64.c), RESERVED_..., the code that takes them, LEFT_...

	.section .exited, "ax"
exited:	mov	%rax, -8(%rsp)
	mov	%rcx, -16(%rsp)
	mov	%rdx, -24(%rsp)
	at	EXITED_RETRY, exited
	mov	%gs:FCA_STRAND_SELF, %rdx
	at	EXITED_LOADED, exited		// rdx, rcx, rax are not the function's from here on
	mov	FCA_STRAND_SHADOW(%rdx), %rcx
	cmp	8(%rcx), %rsp
	.byte	0x0f, 0x85; .long 0x22222222	// jne: the top is not ours
	at	EXITED_NESTS, exited, 4
	at	EXITED_SIZE, exited

	.section .reserved, "ax"
reserved:
	mov	FCA_STRAND_CURSOR(%rdx), %rax
	lea	0x11111111(%rax), %rcx
	at	RESERVED_END, reserved, 4
	cmp	FCA_STRAND_LIMIT(%rdx), %rcx
	.byte	0x0f, 0x87; .long 0x33333333	// ja: no room
	at	RESERVED_ROOM, reserved, 4
	cmpxchg	%rcx, FCA_STRAND_CURSOR(%rdx)
	at	RESERVED_TRIED, reserved	// the words are reserved if ZF is set
	.byte	0x0f, 0x85; .long 0x22222222	// jne
	at	RESERVED_RETRY, reserved, 4
	at	RESERVED_SIZE, reserved

	.section .left, "ax"
left:	addq	$0x33333333, FCA_STRAND_MARKED(%rdx)
	at	LEFT_MARKED, left, 4
	mov	FCA_STRAND_SHADOW(%rdx), %rax
	mov	(%rax), %rax			// entry->ret
	subq	$16, FCA_STRAND_SHADOW(%rdx)
	at	LEFT_POPPED, left		// the shadow entry is gone, rax is the return address
	mov	%rax, (%rsp)
	at	LEFT_STORED, left		// the slot holds the return address
	rdtsc
	shl	$58, %rdx
	shl	$26, %rax
	add	%rax, %rdx
	lea	0x44444444(%rdx), %rax
	at	LEFT_HEAD_IS, left, 4
	mov	%rax, 0x55555555(%rcx)
	at	LEFT_HEAD, left, 4
	add	$0x66666666, %rdx
	at	LEFT_ID, left, 4
	mov	%rdx, -8(%rcx)
	at	LEFT_RECORDED, left
	mov	-8(%rsp), %rax
	mov	-16(%rsp), %rcx
	mov	-24(%rsp), %rdx
	ret
	at	LEFT_SIZE, left			// here comes the code of VALUES_...

// ---- a detour, where %gs is the program's: the strand by the table of threads

	.set	DETOUR_SIZE, 80
	.section .strand_detour, "ax"
strand_detour:
	rdfsbase %rax
	mov	%rax, %rcx			// fca_thread_index()
	shr	$12, %rcx
	imul	$FCA_THREAD_FACTOR - 0x100000000, %ecx, %ecx
	shr	$32 - FCA_NR_THREADS_LOG2, %ecx
	movabs	$0x1122334455667788, %rdx
	at	STRAND_DETOUR_TABLE, strand_detour, 8
	mov	(%rdx, %rcx, 8), %rdx
	cmp	%rax, FCA_STRAND_THREAD(%rdx)
	.byte	0x0f, 0x85; .long 0x11111111	// jne: the agent is asked
	at	STRAND_DETOUR_AGENT, strand_detour, 4
	at	STRAND_DETOUR_BACK, strand_detour
	.byte	0xe9; .long 0x22222222

// ---- the same for a stub that counts: its counters in rax, 0 if there are none

	.set	COUNTS_DETOUR_FIRST, 0x48	// its first byte; another one's is another
	.section .counts_detour, "ax"
counts_detour:
	mov	%rcx, -16(%rsp)
	mov	%rdx, -24(%rsp)
	at	COUNTS_DETOUR_SAVED, counts_detour
	rdfsbase %rax
	mov	%rax, %rcx			// fca_thread_index()
	shr	$12, %rcx
	imul	$FCA_THREAD_FACTOR - 0x100000000, %ecx, %ecx
	shr	$32 - FCA_NR_THREADS_LOG2, %ecx
	movabs	$0x1122334455667788, %rdx
	at	COUNTS_DETOUR_TABLE, counts_detour, 8
	mov	(%rdx, %rcx, 8), %rdx
	xor	%ecx, %ecx
	cmp	%rax, FCA_STRAND_THREAD(%rdx)
	mov	FCA_STRAND_COUNTS(%rdx), %rax
	cmovne	%rcx, %rax
	mov	-16(%rsp), %rcx
	mov	-24(%rsp), %rdx
	at	COUNTS_DETOUR_BACK, counts_detour
	.byte	0xe9; .long 0x22222222

// ---- in place of a read of counters, where each call asks the agent: none

	.section .no_counts, "ax"
	xor	%eax, %eax
	.byte	0x0f, 0x1f, 0x80; .long 0	// nop
