// SPDX-License-Identifier: Apache-2.0
// An endbr64 stays in place: indirect calls land on it.
// func 0x401000 body 0x501000
// window 4 7
	endbr64
	sub	$0x128, %rsp
	nop
	ret
