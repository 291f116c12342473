// SPDX-License-Identifier: Apache-2.0
// loop cannot be widened.
// func 0x401000 body 0x501000
// refused starts with loop or jrcxz
1:
	dec	%eax
	loop	1b
	.nops	8
