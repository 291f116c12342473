/* SPDX-License-Identifier: Apache-2.0 */
/* off_cpu.c - switches and wakings of a thread become calls, and names of threads their results. */
#include "capture/kernel/off_cpu.h"

#include <fnmatch.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "capture/kernel/tracefile.h"
#include "capture/target/comm.h"

/* As in the kernel's include/linux/sched.h, which sched_switch tells. */
enum {
	STATE_INTERRUPTIBLE = 0x1,
	STATE_UNINTERRUPTIBLE = 0x2,
	STATE_STOPPED = 0x4,
	STATE_TRACED = 0x8,
	STATE_PARKED = 0x40,
	STATE_IDLE = 0x80,
	/* include/linux/trace_events.h: in an interrupt, or what one has put off. */
	FLAG_INTERRUPT = 0x8 | 0x10 | 0x40,
};

enum { NAME_SIZE = 16, NR_KNOWN = 256, TEXT_SIZE = FC_OFF_TEXT };

/* The name of a thread, as it was told last. */
struct known {
	int tid;
	char name[NAME_SIZE];
};

struct fc_off_cpu {
	struct fc_off_calls *calls;
	const char *root; /* tracefs */
	const struct fc_kernel_symbols *symbols;
	bool with_stacks;
	struct known known[NR_KNOWN];
};

struct fc_off_cpu *fc_off_cpu_create(const char *root, const struct fc_kernel_symbols *symbols,
				     bool with_stacks, struct fc_numbers *numbers)
{
	struct fc_off_cpu *off = fc_alloc(sizeof(*off));
	off->root = root;
	off->symbols = symbols;
	off->with_stacks = with_stacks;
	off->calls = fc_off_calls_create(numbers, "sched");
	return off;
}

void fc_off_cpu_destroy(struct fc_off_cpu *off)
{
	if (!off)
		return;
	fc_off_calls_destroy(off->calls);
	free(off);
}

const struct fc_module_info *fc_off_cpu_module(const struct fc_off_cpu *off)
{
	return fc_off_calls_module(off->calls);
}

/* ---- names of threads ---- */

static struct known *known_of(struct fc_off_cpu *off, int tid)
{
	return &off->known[(unsigned)tid % NR_KNOWN];
}

/* What the kernel noted of threads that its events are of, one a line: "812 sshd". */
static void find_saved(struct fc_off_cpu *off, struct known *known)
{
	size_t size;
	fc_auto_free char *lines = fc_tracefile_read(off->root, "saved_cmdlines", &size);
	for (char *line = lines; line && *line;) {
		char *end = strchrnul(line, '\n'), *name;
		if (strtol(line, &name, 10) == known->tid && *name == ' ')
			snprintf(known->name, sizeof(known->name), "%.*s",
				 (int)(end - name - 1), name + 1);
		line = *end ? end + 1 : end;
	}
}

/* It may have ended by now. */
static void look_up(struct fc_off_cpu *off, struct known *known, int tid)
{
	known->tid = tid;
	if (!fc_comm_read(tid, known->name, sizeof(known->name)))
		find_saved(off, known);
}

static void keep_name(struct fc_off_cpu *off, int tid, const uint64_t *words)
{
	struct known *known = known_of(off, tid);
	known->tid = tid;
	snprintf(known->name, sizeof(known->name), "%s", (const char *)words);
}

/* before "NAME[TID]" after, or the number alone where nobody knows the name. */
static void name_thread(struct fc_off_cpu *off, int tid, const char *before, const char *after,
			char text[TEXT_SIZE])
{
	struct known *known = known_of(off, tid);
	if (known->tid != tid)
		look_up(off, known, tid);
	if (*known->name)
		snprintf(text, TEXT_SIZE, "%s%s[%d]%s", before, known->name, tid, after);
	else
		snprintf(text, TEXT_SIZE, "%sthread %d%s", before, tid, after);
}

/* ---- what the waker did ---- */

