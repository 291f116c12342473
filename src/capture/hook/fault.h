/* SPDX-License-Identifier: Apache-2.0 */
/* fault.h - a fault in a stub is told as one of the function that it is for. */
#ifndef FC_CAPTURE_HOOK_FAULT_H
#define FC_CAPTURE_HOOK_FAULT_H

#include <stdbool.h>
#include <stdint.h>

struct fc_space;

/*
 * tid stops for a signal that its own instruction may have raised. If that is one of a stub's
 * (the stack has no room for what it saves, or the function's own first instructions fault), the
 * thread is at the function's start again, where its handler will find it. is_last: nobody will go
 * on there, and it is at the instruction that was moved. space may be NULL.
 */
void fc_fault_place(const struct fc_space *space, int tid, bool is_last);

/* A moved instruction. */
struct fc_fault_place {
	uint32_t func;
	const char *name;
	bool may_restart; /* the function may run again from its start */
	bool is_bare;	  /* the function's own code is there again */
};

/* Is tid, stopped as above, at one? */
bool fc_fault_find(const struct fc_space *space, int tid, struct fc_fault_place *ret);

#endif
