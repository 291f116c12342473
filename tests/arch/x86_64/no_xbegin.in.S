// SPDX-License-Identifier: Apache-2.0
// A transaction has a way back of its own.
// func 0x401000 body 0x501000
// refused starts a transaction
	xbegin	1f
	.nops	8
1:
	ret
