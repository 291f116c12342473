/* SPDX-License-Identifier: Apache-2.0 */
/*
 * source.h - what a source of events tells, and to whom.
 *
 * A source (the user source over ptrace, the kernel source over tracefs) tells a tap
 * what it sees. The trace writer is a tap, and so is the live printer. They live on one thread and
 * lock nothing: a source with more than one puts a queue before the first tap (struct fc_queue).
 * But is_filtering() may come from any thread, and dump() from a thread of its own, while the
 * others go on to be called.
 */
#ifndef FC_TRACE_SOURCE_H
#define FC_TRACE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How a function is treated; the same words in `list`, `info` and the trace. */
enum fc_how {
	FC_HOW_SKIPPED = 0,
	FC_HOW_HOOKED = 1,
	FC_HOW_ENTRY_ONLY = 2,
	FC_HOW_PART = 3, /* no function: a part of one, entered by a jump (.cold) */
};

static inline bool fc_how_is_recorded(int how)
{
	return how == FC_HOW_HOOKED || how == FC_HOW_ENTRY_ONLY;
}

struct fc_func_info {
	const char *name; /* NULL: no symbol; shown as module+0xoffset */
	uint64_t vaddr;	  /* in the module's ELF file */
	uint64_t size;
	uint32_t id;	 /* 1..FC_FUNC_MAX when hooked or entry only, else 0 */
	uint8_t how;	 /* enum fc_how */
	const char *why; /* tactic ("jmp5"…) when hooked, else the reason */
};

/* The path of the module whose functions are system calls. */
#define FC_SYSCALL_MODULE "[system call]"
/* The same, of those that stand for time off the CPU. */
#define FC_OFF_CPU_MODULE "[off CPU]"

/*
 * A module file that was planned; told once a file and session, before its first record. It is
 * told again, with the same id and path, when the source learns of more functions there (code that
 * is made while it runs): with these alone, before the first record of any. What it points to stays
 * as it is until the source has ended: a tap may keep it so long.
 */
struct fc_module_info {
	uint32_t id; /* 1.. in order of telling */
	const char *path;
	const char *build_id; /* hex, or "" */
	const struct fc_func_info *funcs;
	size_t nr_funcs;
	/* The formats of FC_MARK_VALUES (values/formats.h); NULL: there are none. */
	const void *values;
	size_t values_size;
};

/* A module was mapped into a process. */
struct fc_map_info {
	uint32_t module_id;
	int pid;
	uint64_t taddr; /* what to add to a vaddr to get the address in the target */
	uint64_t tsc;
};

enum fc_life {
	FC_LIFE_START = 1, /* pid launched, attached or forked; other = parent pid; text = "" */
	FC_LIFE_EXEC = 2,  /* pid runs a new program: text = its path */
	FC_LIFE_EXIT = 3,  /* status = wait status */
	FC_LIFE_THREAD_START = 4,
	FC_LIFE_THREAD_EXIT = 5, /* other = 1: some of its stacks go on in other threads */
	FC_LIFE_NOTE = 7,	 /* text = what changes from here on, for who reads along */
	FC_LIFE_NAME = 8,	 /* text = what the thread is called from here on */
	FC_LIFE_SIGNAL =
		9, /* a signal comes to the thread: status = its number; other = the process
			     * that it is from, 0: the kernel; text = all of that */
	FC_LIFE_SAY = 6, /* text = a sentence that `info` repeats: what is not traced and why */
};

struct fc_life_info {
	int life; /* enum fc_life */
	int pid, tid, other;
	int status;
	uint64_t tsc;
	const char *text;
};

/* Is it a thread's, and not all of its process'? */
static inline bool fc_life_is_of_thread(const struct fc_life_info *life)
{
	return life->life == FC_LIFE_THREAD_START || life->life == FC_LIFE_THREAD_EXIT ||
	       life->life == FC_LIFE_NAME || life->life == FC_LIFE_SIGNAL;
}

/* Do the open calls of the thread, or of all of the process, end there? */
static inline bool fc_life_ends_calls(const struct fc_life_info *life)
{
	return life->life == FC_LIFE_EXEC || life->life == FC_LIFE_EXIT ||
	       (life->life == FC_LIFE_THREAD_EXIT && !life->other);
}

