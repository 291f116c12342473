/* SPDX-License-Identifier: Apache-2.0 */
/*
 * off_cpu.h - calls that stand for time off the CPU (capture/switch/off_calls.h), as the kernel's events tell
 * them, with who ended each.
 *
 *	sched_switch from it, in state S   -->   asleep() {
 *	sched_waking, by thread 812        -->   } = "woken by sshd[812]"    runnable() {
 *	   called from pipe_write()                  "... in pipe_write", or with
 *	   called from vfs_write()                   stacks "... in pipe_write <- vfs_write"
 *	sched_switch to it, from 9         -->                               } = "cc1[9] ran"
 *
 * So the time is of the call that the thread was in, and not of its self time.
 */
#ifndef FC_CAPTURE_KERNEL_OFF_CPU_H
#define FC_CAPTURE_KERNEL_OFF_CPU_H

#include <stdbool.h>
#include <stddef.h>

#include "capture/kernel/kernel_symbols.h"
#include "capture/kernel/raws.h"
#include "capture/switch/off_calls.h"
#include "trace/source.h"

enum { FC_OFF_CPU_WORDS = 2 * FC_OFF_WORDS }; /* at most, of one event */

struct fc_off_cpu;

/*
 * root: of tracefs; symbols: by which a waker's functions are named, or NULL; both are kept. with_stacks: all
 * of them, not only the innermost. It takes ids of the session; the caller tells its tap of the module.
 */
struct fc_off_cpu *fc_off_cpu_create(const char *root, const struct fc_kernel_symbols *symbols,
				     bool with_stacks, struct fc_numbers *numbers);
void fc_off_cpu_destroy(struct fc_off_cpu *off);

const struct fc_module_info *fc_off_cpu_module(const struct fc_off_cpu *off);

/*
 * Words for a tap, of one thread: how many. func: which call is open for that thread, 0: none; it is
 * set anew.
 */

/* FC_RAW_SWITCH from it. */
size_t fc_off_cpu_out(const struct fc_off_cpu *off, const struct fc_raw *raw, uint32_t *func,
		      uint64_t ret[FC_OFF_CPU_WORDS]);
/* FC_RAW_WAKING of it; words: where the kernel was called from, as raws.h has them; NULL: not known. */
size_t fc_off_cpu_woken(struct fc_off_cpu *off, const struct fc_raw *raw, const uint64_t *words,
			uint32_t *func, uint64_t ret[FC_OFF_CPU_WORDS]);
/* FC_RAW_SWITCH to it; words: the name of who ran before, a text. */
size_t fc_off_cpu_in(struct fc_off_cpu *off, const struct fc_raw *raw, const uint64_t *words,
		     uint32_t *func, uint64_t ret[FC_OFF_CPU_WORDS]);

#endif
