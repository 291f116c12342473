// SPDX-License-Identifier: Apache-2.0
// A call that returns into the bytes that are overwritten.
// func 0x401000 body 0x501000
// refused returns into its first 5 bytes
	call	*%rax
	ret
	.nops	8
