/* SPDX-License-Identifier: Apache-2.0 */
/*
 * waits.h - functions in which a thread waits, or has the kernel work for it, by their names.
 *
 * These are functions of the C library, system calls, and what the kernel tells of a thread that is
 * off the CPU. What is called so elsewhere may be anything.
 */
#ifndef FC_CALLS_WAITS_H
#define FC_CALLS_WAITS_H

#include "calls/names.h"

enum fc_wait {
	FC_WAIT_NONE = 0,
	FC_WAIT_TIMER,	/* it sleeps as long as it asks for */
	FC_WAIT_END,	/* of another thread or process, which has functions of its own */
	FC_WAIT_EXIT,	/* of its own process: the kernel takes back its memory */
	FC_WAIT_LOCK,	/* that another thread has */
	FC_WAIT_THREAD, /* another thread: a condition, a barrier, a semaphore */
	FC_WAIT_EVENT,	/* poll() and the like, signals, messages */
	FC_WAIT_IO,	/* files, sockets, pipes, terminals: their data */
	FC_WAIT_KERNEL, /* the kernel works for it: open(), mmap(), fork() */
	FC_WAIT_CPU,	/* it could run, but other threads do */
	FC_WAIT_OTHER,	/* the kernel does not tell for what */
};

enum fc_wait fc_wait_of(struct fc_name name);
/* What is waited for: "a lock"; NULL for FC_WAIT_NONE. */
const char *fc_wait_word(enum fc_wait wait);

#endif
