// SPDX-License-Identifier: Apache-2.0
// A call through a pointer.
	push	$0x401006
	jmp	*data(%rip)
	jmp	0x401006
