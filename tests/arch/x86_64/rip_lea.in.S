// SPDX-License-Identifier: Apache-2.0
// lea of a nearby address.
// func 0x401000 body 0x501000
// data 0x300000
// window 0 7
	lea	data(%rip), %r11
	ret
