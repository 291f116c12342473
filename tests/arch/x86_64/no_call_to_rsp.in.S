// SPDX-License-Identifier: Apache-2.0
// A call to the address in rsp, which the push changes.
// func 0x401000 body 0x501000
// refused starts with a call through the stack
	mov	%rdi, %rsp
	call	*%rsp
	ret
	.nops	8
