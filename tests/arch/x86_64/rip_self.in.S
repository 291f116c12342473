// SPDX-License-Identifier: Apache-2.0
// lea of the next address, as position independent code once did it.
// func 0x401000 body 0x501000
// data 0x401007
// window 0 7
	lea	1f(%rip), %rbx
1:
	ret
