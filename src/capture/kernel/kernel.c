/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.c - the kernel's well: events of system calls become records of the threads that made them. */
#include "capture/kernel/kernel.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "arch/clock.h"
#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/vec.h"
#include "capture/agent/abi.h"
#include "capture/kernel/cpus.h"
#include "capture/kernel/eventformat.h"
#include "capture/kernel/states.h"
#include "capture/kernel/tracefs.h"
#include "capture/syscall/syscalls.h"
#include "trace/clock.h"
#include "trace/record.h"

#define TAKE_EVERY_NS 200000 /* a look costs a system call for each CPU */

/* Fields that all events have, and those of the two kinds. */
enum { TYPE, PID, NUMBER, VALUE, NR_FIELDS };

struct layout {
	int id;
	struct fc_event_field field[NR_FIELDS];
};

/* An event as it was taken, until all that is earlier has been taken, too. */
struct raw {
	uint64_t tsc;
	uint32_t order; /* of those taken at the same time */
	int tid;
	bool is_exit;
	uint64_t number;
	uint64_t value[FC_SYSCALL_ARGS]; /* arguments, or the result */
};

/* A thread that is not traced any more, until the taking thread knows. */
struct left {
	int tid;
	uint64_t tsc;
};

struct fc_kernel {
	struct fc_well well;
	struct fc_kernel_opts opts;
	struct fc_tracefs *tracefs;
	struct fc_cpus *cpus;
	struct layout enter, exit;
	struct fc_syscalls *syscalls;
	struct fc_tap *tap;
	struct fc_numbers *numbers;
	struct fc_states states;
	pthread_mutex_t leaving; /* of left */
	FC_VEC(struct left) left;
	FC_VEC(struct raw) raws;
	FC_VEC(uint64_t) words; /* of one thread, not told yet */
	int words_tid;
	uint64_t words_tsc, nr_words;
	struct fc_strand_info lost_strand; /* where it is told how many were lost */
	uint64_t lost_told;
	uint64_t last_take_ns;
	bool had_events; /* at the last take: more are to come */
	bool is_on, is_following;
};

static struct fc_kernel *kernel_of(struct fc_well *well)
{
	return (struct fc_kernel *)well;
}

/* ---- events ---- */

static void take_event(void *ctx, uint64_t tsc, const void *event, size_t size)
{
	struct fc_kernel *kernel = ctx;
	int id = (int)fc_event_field_read(&kernel->enter.field[TYPE], event, size, 0);
	bool is_exit = id == kernel->exit.id;
	const struct layout *layout = is_exit ? &kernel->exit : &kernel->enter;
	if (!is_exit && id != kernel->enter.id)
		return;
	struct raw raw = {
		.tsc = tsc,
		.order = (uint32_t)kernel->raws.nr,
		.tid = (int)fc_event_field_read(&layout->field[PID], event, size, 0),
		.is_exit = is_exit,
		.number = fc_event_field_read(&layout->field[NUMBER], event, size, 0),
	};
	for (size_t i = 0; i < (is_exit ? 1 : FC_SYSCALL_ARGS); i++)
		raw.value[i] = fc_event_field_read(&layout->field[VALUE], event, size, i);
	fc_vec_push(&kernel->raws, raw);
}

static int compare(const void *a, const void *b)
{
	const struct raw *left = a, *right = b;
	if (left->tsc != right->tsc)
		return left->tsc < right->tsc ? -1 : 1;
	return (left->order > right->order) - (left->order < right->order);
}

/* ---- words ---- */

static void tell_words(struct fc_kernel *kernel)
{
	struct fc_strand_info strand = { .id = FC_STRAND_BESIDE, .tid = kernel->words_tid };
	if (kernel->words.nr)
		kernel->tap->records(kernel->tap, &strand, kernel->words.at, kernel->words.nr,
				     kernel->words_tsc);
	kernel->nr_words += kernel->words.nr;
	kernel->words.nr = 0;
}

static void add_words(struct fc_kernel *kernel, const struct raw *raw, const uint64_t *words,
		      size_t nr)
{
	enum { AT_ONCE = 4096 };
	if (kernel->words_tid != raw->tid || kernel->words.nr > AT_ONCE)
		tell_words(kernel);
	kernel->words_tid = raw->tid;
	kernel->words_tsc = raw->tsc;
	for (size_t i = 0; i < nr; i++)
		fc_vec_push(&kernel->words, words[i]);
}

/* The end of what is open is among what was lost. */
static void close_open(struct fc_kernel *kernel, const struct raw *raw, struct fc_state *state)
{
	uint64_t pop = fc_record(raw->tsc, 0, FC_POP);
	if (state->is_open)
		add_words(kernel, raw, &pop, 1);
	state->is_open = false;
}

static void enter(struct fc_kernel *kernel, const struct raw *raw, struct fc_state *state)
{
	uint64_t words[FC_SYSCALL_WORDS];
	close_open(kernel, raw, state);
	if (fca_is_own_call(raw->number, raw->value)) /* its return is of no open call */
		return;
	state->is_open = true;
	state->number = raw->number;
	size_t nr =
		fc_syscalls_enter(kernel->syscalls, raw->tsc, raw->number, raw->value, words);
	add_words(kernel, raw, words, nr);
}

