// SPDX-License-Identifier: Apache-2.0
// What follows ud2 runs only if a handler of SIGILL goes on there.
// func 0x401000 body 0x501000
// window 0 2 ends
// next 0x401010
	ud2
	.nops	14
