// SPDX-License-Identifier: Apache-2.0
// A long conditional jump.
// func 0x401000 body 0x501000
// window 0 9
	test	%rdi, %rdi
	jae	0x402000
	xor	%eax, %eax
	ret