/*
 * A call that was entered before it was looked at has no begin: nothing is told of it. The return of
 * a handler has no number, for the thread's registers are then those of what was interrupted.
 */
static void leave(struct fc_kernel *kernel, const struct raw *raw, struct fc_state *state)
{
	static const uint64_t none = UINT64_MAX;
	uint64_t words[FC_SYSCALL_WORDS];
	if (state->is_open && raw->number != state->number && raw->number != none)
		close_open(kernel, raw, state);
	if (!state->is_open)
		return;
	state->is_open = false;
	size_t nr = fc_syscalls_leave(kernel->syscalls, raw->tsc, state->number,
				      (int64_t)raw->value[0], words);
	add_words(kernel, raw, words, nr);
}

static void take_left(struct fc_kernel *kernel)
{
	pthread_mutex_lock(&kernel->leaving);
	fc_vec_each (&kernel->left, left)
		fc_states_get(&kernel->states, left->tid)->left_tsc = left->tsc;
	kernel->left.nr = 0;
	pthread_mutex_unlock(&kernel->leaving);
}

/* Those before until, in order of time. */
static void tell_events(struct fc_kernel *kernel, uint64_t until)
{
	size_t nr = 0;
	take_left(kernel);
	if (kernel->raws.nr)
		qsort(kernel->raws.at, kernel->raws.nr, sizeof(struct raw), compare);
	for (; nr < kernel->raws.nr && kernel->raws.at[nr].tsc < until; nr++) {
		const struct raw *raw = &kernel->raws.at[nr];
		struct fc_state *state = fc_states_get(&kernel->states, raw->tid);
		if (state->left_tsc && state->left_tsc < raw->tsc)
			continue;
		if (raw->is_exit)
			leave(kernel, raw, state);
		else
			enter(kernel, raw, state);
	}
	tell_words(kernel);
	if (!nr)
		return;
	kernel->raws.nr -= nr;
	memmove(kernel->raws.at, kernel->raws.at + nr, kernel->raws.nr * sizeof(struct raw));
	for (size_t i = 0; i < kernel->raws.nr; i++)
		kernel->raws.at[i].order = (uint32_t)i;
}

static void tell_lost(struct fc_kernel *kernel, uint64_t tsc)
{
	uint64_t lost = fc_cpus_lost(kernel->cpus);
	uint64_t words[] = { fc_record(tsc, fc_mark_func(FC_MARK_LOST, 2), FC_MARK),
			     lost - kernel->lost_told, 1 };
	if (lost == kernel->lost_told)
		return;
	kernel->lost_told = lost;
	kernel->tap->records(kernel->tap, &kernel->lost_strand, words, 3, tsc);
}

static void tell_until(struct fc_kernel *kernel, uint64_t until)
{
	struct fc_strand_info strand = { .id = FC_STRAND_BESIDE };
	tell_events(kernel, until);
	kernel->tap->records(kernel->tap, &strand, NULL, 0, until);
}

/* ---- as a well ---- */

static int start(struct fc_well *well, struct fc_numbers *numbers, struct fc_tap *tap)
{
	struct fc_kernel *kernel = kernel_of(well);
	kernel->numbers = numbers;
	kernel->tap = tap;
	kernel->syscalls = fc_syscalls_create(numbers);
	kernel->lost_strand = (struct fc_strand_info){ .id = fc_numbers_strand(numbers),
						       .kind = FC_STRAND_KERNEL };
	return tap->module(tap, fc_syscalls_module(kernel->syscalls));
}

static void say(struct fc_kernel *kernel, const char *sentence)
{
	struct fc_life_info life = { .life = FC_LIFE_SAY,
				     .tsc = fc_clock_tsc(),
				     .text = sentence };
	kernel->opts.say(kernel->opts.ctx, sentence);
	kernel->tap->life(kernel->tap, &life);
}

static void turn(struct fc_kernel *kernel)
{
	bool is_on = kernel->is_on && kernel->is_following;
	if (fc_tracefs_write(kernel->tracefs, "tracing_on", is_on ? "1" : "0"))
		say(kernel, fc_fail_text());
}

static void follow(struct fc_well *well, int tid)
{
	struct fc_kernel *kernel = kernel_of(well);
	fc_auto_free char *text = fc_asprintf("%d", tid);
	if (fc_tracefs_append(kernel->tracefs, "set_event_pid", text)) {
		say(kernel, fc_fail_text());
		return;
	}
	if (kernel->is_following)
		return;
	kernel->is_following = true;
	turn(kernel);
}

static void leave_thread(struct fc_well *well, int tid)
{
	struct fc_kernel *kernel = kernel_of(well);
	pthread_mutex_lock(&kernel->leaving);
	fc_vec_push(&kernel->left, (struct left){ tid, fc_clock_tsc() });
	pthread_mutex_unlock(&kernel->leaving);
}

