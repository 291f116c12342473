// SPDX-License-Identifier: Apache-2.0
// An instruction of 15 bytes; the first four bytes of the window are shorter ones.
// func 0x401000 body 0x501000
// window 0 19
	push	%rbp
	push	%rbx
	push	%rcx
	push	%rdx
	.byte	0x66,0x66,0x66,0x66,0x66,0x66,0x2e,0x0f,0x1f,0x84,0x00,0,0,0,0
	ret
