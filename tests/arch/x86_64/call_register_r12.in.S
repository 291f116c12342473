// SPDX-License-Identifier: Apache-2.0
// A call through memory at r12, whose encoding is like that of rsp.
// func 0x401000 body 0x501000
// window 0 5
	call	*8(%r12)
	ret
