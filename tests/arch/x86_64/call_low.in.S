// SPDX-License-Identifier: Apache-2.0
// A call ends the window: what is pushed is the original return address.
// func 0x401000 body 0x501000
// window 0 9
	sub	$8, %rsp
	call	0x402000
	add	$8, %rsp
	ret
