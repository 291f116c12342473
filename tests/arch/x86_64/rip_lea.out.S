// SPDX-License-Identifier: Apache-2.0
// lea of a nearby address.
	lea	data(%rip), %r11
	jmp	0x401007
