/* SPDX-License-Identifier: Apache-2.0 */
/* thread.h - which thread this is, by a pointer that all its stacks have in common. */
#ifndef FC_CAPTURE_AGENT_BASE_THREAD_H
#define FC_CAPTURE_AGENT_BASE_THREAD_H

#include <stdbool.h>
#include <stdint.h>

#include "capture/agent/base/config.h"
#include "capture/agent/base/machine.h"

/* The pointer may be read from the word that it points to. */
static inline bool is_word_readable(void)
{
	return __atomic_load_n(&agent_config.thread_word, __ATOMIC_RELAXED) ==
	       FCA_WORD_READABLE;
}

/* As thread_now(), by a system call, which may show that there is no need of one from now on. */
uint64_t thread_asked(void);

/* The same for all stacks of a thread; 0: it has no such pointer, or that is not known. */
static inline uint64_t thread_now(void)
{
	if (agent_config.has_fast_registers)
		return read_thread();
	if (is_word_readable())
		return read_thread_word();
	return agent_config.is_quiet ? 0 : thread_asked();
}

/* Is the strand that each thread used last in the table, by what is its own? */
static inline bool is_in_table(void)
{
	return agent_config.found_by == FCA_BY_THREAD ||
	       (agent_config.found_by == FCA_BY_TID && is_word_readable());
}

/*
 * Is there such a thread? Of one that is traced its tracer has been told before it is not. By a system
 * call: not in quiet.
 */
bool thread_is_there(int pid, int tid);

#endif
