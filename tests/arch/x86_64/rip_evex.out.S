// SPDX-License-Identifier: Apache-2.0
// An EVEX instruction with a rip-relative operand: its displacement is not scaled.
	vmovdqu64	data(%rip), %zmm17
	jmp	0x40100a
