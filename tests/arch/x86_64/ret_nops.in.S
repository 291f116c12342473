// SPDX-License-Identifier: Apache-2.0
// The shortest function, and nops behind it.
// func 0x401000 body 0x501000
// window 0 1 ends
// next 0x401010
	ret
	.nops	15
