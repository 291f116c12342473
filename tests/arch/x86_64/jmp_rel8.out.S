// SPDX-License-Identifier: Apache-2.0
// A function that is a short jump, and padding.
	{disp32}	jmp 0x401010
