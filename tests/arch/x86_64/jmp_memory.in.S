// SPDX-License-Identifier: Apache-2.0
// A jump through a pointer: nothing falls through.
// func 0x401000 body 0x501000
// data 0x404000
// window 0 6 ends
	jmp	*data(%rip)
