// SPDX-License-Identifier: Apache-2.0
// An endbr64 stays in place: indirect calls land on it.
	sub	$0x128, %rsp
	jmp	0x40100b
