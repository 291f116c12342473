// SPDX-License-Identifier: Apache-2.0
// A short immediate follows the displacement.
// func 0x401000 body 0x501000
// data 0x404010
// window 0 7
	cmpb	$0x12, data(%rip)
	ret
