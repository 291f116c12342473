// SPDX-License-Identifier: Apache-2.0
// Code that nobody declared a function right behind it.
// func 0x401000 body 0x501000
// next 0x401010
// refused too short: no padding behind it
	ret
	mov	%rdi, %rax
	ret
	.nops	8
