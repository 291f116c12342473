// SPDX-License-Identifier: Apache-2.0
// A jump through a pointer: nothing falls through.
	jmp	*data(%rip)
