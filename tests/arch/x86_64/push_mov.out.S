// SPDX-License-Identifier: Apache-2.0
// A plain prologue moves as it is; the jump back leads behind it.
	push	%rbp
	mov	%rsp, %rbp
	sub	$0x20, %rsp
	jmp	0x401008
