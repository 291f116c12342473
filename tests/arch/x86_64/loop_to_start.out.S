// SPDX-License-Identifier: Apache-2.0
// A jump back to the start is a loop, not a call: it stays in the body.
1:
	dec	%rdi
	{disp32}	jne 1b
	jmp	0x401005