/* Whose, then: the thread; 0: all of the process. */
static inline int fc_life_ended_tid(const struct fc_life_info *life)
{
	return life->life == FC_LIFE_THREAD_EXIT ? life->tid : 0;
}

/* How the calls of a hooked function are seen. */
enum fc_hook_state {
	FC_HOOK_RECORDED = 0,
	FC_HOOK_COUNTED, /* each is counted, none is shown */
	FC_HOOK_OUT,	 /* nothing is known of them */
};

struct fc_hook_info {
	uint32_t func;
	int state; /* enum fc_hook_state */
	uint64_t tsc;
};

/* In place of a strand's id: what another source tells of a thread, in whatever strand it was. */
#define FC_STRAND_BESIDE 0

struct fc_strand_info {
	uint32_t id; /* 1.. unique in the session */
	int pid, tid;
	uint8_t kind; /* enum fc_strand_kind */
};

/*
 * How many ids of each kind a session has given, by whichever source: the next is one more.
 * Zeroed at its begin.
 */
struct fc_numbers {
	uint32_t strands, funcs, modules;
};

/* A new strand's; any thread. */
static inline uint32_t fc_numbers_strand(struct fc_numbers *numbers)
{
	return __atomic_add_fetch(&numbers->strands, 1, __ATOMIC_RELAXED);
}

/* The calls to be let through, as -F -N -D -t say; zeroed: all. */
struct fc_filter_info {
	char **only, **except; /* globs, NULL-terminated; or NULL. only: with conditions, too */
	uint32_t depth;
	uint64_t min_ns;
};

/* How often one function called another, or one place did that is in no known function. */
struct fc_edge {
	const struct fc_func_info *caller; /* NULL: not known */
	const char *caller_path;	   /* the file that it is in, "" if not known */
	uint32_t callee;		   /* function id */
	uint64_t calls;
};

struct fc_tap {
	int (*module)(struct fc_tap *tap, const struct fc_module_info *info);
	int (*map)(struct fc_tap *tap, const struct fc_map_info *info);
	int (*life)(struct fc_tap *tap, const struct fc_life_info *info);

	/*
	 * nr_words ring words of one strand, in order, whole records only (see record.h); all
	 * were written before now_tsc and after the last call's now_tsc less a moment, by the
	 * thread strand->tid: another than that of the last call has gone on with the stack.
	 * To a weave (capture/drain/weave/weave.h) more is told, which it does not pass on.
	 */
	int (*records)(struct fc_tap *tap, const struct fc_strand_info *strand,
		       const uint64_t *words, size_t nr_words, uint64_t now_tsc);

	/* No more records of this strand; reason as in a POP if calls are still open. */
	int (*strand_end)(struct fc_tap *tap, const struct fc_strand_info *strand,
			  uint64_t tsc);

	/* About every 10 ms, also when nothing came; and before a dump. */
	int (*tick)(struct fc_tap *tap, uint64_t now_tsc);

	/* These functions' calls are told in another way from here on. May be NULL. */
	int (*hooks)(struct fc_tap *tap, const struct fc_hook_info *info, size_t nr);

	/*
	 * Calls that were counted and not recorded, until tsc: how many of each function since
	 * the start, by function id below nr. Now and then, and at the end. May be NULL.
	 */
	int (*counts)(struct fc_tap *tap, uint64_t tsc, const uint64_t *calls, uint32_t nr);

	/*
	 * --loss=ring: instead of records() as they come, it is asked to write what is there
	 * now, and why (part of a sentence). pour(ctx, to) tells another tap of it: records()
	 * and strand_end(), no more. 1: no more are wanted, but at the end. NULL: this tap cannot
	 * do so.
	 */
	int (*dump)(struct fc_tap *tap, const char *why, bool is_end,
		    void (*pour)(void *ctx, struct fc_tap *to), void *ctx);

	/*
	 * Let through only these calls; what was recorded before is not concerned. NULL: it
	 * cannot. is_filtering: it does, for all that is recorded from now on.
	 */
	int (*filter)(struct fc_tap *tap, const struct fc_filter_info *info);
	bool (*is_filtering)(struct fc_tap *tap);

	/*
	 * At the end, if calls were counted by caller; each pair once. edges live as long as the
	 * call. nr_lost calls have no edge. May be NULL.
	 */
	int (*edges)(struct fc_tap *tap, const struct fc_edge *edges, size_t nr,
		     uint64_t nr_lost);
};

#endif
