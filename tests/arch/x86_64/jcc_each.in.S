// SPDX-License-Identifier: Apache-2.0
// Every condition is kept.
// func 0x401000 body 0x501000
// window 0 6
	jg	1f
	jp	1f
	jno	1f
	.skip	10, 0x90
1:
	ret
