// SPDX-License-Identifier: Apache-2.0
// A far branch.
// func 0x401000 body 0x501000
// refused starts with a far branch
	ljmp	*(%rdi)
	.nops	8
