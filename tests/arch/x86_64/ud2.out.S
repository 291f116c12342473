// SPDX-License-Identifier: Apache-2.0
// What follows ud2 runs only if a handler of SIGILL goes on there.
	ud2
	jmp	0x401002
