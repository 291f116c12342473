// SPDX-License-Identifier: Apache-2.0
// A jump back to the start is a loop, not a call: it stays in the body.
// func 0x401000 body 0x501000
// window 0 5
1:
	dec	%rdi
	jne	1b
	ret
