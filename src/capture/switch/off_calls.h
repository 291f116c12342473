/* SPDX-License-Identifier: Apache-2.0 */
/*
 * off_calls.h - time that a thread is off the CPU, as calls of a module of its own.
 *
 *	a switch from it   -->   asleep() {
 *	a switch to it     -->   }
 *
 * So the time is of the call that the thread was in, and not of its self time.
 */
#ifndef FC_CAPTURE_SWITCH_OFF_CALLS_H
#define FC_CAPTURE_SWITCH_OFF_CALLS_H

#include <stddef.h>

#include "trace/source.h"

enum fc_off {
	FC_OFF_ASLEEP = 0,	/* it waits for something, and a signal can wake it */
	FC_OFF_UNINTERRUPTIBLE, /* it waits for something that no signal ends: a disk, mostly */
	FC_OFF_STOPPED,		/* by SIGSTOP, or by who traces it */
	FC_OFF_RUNNABLE,	/* it could run, and others have the CPUs */
	FC_NR_OFF,
};

enum {
	FC_OFF_TEXT = 512, /* bytes of what ended it, with the 0 */
	FC_OFF_WORDS = 72, /* at most, of one entry or end */
};

struct fc_off_calls;

/* It takes ids of the session; the caller tells its tap of the module. by: how they are seen, for the user. */
struct fc_off_calls *fc_off_calls_create(struct fc_numbers *numbers, const char *by);
void fc_off_calls_destroy(struct fc_off_calls *off);

const struct fc_module_info *fc_off_calls_module(const struct fc_off_calls *off);

/* The id of what stands for it. */
uint32_t fc_off_calls_func(const struct fc_off_calls *off, enum fc_off which);

/* Words for a tap: how many. func: what is open for the thread, 0: nothing; it is set anew. */
size_t fc_off_calls_enter(const struct fc_off_calls *off, uint64_t tsc, enum fc_off which,
			  uint32_t *func, uint64_t ret[FC_OFF_WORDS]);
/* Of one that is open; text: what ended it, "" where nobody knows. */
size_t fc_off_calls_leave(uint64_t tsc, const char *text, uint32_t *func,
			  uint64_t ret[FC_OFF_WORDS]);

#endif
