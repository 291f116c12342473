// SPDX-License-Identifier: Apache-2.0
// The displacement is not at the end: an immediate follows it.
	cmpl	$0x12345678, data(%rip)
	jmp	0x40100a
