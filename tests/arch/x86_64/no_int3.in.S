// SPDX-License-Identifier: Apache-2.0
// A breakpoint is looked up by its address.
// func 0x401000 body 0x501000
// refused starts with a breakpoint
	int3
	.nops	8
	ret
