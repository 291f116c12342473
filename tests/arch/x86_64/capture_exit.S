// SPDX-License-Identifier: Apache-2.0
// What looks whether the call has failed, and what takes its result (test_arch_capture.c). The witness for
// capture_x86_64.c. Jumps lead to the agent: they are 0 here.
	.set	SIZE, 8 * 6
	mov	-8(%rsp), %rax
	cmp	$-1, %rax
	.byte	0x0f, 0x84; .long 0		// je
	test	%rax, %rax
	.byte	0x0f, 0x84; .long 0
taken:	.byte	0x48, 0xc7, 0x81; .long 8 - SIZE, 0x247 << 4 | 8	// movq
	.byte	0x48, 0xc7, 0x81; .long 8 * 4 - SIZE, 8
	mov	-8(%rsp), %rax
	shl	$4, %rax
	or	$8, %rax
	.byte	0x48, 0x89, 0x81; .long 8 * 2 - SIZE
	mov	-8(%rsp), %rax
	shr	$60, %rax
	shl	$8, %rax
	.byte	0x48, 0x09, 0x81; .long 8 * 4 - SIZE
	.byte	0x48, 0xc7, 0x81; .long 8 * 3 - SIZE, 1 << 20 | 8	// there is none
