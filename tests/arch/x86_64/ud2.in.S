// SPDX-License-Identifier: Apache-2.0
// What follows ud2 never runs.
// func 0x401000 body 0x501000
// window 0 2 ends
// next 0x401010
	ud2
	.nops	14
