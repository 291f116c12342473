// The stub of a function that is hooked at entry and exit; the witness for stub_x86_64.c.
// Placeholders: record heads 0x11111111 and 0x22222222, ring mask 0x33333333.
#include "agent/abi.h"
pool = stub - 0x1000
stub:	push	%rax
	push	%rcx
	push	%rdx
	mov	%gs:FCA_GS_SHADOW, %rdx		// rdx = top shadow entry
	lea	24(%rsp), %rax			// rax = slot
	cmp	8(%rdx), %rax
	.byte 0x0f, 0x83; .long special_entry - (.+4)	// jae: at or above the top's slot
1:	mov	%gs:FCA_GS_CURSOR, %rcx
	cmp	%gs:FCA_GS_LIMIT, %rcx
	.byte 0x0f, 0x83; .long special_entry - (.+4)	// jae
	cmp	%gs:FCA_GS_LOW, %rsp
	.byte 0x0f, 0x82; .long special_entry - (.+4)	// jb: not this strand's stack
	rdtsc
	shl	$58, %rdx
	shl	$26, %rax
	lea	0x11111111(%rax,%rdx), %rdx	// rdx = record
	mov	%rcx, %rax
	inc	%rcx
	cmpxchg	%rcx, %gs:FCA_GS_CURSOR
	jne	1b				// a signal came between
	and	$0x33333333, %eax
	mov	%gs:FCA_GS_RING, %rcx
	mov	%rdx, (%rcx,%rax,8)
	addq	$16, %gs:FCA_GS_SHADOW
	mov	%gs:FCA_GS_SHADOW, %rcx
	mov	24(%rsp), %rax
	mov	%rax, (%rcx)			// entry->ret
	lea	24(%rsp), %rax
	mov	%rax, 8(%rcx)			// entry->slot
	pop	%rdx
	pop	%rcx
	pop	%rax
	lea	8(%rsp), %rsp
	call	body
exit:	push	%rax
	push	%rcx
	push	%rdx
	mov	%gs:FCA_GS_SHADOW, %rdx
	lea	16(%rsp), %rax			// rax = slot
	cmp	8(%rdx), %rax
	.byte 0x0f, 0x85; .long special_exit - (.+4)	// jne
2:	mov	%gs:FCA_GS_CURSOR, %rcx
	cmp	%gs:FCA_GS_LIMIT, %rcx
	.byte 0x0f, 0x83; .long special_exit - (.+4)	// jae
	rdtsc
	shl	$58, %rdx
	shl	$26, %rax
	lea	0x22222222(%rax,%rdx), %rdx
	mov	%rcx, %rax
	inc	%rcx
	cmpxchg	%rcx, %gs:FCA_GS_CURSOR
	jne	2b
	and	$0x33333333, %eax
	mov	%gs:FCA_GS_RING, %rcx
	mov	%rdx, (%rcx,%rax,8)
	mov	%gs:FCA_GS_SHADOW, %rcx
	mov	(%rcx), %rcx			// the true return address
	subq	$16, %gs:FCA_GS_SHADOW
	mov	16(%rsp), %rax
	mov	%rcx, 16(%rsp)
	pop	%rdx
	pop	%rcx
	ret
special_exit:
	lea	exit(%rip), %rax
	jmp	*pool + 8 * FCA_POOL_EXIT(%rip)
special_entry:
	lea	body(%rip), %rax
	jmp	*pool + 8 * FCA_POOL_ENTRY(%rip)
body:
