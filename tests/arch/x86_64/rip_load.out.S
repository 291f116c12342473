// SPDX-License-Identifier: Apache-2.0
// A rip-relative load names the same address from elsewhere.
	mov	data(%rip), %rax
	jmp	0x401007
