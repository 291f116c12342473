// SPDX-License-Identifier: Apache-2.0
// Prefixes of a branch (bnd, branch hints) are dropped with its short form.
	{disp32}	je 0x401008
	{disp32}	jne 0x401008
	jmp	0x401006
