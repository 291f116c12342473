// SPDX-License-Identifier: Apache-2.0
// A function that is a short jump, and padding.
// func 0x401000 body 0x501000
// window 0 2 ends
// next 0x401010
	jmp	1f
	.p2align	4
1:
	ret
