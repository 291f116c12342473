// SPDX-License-Identifier: Apache-2.0
// A call through a register.
	mov	%rdi, %rax
	push	$0x401005
	jmp	*%rax
	jmp	0x401005
