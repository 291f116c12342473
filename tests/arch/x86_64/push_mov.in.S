// SPDX-License-Identifier: Apache-2.0
// A plain prologue moves as it is; the jump back leads behind it.
// func 0x401000 body 0x501000
// window 0 8
	push	%rbp
	mov	%rsp, %rbp
	sub	$0x20, %rsp
	leave
	ret
