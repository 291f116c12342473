/* SPDX-License-Identifier: Apache-2.0 */
/* jail.h - a process of ours that works on what others wrote, and can do nothing else. */
#ifndef FC_DWARF_JAIL_H
#define FC_DWARF_JAIL_H

#include <stdint.h>

struct fc_jail {
	uint64_t memory; /* bytes that it may take more than it has */
	uint64_t cpu_s;
};

/*
 * From here on, for good: this process, which has one thread, has no descriptors but fd, which
 * becomes 0, and life, the reading end of a pipe, which becomes 1; opens nothing, starts nothing,
 * sends no signals, leaves no core, is not root, gains no rights, and ends by SIGXCPU when its time
 * is over, and by SIGIO when nobody has the other end of the pipe any more.
 * -errno, without a sentence: it can do more than that.
 */
int fc_jail_enter(const struct fc_jail *jail, int fd, int life);

/* It ends with that status, and nothing else: what sanitizers do in _exit() is not for a jail. */
_Noreturn void fc_jail_leave(int status);

#endif
