// SPDX-License-Identifier: Apache-2.0
// Waiting outside: who looks where threads stand knows those that wait by their address.
#include "capture/agent/abi.h"

	.text

// void agent_wait_outside(void)	as long as the controller lives, and is_closing is set
	.globl	agent_wait_outside, agent_wait_end
agent_wait_outside:
	cmpl	$0, agent_config+FCA_CONFIG_CLOSING(%rip)
	je	1f
	mov	agent_config(%rip), %rax	// struct fca_arena, and its keeper
	mov	(%rax), %eax
	test	%eax, %eax
	jz	1f
	test	$FCA_KEEPER_DIED, %eax
	jnz	1f
	pause
	jmp	agent_wait_outside
1:	ret
agent_wait_end:

	.section .note.GNU-stack, "", @progbits
