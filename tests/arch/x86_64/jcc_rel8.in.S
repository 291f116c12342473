// SPDX-License-Identifier: Apache-2.0
// A short conditional jump becomes a long one.
// func 0x401000 body 0x501000
// window 0 5
	test	%rdi, %rdi
	je	1f
	xor	%eax, %eax
1:
	ret
