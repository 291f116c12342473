// SPDX-License-Identifier: Apache-2.0
// Every condition is kept.
	{disp32}	jg 0x401010
	{disp32}	jp 0x401010
	{disp32}	jno 0x401010
	jmp	0x401006
