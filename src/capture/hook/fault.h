/* SPDX-License-Identifier: Apache-2.0 */
/* fault.h - a fault in a stub is told as one of the function that it is for. */
#ifndef FC_CAPTURE_HOOK_FAULT_H
#define FC_CAPTURE_HOOK_FAULT_H

#include <stdbool.h>
#include <stdint.h>

struct fc_space;

enum fc_faulted {
	FC_FAULTED_ELSEWHERE = 0, /* in no stub, or where nothing can be done */
	FC_FAULTED_AT_START,	  /* the function may run again from its start */
	FC_FAULTED_MOVED,	  /* at an instruction under a jump: see fc_fault_resume() */
};

/*
 * tid stops for a signal that its own instruction may have raised. If that is one of a stub's
 * (the stack has no room for what it saves, or the function's own first instructions fault), the
 * thread is at the function's start again, or at the instruction that it was, where its handler
 * will find it. is_last: nobody will go on there. space may be NULL.
 */
enum fc_faulted fc_fault_place(const struct fc_space *space, int tid, bool is_last);

/*
 * A handler returns to ip. If there a jump is written over the instruction, *ip becomes where the
 * stub has it. is_begun: a call of the function goes on; else it begins, if ip is its first
 * instruction. False: *ip stays.
 */
bool fc_fault_resume(const struct fc_space *space, bool is_begun, uint64_t *ip);

/* Is it of the agent, whose stack may be its own? space may be NULL. */
bool fc_fault_is_in_agent(const struct fc_space *space, uint64_t ip);

#endif
