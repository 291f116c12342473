// SPDX-License-Identifier: Apache-2.0
// The same where a push would extend the sign.
	push	$-0x6fbfeffb
	movl	$0, 4(%rsp)
	jmp	0x90402000
	jmp	0x90401005
