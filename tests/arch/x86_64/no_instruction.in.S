// SPDX-License-Identifier: Apache-2.0
// Bytes that are no instruction.
// func 0x401000 body 0x501000
// refused starts with bytes that are no instruction
	.byte	0x06, 0x06, 0x06, 0x06, 0x06, 0x06
