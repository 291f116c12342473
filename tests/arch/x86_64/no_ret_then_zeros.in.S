// SPDX-License-Identifier: Apache-2.0
// Zeros behind a function may be data of its.
// func 0x401000 body 0x501000
// next 0x401010
// refused too short: no padding behind it
	ret
	.skip	15, 0
