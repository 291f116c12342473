// SPDX-License-Identifier: Apache-2.0
// An EVEX instruction with a rip-relative operand: its displacement is not scaled.
// func 0x401000 body 0x501000
// data 0x404040
// window 0 10
	vmovdqu64	data(%rip), %zmm17
	ret
