// SPDX-License-Identifier: Apache-2.0
// jrcxz cannot be widened.
// func 0x401000 body 0x501000
// refused starts with loop or jrcxz
	jrcxz	1f
	.nops	8
1:
	ret
