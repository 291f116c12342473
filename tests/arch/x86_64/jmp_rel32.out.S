// SPDX-License-Identifier: Apache-2.0
// A function that is a jump: nothing falls through.
	jmp	0x402000
