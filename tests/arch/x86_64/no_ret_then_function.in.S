// SPDX-License-Identifier: Apache-2.0
// A short function with another right behind it.
// func 0x401000 body 0x501000
// next 0x401003
// refused too short: the next function starts within 5 bytes
	xor	%eax, %eax
	ret
	ret
	.nops	12
