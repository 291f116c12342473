// SPDX-License-Identifier: Apache-2.0
// The displacement is not at the end: an immediate follows it.
// func 0x401000 body 0x501000
// data 0x404010
// window 0 10
	cmpl	$0x12345678, data(%rip)
	ret
