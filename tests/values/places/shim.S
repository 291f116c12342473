// SPDX-License-Identifier: Apache-2.0
//
// Each function f_N of a generated program is a shim: it stores all registers as they are at the
// entry, calls on_entry(), and goes on to the true function, r_N, with another return address. There
// the same is done for on_return(). Nothing here is shared with a tracer's stubs.
//
// VECTOR is the number of bytes of a vector register that are stored: 16, 32 or 64.

#if VECTOR == 64
#define MOVE vmovups
#define REG(n) %zmm##n
#elif VECTOR == 32
#define MOVE vmovups
#define REG(n) %ymm##n
#else
#define MOVE movups
#define REG(n) %xmm##n
#endif

#define OUT(n) MOVE REG(n), frame + 128 + n * 64(%rip)
#define IN(n) MOVE frame + 128 + n * 64(%rip), REG(n)

	.text
// r11: the true function
shim_entry:
	mov	%r11, target(%rip)
	mov	%rax, frame + 0(%rip)
	mov	%rdx, frame + 8(%rip)
	mov	%rcx, frame + 16(%rip)
	mov	%rbx, frame + 24(%rip)
	mov	%rsi, frame + 32(%rip)
	mov	%rdi, frame + 40(%rip)
	mov	%rbp, frame + 48(%rip)
	mov	%rsp, frame + 56(%rip)
	mov	%r8, frame + 64(%rip)
	mov	%r9, frame + 72(%rip)
	mov	%r10, frame + 80(%rip)
	OUT(0); OUT(1); OUT(2); OUT(3); OUT(4); OUT(5); OUT(6); OUT(7)
	and	$-64, %rsp
	call	on_entry
	IN(0); IN(1); IN(2); IN(3); IN(4); IN(5); IN(6); IN(7)
	mov	frame + 0(%rip), %rax
	mov	frame + 8(%rip), %rdx
	mov	frame + 16(%rip), %rcx
	mov	frame + 32(%rip), %rsi
	mov	frame + 40(%rip), %rdi
	mov	frame + 56(%rip), %rsp
	mov	frame + 64(%rip), %r8
	mov	frame + 72(%rip), %r9
	mov	frame + 80(%rip), %r10
	pop	returns_to(%rip)
	lea	shim_return(%rip), %r11
	push	%r11
	jmp	*target(%rip)

shim_return:
	mov	%rax, frame + 0(%rip)
	mov	%rdx, frame + 8(%rip)
	mov	%rsp, frame + 56(%rip)
	OUT(0); OUT(1)
	fxsave64 x87(%rip)
	fninit
	and	$-64, %rsp
	call	on_return
	fxrstor64 x87(%rip)
	IN(0); IN(1)
	mov	frame + 0(%rip), %rax
	mov	frame + 8(%rip), %rdx
	mov	frame + 56(%rip), %rsp
	jmp	*returns_to(%rip)

#define SHIM(n) .globl f_##n; f_##n: movl $n, which(%rip); lea r_##n(%rip), %r11; jmp shim_entry
#include "shims.h"

	.bss
	.balign 64
	.globl	frame, x87, which
frame:	.skip	128 + 8 * 64
x87:	.skip	512
target:	.skip	8
returns_to: .skip 8
which:	.skip	4

	.section .note.GNU-stack, "", @progbits
