/* SPDX-License-Identifier: Apache-2.0 */
/* remote.h - a traced thread that is stopped: its memory, and system calls made in it. */
#ifndef FC_CAPTURE_TARGET_REMOTE_H
#define FC_CAPTURE_TARGET_REMOTE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/arch.h"
#include "base/vec.h"
#include "capture/target/dispatch.h"

/* Makes system calls in a target; how differs (a stopped thread, or the agent by mail). */
struct fc_caller {
	/* The result as the kernel gives it: negative errno on failure. */
	int64_t (*call)(struct fc_caller *caller, uint64_t nr, const uint64_t arg[6]);
	bool is_silent; /* it has ended, or does not answer: what fails now need not be said */
};

/*
 * A thread in a ptrace stop, borrowed. Of all events only its own stops are taken meanwhile, and
 * not its death: whoever follows it waits for that. It may be let go at any moment, by the death
 * of this process: whatever it was made to do, it then goes on to restore itself. Nothing but the
 * cave is written: no stack, no vector register.
 *
 *   cave:  syscall                 what is asked of it; it is run to the end of this only
 *          rt_sigprocmask          the signal mask as found
 *          prctl                   its system calls become SIGSYS again, if they did
 *          load ...                the registers that system calls take and change, as found
 *          jump                    to where it was; if that was inside a system call which
 *                                  is to be made again: to the call
 *          news                    what is about to be mapped, and nothing else tells of
 */
struct fc_borrow {
	struct fc_caller caller;
	int tid, mem_fd;
	struct fc_regs regs;   /* as found; given back with changes made here */
	unsigned long options; /* of ptrace; 0: they were not changed */
	uint64_t cave;
	size_t last_at;		     /* where in it the last system call is made */
	uint8_t code[FC_CAVE_SIZE];  /* what is to be there again */
	uint64_t news;		     /* address | number of pages; 0: none */
	uint64_t signals;	     /* mask, as found */
	struct fc_dispatch dispatch; /* the same; it is off meanwhile */
	FC_VEC(siginfo_t) held;	     /* signals that came, given back at the end */
	bool is_borrowed;	     /* and to be restored */
	bool is_lost;		     /* it does not come back from what it was made to do */
};

/*
 * tid, attached with options, stands in a ptrace stop: of an exec event, or at rest
 * (PTRACE_EVENT_STOP). What keeps it from system calls (seccomp, dispatch.h) is suspended until the end. -errno
 * with a sentence; the thread is then as it was. fc_borrow_end() follows in any case. A cave may
 * be one that a killed controller has left: its news stay, until the end leaves zeros there.
 */
int fc_borrow_begin(struct fc_borrow *borrow, int tid, unsigned long options, int mem_fd,
		    uint64_t cave);
/* Are these the bytes of a cave, as a borrowed thread runs in it? */
bool fc_borrow_is_cave(const uint8_t code[FC_CAVE_SIZE]);
/*
 * Say, to whoever cleans up when this process is killed, that the size bytes at taddr (both of
 * pages, fewer than a page has bytes) are about to be mapped. What was said before is forgotten.
 */
int fc_borrow_announce(struct fc_borrow *borrow, uint64_t taddr, uint64_t size);
/* What these bytes of a cave announce; false: nothing. */
bool fc_borrow_announced(const uint8_t code[FC_CAVE_SIZE], uint64_t *taddr, uint64_t *size);
/* It is to go on at ip instead. */
int fc_borrow_move(struct fc_borrow *borrow, uint64_t ip);
/* Give the thread back, in a stop at rest; -errno: it is gone. */
int fc_borrow_end(struct fc_borrow *borrow);

int64_t fc_remote_call(struct fc_caller *caller, uint64_t nr, uint64_t a, uint64_t b,
		       uint64_t c, uint64_t d, uint64_t e, uint64_t f);

/*
 * Map size bytes of code, zeros yet: at `at`, where nothing may be, or 0: anywhere. The result as
 * the kernel gives it.
 */
int64_t fc_remote_map_code(struct fc_caller *caller, uint64_t at, uint64_t size);
/* In whole pages. */
void fc_remote_unmap(struct fc_caller *caller, uint64_t at, uint64_t size);

/* /proc/PID/mem; -errno with a sentence. */
int fc_remote_open(int pid);

/* The target's memory through it: all of it or -errno with a sentence. */
int fc_remote_read(int mem_fd, uint64_t taddr, void *ret, size_t size);
int fc_remote_write(int mem_fd, uint64_t taddr, const void *bytes, size_t size);
/* The same where it may well be that there is none: without a sentence. */
bool fc_remote_get(int mem_fd, uint64_t taddr, void *ret, size_t size);

#endif
