// SPDX-License-Identifier: Apache-2.0
// A short conditional jump becomes a long one.
	test	%rdi, %rdi
	{disp32}	je 0x401007
	jmp	0x401005
