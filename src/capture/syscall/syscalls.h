/* SPDX-License-Identifier: Apache-2.0 */
/*
 * syscalls.h - system calls as calls of a trace: functions of a module of their own, with values,
 * wherever they are seen.
 *
 *	257, -100, 0x7fff.., 0   -->   openat(AT_FDCWD, 0x7fff.., O_RDONLY) {
 *	-2                       -->   } = -1 ENOENT
 */
#ifndef FC_CAPTURE_SYSCALL_SYSCALLS_H
#define FC_CAPTURE_SYSCALL_SYSCALLS_H

#include <stdbool.h>
#include <stddef.h>

#include "capture/drain/well.h"
#include "capture/syscall/outside.h"
#include "capture/syscall/taken.h"
#include "trace/source.h"

struct fc_fetch_opts;

enum {
	FC_SYSCALL_WORDS = 128,			      /* of an entry or a return, at most... */
	FC_SYSCALL_STOP_WORDS = FC_OUTSIDE_WORDS + 1, /* ...where the thread stands still */
};

struct fc_syscalls;

/* Kept. */
struct fc_syscalls_opts {
	const char *by;	   /* how they are seen, for the user */
	char *const *only; /* globs of those that are wanted, as NAME or sys_NAME; NULL: all */
	/* What pointers lead to is read as the thread stands still; NULL: nobody can. */
	const struct fc_fetch_opts *fetch;
};

/* Of the machine that this program is built for; NULL: its kernel headers know no such number. */
const char *fc_syscall_name(uint64_t number);

/* They take ids of the session; the caller tells its tap of the module. */
struct fc_syscalls *fc_syscalls_create(struct fc_numbers *numbers,
				       const struct fc_syscalls_opts *opts);
/* -EINVAL with a sentence: one of the globs matches the name of no system call. */
int fc_syscalls_check(char *const *only);
void fc_syscalls_destroy(struct fc_syscalls *syscalls);

const struct fc_module_info *fc_syscalls_module(const struct fc_syscalls *syscalls);

/* Is it one of those that are wanted? */
bool fc_syscalls_wants(const struct fc_syscalls *syscalls, uint64_t number);

/* What the kernel is to take for such a call; nothing is known yet. */
void fc_syscalls_take(const struct fc_syscalls *syscalls, uint64_t number,
		      const uint64_t arg[FC_SYSCALL_ARGS], struct fc_taken *taken);

/* Words for a tap, with the arguments: how many. A number that nobody knows is told as syscall(). */
size_t fc_syscalls_enter(const struct fc_syscalls *syscalls, uint64_t tsc, uint64_t number,
			 const uint64_t arg[FC_SYSCALL_ARGS], uint64_t ret[FC_SYSCALL_WORDS]);
/*
 * Of one that was entered by this number: what the kernel returned, or less than 0 its error; taken: what
 * fc_syscalls_take() has set, with what is known by now.
 */
size_t fc_syscalls_leave(const struct fc_syscalls *syscalls, uint64_t tsc, uint64_t number,
			 int64_t result, const struct fc_taken *taken,
			 uint64_t ret[FC_SYSCALL_WORDS]);

/* The same with opts.fetch, of a thread that stands still there. */
struct fc_syscall_stop {
	int tid;
	uint64_t tsc, number;
	uint64_t arg[FC_SYSCALL_ARGS]; /* at its end, too */
	int64_t result;
	uint32_t kept[FCA_MAX_KEPT]; /* by its entry, for its end */
};

size_t fc_syscalls_enter_stop(const struct fc_syscalls *syscalls, struct fc_syscall_stop *stop,
			      uint64_t ret[FC_SYSCALL_STOP_WORDS]);
size_t fc_syscalls_leave_stop(const struct fc_syscalls *syscalls,
			      const struct fc_syscall_stop *stop,
			      uint64_t ret[FC_SYSCALL_STOP_WORDS]);

#endif
