// SPDX-License-Identifier: Apache-2.0
// The same at an address that a push of 32 bits cannot hold.
	sub	$8, %rsp
	push	$0x401009
	movl	$0x7f00, 4(%rsp)
	jmp	0x7f0000402000
	jmp	0x7f0000401009
