// The stub of a function that is hooked at its entry only; the witness for stub_x86_64.c.
// Placeholders: record head 0x11111111, ring mask 0x33333333.
#include "agent/abi.h"
pool = stub - 0x1000
stub:	push	%rax
	push	%rcx
	push	%rdx
	mov	%gs:FCA_GS_SHADOW, %rdx
	lea	24(%rsp), %rax
	cmp	8(%rdx), %rax
	.byte 0x0f, 0x83; .long special - (.+4)
1:	mov	%gs:FCA_GS_CURSOR, %rcx
	cmp	%gs:FCA_GS_LIMIT, %rcx
	.byte 0x0f, 0x83; .long special - (.+4)
	cmp	%gs:FCA_GS_LOW, %rsp
	.byte 0x0f, 0x82; .long special - (.+4)
	rdtsc
	shl	$58, %rdx
	shl	$26, %rax
	lea	0x11111111(%rax,%rdx), %rdx
	mov	%rcx, %rax
	inc	%rcx
	cmpxchg	%rcx, %gs:FCA_GS_CURSOR
	jne	1b
	and	$0x33333333, %eax
	mov	%gs:FCA_GS_RING, %rcx
	mov	%rdx, (%rcx,%rax,8)
	pop	%rdx
	pop	%rcx
	pop	%rax
	jmp	body
special:
	lea	body(%rip), %rax
	jmp	*pool + 8 * FCA_POOL_ENTRY_ONLY(%rip)
body:
