// SPDX-License-Identifier: Apache-2.0
// Prefixes of a branch (bnd, branch hints) are dropped with its short form.
// func 0x401000 body 0x501000
// window 0 6
	.byte	0x3e, 0x74, 0x05
	.byte	0x3e, 0x75, 0x02
	nop
	nop
	ret
