// SPDX-License-Identifier: Apache-2.0
// A long conditional jump.
	test	%rdi, %rdi
	jae	0x402000
	jmp	0x401009
