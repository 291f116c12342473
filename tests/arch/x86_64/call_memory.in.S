// SPDX-License-Identifier: Apache-2.0
// A call through a pointer.
// func 0x401000 body 0x501000
// data 0x404000
// window 0 6
	call	*data(%rip)
	ret
