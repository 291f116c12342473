// SPDX-License-Identifier: Apache-2.0
// A rip-relative load names the same address from elsewhere.
// func 0x401000 body 0x501000
// data 0x404000
// window 0 7
	mov	data(%rip), %rax
	ret
