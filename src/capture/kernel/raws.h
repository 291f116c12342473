/* SPDX-License-Identifier: Apache-2.0 */
/*
 * raws.h - events of the kernel's tracing as they were taken from each CPU's buffer, until all that
 * is earlier has been taken, too: then they come in order of time.
 */
#ifndef FC_CAPTURE_KERNEL_RAWS_H
#define FC_CAPTURE_KERNEL_RAWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/syscall/syscalls.h"

enum fc_raw_kind {
	FC_RAW_CALL,	/* raw_syscalls:sys_enter */
	FC_RAW_RESULT,	/* raw_syscalls:sys_exit */
	FC_RAW_ENTRY,	/* ftrace:funcgraph_entry */
	FC_RAW_EXIT,	/* ftrace:funcgraph_exit */
	FC_RAW_ARGS,	/* of func_probes.h, just behind the entry */
	FC_RAW_RETURN,	/* of func_probes.h, just before the exit */
	FC_RAW_SWITCH,	/* sched:sched_switch */
	FC_RAW_WAKING,	/* sched:sched_waking */
	FC_RAW_PATH,	/* of path_probes.h, within a system call */
	FC_RAW_ADDRESS, /* of address_probes.h, the same */
	FC_RAW_BORN,	/* task:task_newtask */
	FC_RAW_EXEC,	/* sched:sched_process_exec */
	FC_RAW_END,	/* of end_probes.h */
	FC_RAW_STACK,	/* ftrace:kernel_stack, which belongs to the waking before it */
	FC_RAW_NR,
};

/* Which of them, as bits. */
enum {
	FC_RAWS_SYSCALLS = 1u << FC_RAW_CALL | 1u << FC_RAW_RESULT,
	FC_RAWS_FUNCTIONS = 1u << FC_RAW_ENTRY | 1u << FC_RAW_EXIT,
	FC_RAWS_ARGS = 1u << FC_RAW_ARGS,
	FC_RAWS_RETURNS = 1u << FC_RAW_RETURN,
	FC_RAWS_SWITCHES = 1u << FC_RAW_SWITCH | 1u << FC_RAW_WAKING,
	FC_RAWS_PATHS = 1u << FC_RAW_PATH,
	FC_RAWS_ADDRESSES = 1u << FC_RAW_ADDRESS,
	FC_RAWS_STACKS = 1u << FC_RAW_STACK,
	FC_RAWS_ENDS = 1u << FC_RAW_END,
	FC_RAWS_LIVES = 1u << FC_RAW_BORN | 1u << FC_RAW_EXEC,
	/* And what the tracer itself records of a function: words of its entry, of its exit. */
	FC_RAWS_OWN_ARGS = 1u << FC_RAW_NR,
	FC_RAWS_OWN_RESULTS = 2u << FC_RAW_NR,
};

/* Of the state of who is switched from: it has ended (EXIT_DEAD, EXIT_ZOMBIE; include/linux/sched.h). */
enum { FC_RAW_DEAD = 0x10 | 0x20 };

enum {
	FC_RAW_TEXT = 1024, /* bytes of one, with the last zero */
	FC_RAW_IDLE = -1,
};

struct fc_raw {
	uint64_t tsc;
	uint64_t number; /* of a system call; a function's address; the state of who is switched
			  * from; who is woken; a path's struct filename; an address's bytes; who is born;
			  * enum fc_end */
	int64_t value;	 /* a system call's or a function's result, a function's depth; who is
			  * switched to; common_flags of who wakes; a path's pointer;
			  * clone_flags of a birth; an end's value */
	int tid;	 /* in which it happened: who is switched from, who wakes; else of an
			  * idle CPU, which is thread 0 in each, FC_RAW_IDLE - its number */
	uint32_t order;	 /* of those taken at the same time */
	enum fc_raw_kind kind;
	uint32_t words, nr_words; /* of those that are held: its own */
};

struct fc_raws;

/*
 * In the folder of an instance: where the fields of its events stand. kinds: FC_RAWS_… of those that
 * are wanted; probes: the group of the return probes. -errno with a sentence.
 */
int fc_raws_create(const char *folder, unsigned kinds, const char *probes,
		   struct fc_raws **ret);
void fc_raws_destroy(struct fc_raws *raws);

size_t fc_raws_nr(const struct fc_raws *raws);
/* An event of a CPU: for fc_cpus_take(). */
void fc_raws_add(void *raws, int cpu, uint64_t tsc, const void *event, size_t size);
/*
 * Those before until, in order of time. words: the FC_SYSCALL_ARGS arguments of FC_RAW_CALL, the
 * FC_KERNEL_ARGS of FC_RAW_ARGS, and of FC_RAW_ENTRY if it has them; the result of FC_RAW_EXIT with
 * FC_RAWS_OWN_RESULTS; of FC_RAW_WAKING how many addresses follow, and those that the kernel
 * was called from, the innermost first; the FC_ADDRESS_ROOM bytes of FC_RAW_ADDRESS; a text that ends with a zero: the name of who is switched from,
 * a path ("": it could not be read), also of the program of FC_RAW_EXEC; else NULL. They are dropped then.
 */
void fc_raws_tell(struct fc_raws *raws, uint64_t until,
		  void (*take)(void *ctx, const struct fc_raw *raw, const uint64_t *words),
		  void *ctx);

#endif