static void turn_on(struct fc_well *well, bool is_on)
{
	struct fc_kernel *kernel = kernel_of(well);
	kernel->is_on = is_on;
	turn(kernel);
}

static uint64_t take_once(struct fc_kernel *kernel, uint64_t now_tsc)
{
	size_t before = kernel->raws.nr;
	uint64_t until = fc_cpus_take(kernel->cpus, now_tsc, take_event, kernel);
	kernel->had_events = kernel->raws.nr > before;
	tell_lost(kernel, now_tsc);
	tell_until(kernel, until);
	return until;
}

static size_t take(struct fc_well *well, uint64_t now_tsc)
{
	struct fc_kernel *kernel = kernel_of(well);
	uint64_t now_ns = fc_clock_mono_ns(), before = kernel->nr_words;
	if (now_ns - kernel->last_take_ns < TAKE_EVERY_NS)
		return kernel->had_events;
	kernel->last_take_ns = now_ns;
	take_once(kernel, now_tsc);
	return kernel->nr_words - before;
}

static void say_lost(struct fc_kernel *kernel)
{
	uint64_t lost = fc_cpus_lost(kernel->cpus);
	if (!lost)
		return;
	fc_auto_free char *where = fc_cpus_lost_text(kernel->cpus);
	fc_auto_free char *sentence = fc_asprintf(
		"%llu event%s of system calls %s lost: they came faster than they were read, "
		"and the kernel waits for nobody (%s)",
		(unsigned long long)lost, lost == 1 ? "" : "s", lost == 1 ? "was" : "were",
		where);
	say(kernel, sentence);
}

static void stop(struct fc_well *well, uint64_t now_tsc)
{
	struct fc_kernel *kernel = kernel_of(well);
	fc_tracefs_write(kernel->tracefs, "tracing_on", "0");
	do {
		now_tsc = fc_clock_tsc();
	} while (take_once(kernel, now_tsc) < now_tsc);
	fc_cpus_count_lost(kernel->cpus);
	now_tsc = fc_clock_tsc();
	tell_lost(kernel, now_tsc);
	tell_until(kernel, now_tsc);
	kernel->tap->strand_end(kernel->tap, &kernel->lost_strand, now_tsc);
	say_lost(kernel);
}

/* ---- its life ---- */

static int find_layouts(struct fc_kernel *kernel)
{
	kernel->enter = (struct layout){
		.field = { { "common_type" }, { "common_pid" }, { "id" }, { "args" } }
	};
	kernel->exit = (struct layout){
		.field = { { "common_type" }, { "common_pid" }, { "id" }, { "ret" } }
	};
	int err = fc_event_format_find(kernel->tracefs, "raw_syscalls", "sys_enter",
				       kernel->enter.field, NR_FIELDS, &kernel->enter.id);
	return err ? err
		   : fc_event_format_find(kernel->tracefs, "raw_syscalls", "sys_exit",
					  kernel->exit.field, NR_FIELDS, &kernel->exit.id);
}

/* Whoever traced threads make is followed by the kernel itself, from the first moment on. */
static int set_up(struct fc_kernel *kernel)
{
	static const struct {
		const char *file, *text;
	} settings[] = {
		{ "trace_clock", FC_ARCH_TRACE_CLOCK },
		{ "options/event-fork", "1" },
		{ "events/raw_syscalls/sys_enter/enable", "1" },
		{ "events/raw_syscalls/sys_exit/enable", "1" },
	};
	int err = find_layouts(kernel);
	for (size_t i = 0; !err && i < sizeof(settings) / sizeof(settings[0]); i++)
		err = fc_tracefs_write(kernel->tracefs, settings[i].file, settings[i].text);
	return err ? err : fc_cpus_open(kernel->tracefs, &kernel->cpus);
}

int fc_kernel_open(const struct fc_kernel_opts *opts, struct fc_kernel **ret)
{
	struct fc_kernel *kernel = fc_alloc(sizeof(*kernel));
	kernel->opts = *opts;
	kernel->is_on = true;
	pthread_mutex_init(&kernel->leaving, NULL);
	kernel->well = (struct fc_well){ .start = start,
					 .follow = follow,
					 .leave = leave_thread,
					 .turn_on = turn_on,
					 .take = take,
					 .stop = stop };
	int err = fc_tracefs_open(&kernel->tracefs);
	if (!err)
		err = set_up(kernel);
	if (err) {
		fc_kernel_close(kernel);
		return err;
	}
	*ret = kernel;
	return 0;
}

void fc_kernel_close(struct fc_kernel *kernel)
{
	if (!kernel)
		return;
	fc_cpus_close(kernel->cpus);
	fc_tracefs_close(kernel->tracefs);
	fc_syscalls_destroy(kernel->syscalls);
	fc_states_deinit(&kernel->states);
	pthread_mutex_destroy(&kernel->leaving);
	fc_vec_free(&kernel->left);
	fc_vec_free(&kernel->raws);
	fc_vec_free(&kernel->words);
	free(kernel);
}

struct fc_well *fc_kernel_well(struct fc_kernel *kernel)
{
	return &kernel->well;
}
