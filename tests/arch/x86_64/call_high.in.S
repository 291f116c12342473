// SPDX-License-Identifier: Apache-2.0
// The same at an address that a push of 32 bits cannot hold.
// func 0x7f0000401000 body 0x7f0000501000
// window 0 9
	sub	$8, %rsp
	call	0x7f0000402000
	add	$8, %rsp
	ret
