// SPDX-License-Identifier: Apache-2.0
// What takes these values at an entry (test_arch_capture.c), of 12 with the format: 15 words with the
// mark's head, the upper bits and the record. The witness for capture_x86_64.c.
	.set	SIZE, 8 * 15
	.set	FORMAT, 0x246

.macro	value i				// its lower 60 bits
	shl	$4, %rax
	or	$8, %rax
	.byte	0x48, 0x89, 0x81; .long 8 * (1 + \i) - SIZE	// mov %rax,...(%rcx)
.endm
.macro	upper i				// the others, to the word behind all values
	shr	$60, %rax
	shl	$(4 * (\i + 1)), %rax
	.byte	0x48, 0x09, 0x81; .long 8 * 13 - SIZE		// or %rax,...(%rcx)
.endm
.macro	constant i, number
	.byte	0x48, 0xc7, 0x81; .long 8 * (1 + \i) - SIZE, \number	// movq
.endm

	.globl	taken
	.byte	0x48, 0x8d, 0x84, 0x24; .long 15	// lea 15(%rsp), %rax: the last byte on the stack
	xor	%rsp, %rax
	cmp	$4095, %rax
	.byte	0x0f, 0x87; .long 0		// ja: not on the page of the return address
taken:						// what reserves the words stands here
	constant 0, FORMAT << 4 | 8
	constant 12, 8
	mov	%rdi, %rax
	value	1
	mov	%rdi, %rax
	upper	1
	mov	%rsi, %rax
	mov	%eax, %eax
	value	2
	mov	-24(%rsp), %rax			// rdx
	movzwl	%ax, %eax
	value	3
	mov	-16(%rsp), %rax			// rcx
	movzbl	%al, %eax
	value	4
	mov	%r8, %rax
	value	5
	mov	%r8, %rax
	upper	5
	mov	%r9, %rax
	mov	%eax, %eax
	value	6
	mov	%r10, %rax
	mov	%eax, %eax
	value	7
	mov	-8(%rsp), %rax			// rax
	value	8
	mov	-8(%rsp), %rax
	upper	8
	.byte	0x48, 0x8b, 0x84, 0x24; .long 8	// mov 8(%rsp),%rax
	value	9
	.byte	0x48, 0x8b, 0x84, 0x24; .long 8
	upper	9
	movq	%xmm0, %rax
	value	10
	movq	%xmm0, %rax
	upper	10
	movq	%xmm7, %rax
	mov	%eax, %eax
	value	11
