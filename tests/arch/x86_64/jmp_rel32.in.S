// SPDX-License-Identifier: Apache-2.0
// A function that is a jump: nothing falls through.
// func 0x401000 body 0x501000
// window 0 5 ends
	jmp	0x402000
