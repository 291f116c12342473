// SPDX-License-Identifier: Apache-2.0
// lea of the next address, as position independent code once did it.
	lea	data(%rip), %rbx
	jmp	0x401007
