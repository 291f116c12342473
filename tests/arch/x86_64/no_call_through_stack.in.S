// SPDX-License-Identifier: Apache-2.0
// A call through the stack reads it where the push has moved it.
// func 0x401000 body 0x501000
// refused starts with a call through the stack
	call	*8(%rsp)
	ret
	.nops	8