/* What is between who wakes and the scheduler; kernel/sched/. */
static bool is_of_waking(const char *name)
{
	static const char *const globs[] = { "__traceiter_*", "*wake_up*",  "*wake_function",
					     "pollwake",      "ttwu_*",	    "swake_up*",
					     "complete",      "complete_*", "sched_*",
					     "*sched_wakeup*" };
	for (size_t i = 0; i < sizeof(globs) / sizeof(globs[0]); i++)
		if (!fnmatch(globs[i], name, 0))
			return true;
	return false;
}

/* The name of a waker's function number i, from the innermost on. NULL: not known. */
static const char *name_at(const struct fc_off_cpu *off, const uint64_t *words, uint64_t i)
{
	return fc_kernel_symbols_name(off->symbols, words[1 + i]);
}

/* Which is the first behind the scheduler's first: before those stands what records events. */
static uint64_t first_of(const struct fc_off_cpu *off, const uint64_t *words)
{
	bool is_in_scheduler = false;
	for (uint64_t i = 0; off->symbols && words && i < words[0]; i++) {
		const char *name = name_at(off, words, i);
		bool is_waking = name && is_of_waking(name);
		is_in_scheduler |= is_waking;
		if (is_in_scheduler && name && !is_waking)
			return i;
	}
	return words ? words[0] : 0;
}

static void append(char text[TEXT_SIZE], const char *before, const char *name)
{
	size_t nr = strlen(text);
	snprintf(text + nr, TEXT_SIZE - nr, "%s%s", before, name);
}

static void add_funcs(const struct fc_off_cpu *off, const uint64_t *words, char text[TEXT_SIZE])
{
	uint64_t first = first_of(off, words);
	for (uint64_t i = first; words && i < words[0]; i++) {
		const char *name = name_at(off, words, i);
		append(text, i == first ? " in " : " <- ", name ? name : "?");
		if (!off->with_stacks)
			break;
	}
}

/* ---- words ---- */

static enum fc_off which_is(uint64_t state)
{
	if (state & (STATE_STOPPED | STATE_TRACED))
		return FC_OFF_STOPPED;
	if (state & (STATE_INTERRUPTIBLE | STATE_IDLE | STATE_PARKED))
		return FC_OFF_ASLEEP;
	return state & STATE_UNINTERRUPTIBLE ? FC_OFF_UNINTERRUPTIBLE : FC_OFF_RUNNABLE;
}

size_t fc_off_cpu_out(const struct fc_off_cpu *off, const struct fc_raw *raw, uint32_t *func,
		      uint64_t ret[FC_OFF_CPU_WORDS])
{
	bool is_dead = raw->number & FC_RAW_DEAD;
	return is_dead ? 0
		       : fc_off_calls_enter(off->calls, raw->tsc, which_is(raw->number), func,
					    ret);
}

size_t fc_off_cpu_woken(struct fc_off_cpu *off, const struct fc_raw *raw, const uint64_t *words,
			uint32_t *func, uint64_t ret[FC_OFF_CPU_WORDS])
{
	char text[TEXT_SIZE];
	if (!*func || *func == fc_off_calls_func(off->calls, FC_OFF_RUNNABLE))
		return 0;
	if (!raw->tid || raw->value & FLAG_INTERRUPT)
		snprintf(text, sizeof(text), "woken by an interrupt");
	else
		name_thread(off, raw->tid, "woken by ", "", text);
	add_funcs(off, words, text);
	size_t nr = fc_off_calls_leave(raw->tsc, text, func, ret);
	return nr + fc_off_calls_enter(off->calls, raw->tsc, FC_OFF_RUNNABLE, func, ret + nr);
}

size_t fc_off_cpu_in(struct fc_off_cpu *off, const struct fc_raw *raw, const uint64_t *words,
		     uint32_t *func, uint64_t ret[FC_OFF_CPU_WORDS])
{
	char text[TEXT_SIZE] = "";
	if (raw->tid)
		keep_name(off, raw->tid, words);
	if (!*func)
		return 0;
	if (raw->tid && *func == fc_off_calls_func(off->calls, FC_OFF_RUNNABLE))
		name_thread(off, raw->tid, "", " ran", text);
	return fc_off_calls_leave(raw->tsc, text, func, ret);
}
