// SPDX-License-Identifier: Apache-2.0
// A VEX instruction with a rip-relative operand and an immediate.
// func 0x401000 body 0x501000
// data 0x404040
// window 0 10
	vpalignr	$3, data(%rip), %xmm1, %xmm2
	ret
