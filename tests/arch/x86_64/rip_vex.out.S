// SPDX-License-Identifier: Apache-2.0
// A VEX instruction with a rip-relative operand and an immediate.
	vpalignr	$3, data(%rip), %xmm1, %xmm2
	jmp	0x40100a
