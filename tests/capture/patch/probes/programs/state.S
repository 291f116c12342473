/* SPDX-License-Identifier: Apache-2.0 */
/*
 * state.S - what must be at a probe as it was: the flags, all registers, the red zone. Returns what was wrong, as
 * bits: 1 a flag, 2 a register, 4 the red zone, 8 rsp.
 */
	.macro	probe name, args=""
990:	nop
	.pushsection .note.stapsdt, "?", "note"
	.balign 4
	.4byte	2f - 1f, 4f - 3f, 3
1:	.asciz	"stapsdt"
2:	.balign 4
3:	.8byte	990b, 0, 0
	.asciz	"state"
	.asciz	"\name"
	.asciz	"\args"
4:	.balign 4
	.popsection
	.endm

	.text
	.globl	check
	.type	check, @function
check:
	.cfi_startproc
	push	%rbx
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset rbx, 0
	push	%rbp
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset rbp, 0
	push	%r12
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset r12, 0
	push	%r13
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset r13, 0
	push	%r14
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset r14, 0
	push	%r15
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset r15, 0
	mov	%rdi, %rbx
	mov	%rsp, %rbp
	movq	$0x1234, -8(%rsp)
	movq	$0x5678, -128(%rsp)
	mov	$1, %eax
	mov	$2, %ecx
	mov	$3, %edx
	mov	$4, %esi
	mov	$5, %edi
	mov	$8, %r8d
	mov	$9, %r9d
	mov	$10, %r10d
	mov	$11, %r11d
	mov	$12, %r12d
	mov	$13, %r13d
	mov	$14, %r14d
	mov	$15, %r15d
	xor	%ebx, %ebx
	std
	stc
	probe	carry, "-4@%eax -4@%ecx -4@%edx -4@%esi -4@%edi -4@%r8d -4@%r9d -4@%r12d -4@%r15d 8@-8(%rsp) 8@-128(%rsp)"
	jc	5f
	or	$1, %ebx
5:	cld
	cmp	$1, %eax
	probe	equal, "-8@$-5 8@%rsp"
	je	6f
	or	$1, %ebx
6:	cmp	$2, %eax
	probe	below, "8@%rbp -4@%eax 8@-8(%rbp,%rax,8)"
	jl	7f
	or	$1, %ebx
7:	cmpq	$0x1234, -8(%rsp)
	jne	8f
	cmpq	$0x5678, -128(%rsp)
	je	9f
8:	or	$4, %ebx
9:	cmp	%rsp, %rbp
	je	10f
	or	$8, %ebx
10:	probe	empty
	lea	(%rax,%rcx), %rax
	add	%rdx, %rax
	add	%rsi, %rax
	add	%rdi, %rax
	add	%r8, %rax
	add	%r9, %rax
	add	%r10, %rax
	add	%r11, %rax
	add	%r12, %rax
	add	%r13, %rax
	add	%r14, %rax
	add	%r15, %rax
	cmp	$107, %rax
	je	11f
	or	$2, %ebx
11:	mov	%ebx, %eax
	pop	%r15
	.cfi_adjust_cfa_offset -8
	.cfi_restore r15
	pop	%r14
	.cfi_adjust_cfa_offset -8
	.cfi_restore r14
	pop	%r13
	.cfi_adjust_cfa_offset -8
	.cfi_restore r13
	pop	%r12
	.cfi_adjust_cfa_offset -8
	.cfi_restore r12
	pop	%rbp
	.cfi_adjust_cfa_offset -8
	.cfi_restore rbp
	pop	%rbx
	.cfi_adjust_cfa_offset -8
	.cfi_restore rbx
	ret
	.cfi_endproc
	.size	check, . - check
	.section .note.GNU-stack, "", @progbits
