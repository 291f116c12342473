// SPDX-License-Identifier: Apache-2.0
// A call through a register.
// func 0x401000 body 0x501000
// window 0 5
	mov	%rdi, %rax
	call	*%rax
	ret
