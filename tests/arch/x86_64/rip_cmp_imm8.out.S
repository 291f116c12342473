// SPDX-License-Identifier: Apache-2.0
// A short immediate follows the displacement.
	cmpb	$0x12, data(%rip)
	jmp	0x401007
