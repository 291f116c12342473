// SPDX-License-Identifier: Apache-2.0
// A call through memory at r12, whose encoding is like that of rsp.
	push	$0x401005
	jmp	*8(%r12)
	jmp	0x401005
