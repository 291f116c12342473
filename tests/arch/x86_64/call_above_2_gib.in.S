// SPDX-License-Identifier: Apache-2.0
// The same where a push would extend the sign.
// func 0x90401000 body 0x90501000
// window 0 5
	call	0x90402000
	ret
