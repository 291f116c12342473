// SPDX-License-Identifier: Apache-2.0
// An operand that is out of reach from the stub.
// func 0x401000 body 0x7f0000000000
// data 0x404000
// window 0 7
// far
	mov	data(%rip), %rax
	ret
