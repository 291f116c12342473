// SPDX-License-Identifier: Apache-2.0
// The way back is out of reach.
// func 0x401000 body 0x7f0000000000
// window 0 8
// far
	push	%rbp
	mov	%rsp, %rbp
	sub	$0x20, %rsp
	ret
