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
#include "trace/record.h"
#include "values/formats.h"
#include "values/writer.h"

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

enum { ASLEEP, ASLEEP_UNINTERRUPTIBLE, STOPPED, RUNNABLE, NR_FUNCS };

static const char *const func_names[NR_FUNCS] = {
	[ASLEEP] = "asleep",
	[ASLEEP_UNINTERRUPTIBLE] = "asleep_uninterruptible",
	[STOPPED] = "stopped",
	[RUNNABLE] = "runnable",
};

enum { NAME_SIZE = 16, NR_KNOWN = 256, TEXT_SIZE = 64, WORD = 8 };

/* The name of a thread, as it was told last. */
struct known {
	int tid;
	char name[NAME_SIZE];
};

struct fc_off_cpu {
	struct fc_func_info funcs[NR_FUNCS];
	struct fc_module_info module;
	void *bytes;
	const char *root; /* tracefs */
	const struct fc_kernel_funcs *kernel;
	struct known known[NR_KNOWN];
};

/* ---- what they return ---- */

/* A pointer to a text, which is what is told of it. */
static void add_formats(struct fc_off_cpu *off)
{
	static const struct fc_format_part parts[] = {
		{ .fetch = { .how = FCA_FETCH_VALUE, .size = WORD }, .param = FC_PARAM_RESULT },
		{ .fetch = { .how = FCA_FETCH_STRING, .size = TEXT_SIZE },
		  .param = FC_PARAM_RESULT,
		  .level = 1 },
	};
	struct fc_types *types = fc_types_create();
	struct fc_formats *formats = fc_formats_create(types);
	uint32_t text = fc_types_pointer(
		types,
		fc_types_const(types, fc_types_number(types, "char", 1, FC_NUMBER_CHAR)));
	uint32_t proto = fc_types_proto(types, text, NULL, 0, false);
	for (size_t i = 0; i < NR_FUNCS; i++) {
		uint32_t func = fc_types_func(types, func_names[i], proto);
		fc_types_tag(types, func, "fails(never)");
		fc_formats_add(formats, fca_format(off->funcs[i].id, true), func, parts, 2);
	}
	off->bytes = fc_formats_bytes(formats, &off->module.values_size);
	off->module.values = off->bytes;
	fc_formats_destroy(formats);
}

struct fc_off_cpu *fc_off_cpu_create(const char *root, const struct fc_kernel_funcs *funcs,
				     struct fc_numbers *numbers)
{
	struct fc_off_cpu *off = fc_alloc(sizeof(*off));
	off->root = root;
	off->kernel = funcs;
	for (size_t i = 0; i < NR_FUNCS; i++)
		off->funcs[i] = (struct fc_func_info){
			.name = func_names[i],
			.vaddr = i,
			.size = 1,
			.id = ++numbers->funcs,
			.how = FC_HOW_HOOKED,
			.why = "sched",
		};
	off->module = (struct fc_module_info){
		.id = ++numbers->modules,
		.path = FC_OFF_CPU_MODULE,
		.build_id = "",
		.funcs = off->funcs,
		.nr_funcs = NR_FUNCS,
	};
	add_formats(off);
	return off;
}

void fc_off_cpu_destroy(struct fc_off_cpu *off)
{
	if (!off)
		return;
	free(off->bytes);
	free(off);
}

const struct fc_module_info *fc_off_cpu_module(const struct fc_off_cpu *off)
{
	return &off->module;
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
	static const char *const globs[] = { "*wake_up*",  "*wake_function", "pollwake",
					     "ttwu_*",	   "swake_up*",	     "complete",
					     "complete_*", "sched_*",	     "*sched_wakeup*" };
	for (size_t i = 0; i < sizeof(globs) / sizeof(globs[0]); i++)
		if (!fnmatch(globs[i], name, 0))
			return true;
	return false;
}

/* Behind the scheduler's first function: before it stands what records events. NULL: not known. */
static const char *func_of(const struct fc_off_cpu *off, const uint64_t *words)
{
	bool is_in_scheduler = false;
	for (uint64_t i = 0; off->kernel && words && i < words[0]; i++) {
		const char *name = fc_kernel_funcs_name(off->kernel, words[1 + i]);
		bool is_waking = name && is_of_waking(name);
		is_in_scheduler |= is_waking;
		if (is_in_scheduler && name && !is_waking)
			return name;
	}
	return NULL;
}

static void add_func(const struct fc_off_cpu *off, const uint64_t *words, char text[TEXT_SIZE])
{
	const char *name = func_of(off, words);
	size_t nr = strlen(text);
	if (name)
		snprintf(text + nr, TEXT_SIZE - nr, " in %s", name);
}

/* ---- words ---- */

static size_t add_entry(const struct fc_off_cpu *off, const struct fc_raw *raw, unsigned which,
			uint32_t *func, uint64_t *ret)
{
	*func = off->funcs[which].id;
	*ret = fc_record(raw->tsc, *func, FC_ENTRY);
	return 1;
}

/* text: "" for none. */
static size_t add_exit(const struct fc_raw *raw, uint32_t *func, const char *text,
		       uint64_t *ret)
{
	uint32_t was = *func;
	size_t nr = 0;
	*func = 0;
	if (*text) {
		struct fc_value_writer writer = fc_value_writer(ret, was, true);
		fc_value_add(&writer,
			     was); /* any pointer but NULL: what it points to is shown */
		fc_value_add_text(&writer, text, TEXT_SIZE);
		nr = fc_value_end(&writer, raw->tsc);
	}
	ret[nr++] = fc_record(raw->tsc, was, FC_EXIT);
	return nr;
}

static unsigned which_is(uint64_t state)
{
	if (state & (STATE_STOPPED | STATE_TRACED))
		return STOPPED;
	if (state & (STATE_INTERRUPTIBLE | STATE_IDLE | STATE_PARKED))
		return ASLEEP;
	return state & STATE_UNINTERRUPTIBLE ? ASLEEP_UNINTERRUPTIBLE : RUNNABLE;
}

size_t fc_off_cpu_out(const struct fc_off_cpu *off, const struct fc_raw *raw, uint32_t *func,
		      uint64_t ret[FC_OFF_CPU_WORDS])
{
	bool is_dead = raw->number & FC_RAW_DEAD;
	return is_dead ? 0 : add_entry(off, raw, which_is(raw->number), func, ret);
}

size_t fc_off_cpu_woken(struct fc_off_cpu *off, const struct fc_raw *raw, const uint64_t *words,
			uint32_t *func, uint64_t ret[FC_OFF_CPU_WORDS])
{
	char text[TEXT_SIZE];
	if (!*func || *func == off->funcs[RUNNABLE].id)
		return 0;
	if (!raw->tid || raw->value & FLAG_INTERRUPT)
		snprintf(text, sizeof(text), "woken by an interrupt");
	else
		name_thread(off, raw->tid, "woken by ", "", text);
	add_func(off, words, text);
	size_t nr = add_exit(raw, func, text, ret);
	return nr + add_entry(off, raw, RUNNABLE, func, ret + nr);
}

size_t fc_off_cpu_in(struct fc_off_cpu *off, const struct fc_raw *raw, const uint64_t *words,
		     uint32_t *func, uint64_t ret[FC_OFF_CPU_WORDS])
{
	char text[TEXT_SIZE] = "";
	if (raw->tid)
		keep_name(off, raw->tid, words);
	if (!*func)
		return 0;
	if (raw->tid && *func == off->funcs[RUNNABLE].id)
		name_thread(off, raw->tid, "", " ran", text);
	return add_exit(raw, func, text, ret);
}
