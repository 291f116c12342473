/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_events.c - events of each thread, in order of time, become its entries, exits and values. */
#include "capture/kernel/kernel_events.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "capture/agent/abi.h"
#include "capture/kernel/states.h"
#include "trace/clock.h"
#include "trace/record.h"
#include "values/failure.h"

/* A thread that is not traced any more, until the taking thread knows. */
struct left {
	int tid;
	uint64_t tsc;
};

struct fc_kernel_events {
	struct fc_kernel_events_opts with;
	struct fc_numbered states; /* struct fc_state */
	FC_VEC(int) held; /* threads whose last entry waits for its arguments, among others */
	uint64_t nr_takes;
	pthread_mutex_t leaving; /* of left */
	FC_VEC(struct left) left;
	FC_VEC(uint64_t) words; /* of one thread, not told yet */
	int words_tid;
	uint64_t words_tsc, nr_words;
};

/* ---- words ---- */

static void tell_words(struct fc_kernel_events *events)
{
	struct fc_strand_info strand = { .id = FC_STRAND_BESIDE, .tid = events->words_tid };
	if (events->words.nr)
		events->with.tap->records(events->with.tap, &strand, events->words.at,
					  events->words.nr, events->words_tsc);
	events->nr_words += events->words.nr;
	events->words.nr = 0;
}

static void add_words(struct fc_kernel_events *events, const struct fc_raw *raw,
		      const uint64_t *words, size_t nr)
{
	enum { AT_ONCE = 4096 };
	if (events->words_tid != raw->tid || events->words.nr > AT_ONCE)
		tell_words(events);
	events->words_tid = raw->tid;
	events->words_tsc = raw->tsc;
	for (size_t i = 0; i < nr; i++)
		fc_vec_push(&events->words, words[i]);
}

static void add_record(struct fc_kernel_events *events, const struct fc_raw *raw, uint32_t func,
		       enum fc_kind kind)
{
	uint64_t word = fc_record(raw->tsc, func, kind);
	add_words(events, raw, &word, 1);
}

/* Of a thread, after what was told of it before. */
static void tell_life(struct fc_kernel_events *events, const struct fc_life_info *life)
{
	tell_words(events);
	if (events->with.lives)
		events->with.tap->life(events->with.tap, life);
}

/* ---- functions ---- */

/*
 * Only so many of the functions stay open: the ends of the others are among what was lost, or they
 * are of what the kernel does around a system call.
 */
static void keep_open(struct fc_kernel_events *events, const struct fc_raw *raw,
		      struct fc_state *state, size_t nr)
{
	if (state->funcs.nr <= nr)
		return;
	state->funcs.nr = nr;
	add_record(events, raw, (uint32_t)nr + state->is_open, FC_POP);
}

/* When it came back is among what was lost. */
static void end_off(struct fc_kernel_events *events, const struct fc_raw *raw,
		    struct fc_state *state)
{
	if (!state->off)
		return;
	state->off = 0;
	add_record(events, raw, (uint32_t)state->funcs.nr + state->is_open, FC_POP);
}

/* How many functions are open that are less deep. */
static size_t nr_above(const struct fc_state *state, int64_t depth)
{
	size_t nr = state->funcs.nr;
	while (nr && state->funcs.at[nr - 1].depth >= depth)
		nr--;
	return nr;
}

/* An entry waits for the event that has its arguments, which is the next one of its thread. */
static void hold(struct fc_kernel_events *events, const struct fc_raw *raw,
		 struct fc_state *state)
{
	state->is_held = true;
	state->held = *raw;
	state->held_take = events->nr_takes;
	fc_vec_push(&events->held, raw->tid);
}

/* arg: NULL, if they are not known. */
static void add_entry(struct fc_kernel_events *events, const struct fc_raw *raw,
		      const struct fc_kernel_func *func, const uint64_t *arg)
{
	if (arg && func->nr_args) {
		uint64_t words[FC_KERNEL_ENTRY_WORDS];
		size_t nr =
			fc_kernel_values_args(events->with.values, func, raw->tsc, arg, words);
		add_words(events, raw, words, nr);
	}
	add_record(events, raw, func->id, FC_ENTRY);
}

static void tell_held(struct fc_kernel_events *events, struct fc_state *state,
		      const uint64_t *arg)
{
	if (!state->is_held)
		return;
	const struct fc_raw *raw = &state->held;
	const struct fc_kernel_func *func = fc_kernel_funcs_at(events->with.funcs, raw->number);
	state->is_held = false;
	add_entry(events, raw, func, arg);
}

static void take_args(struct fc_kernel_events *events, const struct fc_raw *raw,
		      const uint64_t *arg, struct fc_state *state)
{
	bool is_its = state->is_held &&
		      fc_kernel_funcs_at(events->with.funcs, raw->number) ==
			      fc_kernel_funcs_at(events->with.funcs, state->held.number);
	tell_held(events, state, is_its ? arg : NULL);
}

/*
 * Since when entries are held, or until: what comes behind them is not told yet. Those that were held
 * when all was taken once more have lost their arguments.
 */
static uint64_t held_since(struct fc_kernel_events *events, uint64_t until)
{
	size_t nr = 0;
	fc_vec_each (&events->held, tid) {
		struct fc_state *state = fc_states_get(&events->states, *tid);
		if (state->is_held && state->held_take < events->nr_takes)
			tell_held(events, state, NULL);
		if (!state->is_held)
			continue;
		until = state->held.tsc < until ? state->held.tsc : until;
		events->held.at[nr++] = *tid;
	}
	events->held.nr = nr;
	return until;
}

/* arg: that the tracer itself recorded, or NULL. */
static void enter_func(struct fc_kernel_events *events, const struct fc_raw *raw,
		       const struct fc_kernel_func *func, const uint64_t *arg,
		       struct fc_state *state)
{
	const struct fc_kernel_events_opts *opts = &events->with;
	keep_open(events, raw, state, nr_above(state, raw->value));
	if (opts->depth && state->funcs.nr >= opts->depth)
		return;
	if (!func || (opts->from && !state->funcs.nr && !func->is_start))
		return;
	fc_vec_push(&state->funcs,
		    (struct fc_open_func){ .id = func->id, .depth = (int)raw->value });
	if (events->with.has_args && func->nr_args)
		hold(events, raw, state);
	else
		add_entry(events, raw, func, arg);
}

static struct fc_open_func *innermost(struct fc_state *state)
{
	return state->funcs.nr ? &state->funcs.at[state->funcs.nr - 1] : NULL;
}

static void keep_result(struct fc_kernel_events *events, const struct fc_raw *raw,
			struct fc_state *state)
{
	struct fc_open_func *open = innermost(state);
	const struct fc_kernel_func *func = fc_kernel_funcs_at(events->with.funcs, raw->number);
	if (!open || !func || open->id != func->id || !func->result_size)
		return;
	open->has_result = true;
	open->result = (uint64_t)raw->value;
}

/*
 * One that was entered before it was looked at, or that is left out, has no begin. result: that the
 * tracer itself recorded, or NULL.
 */
static void leave_func(struct fc_kernel_events *events, const struct fc_raw *raw,
		       const struct fc_kernel_func *func, const uint64_t *result,
		       struct fc_state *state)
{
	keep_open(events, raw, state, nr_above(state, raw->value + 1));
	const struct fc_open_func *open = innermost(state);
	if (!open || open->depth != raw->value || !func || open->id != func->id)
		return;
	state->funcs.nr--;
	if (!result && open->has_result)
		result = &open->result;
	if (result && func->result_size) {
		uint64_t words[FC_KERNEL_RESULT_WORDS];
		size_t nr = fc_kernel_values_result(events->with.values, func, raw->tsc,
						    *result, words);
		add_words(events, raw, words, nr);
	}
	add_record(events, raw, func->id, FC_EXIT);
}

/*
 * What the kernel does because it is traced, with all that it calls, and what a thread still does on its
 * way off the CPU: none of it is told.
 */
static bool is_aside(const struct fc_raw *raw, const struct fc_kernel_func *func,
		     struct fc_state *state)
{
	const struct fc_open_func *open = innermost(state);
	bool is_recorder = func && func->is_aside;
	if (state->is_aside && raw->value > state->aside)
		return true;
	state->is_aside = is_recorder && raw->kind == FC_RAW_ENTRY;
	state->aside = raw->value;
	if (is_recorder)
		return true;
	return state->off && (!open || raw->value > open->depth);
}

static void tell_func(struct fc_kernel_events *events, const struct fc_raw *raw,
		      const uint64_t *words, struct fc_state *state)
{
	const struct fc_kernel_func *func = fc_kernel_funcs_at(events->with.funcs, raw->number);
	if (is_aside(raw, func, state))
		return;
	tell_held(events, state, NULL);
	end_off(events, raw, state);
	if (state->is_own)
		return;
	if (raw->kind == FC_RAW_ENTRY)
		enter_func(events, raw, func, words, state);
	else
		leave_func(events, raw, func, words, state);
}

/* ---- system calls ---- */

/* The end of what is open is among what was lost. */
static void close_open(struct fc_kernel_events *events, const struct fc_raw *raw,
		       struct fc_state *state)
{
	bool is_any = state->is_open || state->funcs.nr || state->off;
	state->is_open = state->is_aside = false;
	state->funcs.nr = 0;
	state->off = 0;
	if (is_any)
		add_record(events, raw, 0, FC_POP);
}

static void enter(struct fc_kernel_events *events, const struct fc_raw *raw,
		  const uint64_t *args, struct fc_state *state)
{
	uint64_t words[FC_SYSCALL_WORDS];
	close_open(events, raw, state);
	state->is_own = fca_is_own_call(raw->number, args) ||
			!fc_syscalls_wants(events->with.syscalls, raw->number);
	if (state->is_own) /* its return is of no open call */
		return;
	state->is_open = true;
	state->number = raw->number;
	fc_syscalls_take(events->with.syscalls, raw->number, args, &state->taken);
	size_t nr =
		fc_syscalls_enter(events->with.syscalls, raw->tsc, raw->number, args, words);
	add_words(events, raw, words, nr);
}

static void end_call(struct fc_kernel_events *events, const struct fc_raw *raw, int64_t result,
		     struct fc_state *state)
{
	uint64_t words[FC_SYSCALL_WORDS];
	keep_open(events, raw, state, 0);
	if (!state->is_open)
		return;
	state->is_open = false;
	size_t nr = fc_syscalls_leave(events->with.syscalls, raw->tsc, state->number, result,
				      &state->taken, words);
	add_words(events, raw, words, nr);
}

/*
 * A call that was entered before it was looked at has no begin: nothing is told of it. The return of
 * a handler has no number, for the thread's registers are then those of what was interrupted.
 */
static void leave(struct fc_kernel_events *events, const struct fc_raw *raw,
		  struct fc_state *state)
{
	static const uint64_t none = UINT64_MAX;
	state->is_own = false;
	if (state->is_open && raw->number != state->number && raw->number != none)
		close_open(events, raw, state);
	end_call(events, raw, raw->value, state);
}

/* ---- off the CPU ---- */

static bool is_left(const struct fc_state *state, const struct fc_raw *raw)
{
	return state->left_tsc && state->left_tsc < raw->tsc;
}

/* A thread that is not known to be traced is one that a traced one takes turns with. */
static bool is_told_off(const struct fc_kernel_events *events, const struct fc_state *state,
			const struct fc_raw *raw)
{
	return state->is_traced && !state->is_own && !is_left(state, raw) &&
	       (!events->with.from || state->funcs.nr);
}

static void switch_from(struct fc_kernel_events *events, const struct fc_raw *raw)
{
	uint64_t words[FC_OFF_CPU_WORDS];
	struct fc_state *state = fc_states_get(&events->states, raw->tid);
	tell_held(events, state, NULL);
	end_off(events, raw, state);
	if (events->with.off_cpu && is_told_off(events, state, raw)) {
		size_t nr = fc_off_cpu_out(events->with.off_cpu, raw, &state->off, words);
		add_words(events, raw, words, nr);
	}
	if (!(raw->number & FC_RAW_DEAD))
		return;
	state->is_traced = false;
	tell_life(events, &(struct fc_life_info){ .life = FC_LIFE_THREAD_EXIT,
						  .tid = raw->tid,
						  .tsc = raw->tsc });
}

/* Of the thread tid, if it is off the CPU: it was woken, or is switched to; words: as raws.h has them. */
static void come_back(struct fc_kernel_events *events, int tid, const struct fc_raw *raw,
		      const uint64_t *words)
{
	uint64_t told[FC_OFF_CPU_WORDS];
	struct fc_raw of = *raw;
	of.tid = tid;
	struct fc_state *state = fc_states_get(&events->states, tid);
	if (!state->off)
		return;
	if (is_left(state, raw))
		state->off = 0;
	else if (raw->kind == FC_RAW_SWITCH)
		add_words(events, &of, told,
			  fc_off_cpu_in(events->with.off_cpu, raw, words, &state->off, told));
	else
		add_words(
			events, &of, told,
			fc_off_cpu_woken(events->with.off_cpu, raw, words, &state->off, told));
}

/* ---- lives ---- */

/* Its number may have been another's, whose end is among what was lost. */
static void begin_thread(struct fc_kernel_events *events, const struct fc_raw *raw)
{
	int tid = (int)raw->number;
	struct fc_state *state = fc_states_get(&events->states, tid);
	bool is_thread = raw->value & CLONE_THREAD;
	state->is_open = state->is_own = state->is_traced = state->is_held = false;
	state->is_aside = false;
	state->off = 0;
	state->funcs.nr = 0;
	tell_life(events, &(struct fc_life_info){ .life = is_thread ? FC_LIFE_THREAD_START
								    : FC_LIFE_START,
						  .tid = tid,
						  .other = raw->tid,
						  .tsc = raw->tsc });
}

/* The system call that did it has a result, and nobody to return to: the program begins. */
static void exec_program(struct fc_kernel_events *events, const struct fc_raw *raw,
			 const char *path)
{
	struct fc_state *state = fc_states_get(&events->states, raw->tid);
	tell_held(events, state, NULL);
	end_off(events, raw, state);
	end_call(events, raw, 0, state);
	tell_life(events, &(struct fc_life_info){ .life = FC_LIFE_EXEC,
						  .tid = raw->tid,
						  .tsc = raw->tsc,
						  .text = path });
}

static void tell_end(struct fc_kernel_events *events, const struct fc_raw *raw)
{
	tell_life(events, &(struct fc_life_info){ .life = FC_LIFE_EXIT,
						  .tid = raw->tid,
						  .other = (int)raw->number,
						  .status = (int)raw->value,
						  .tsc = raw->tsc });
}

/* ---- all of it, in order of time ---- */

static void take_path(const struct fc_raw *raw, const uint64_t *words, struct fc_state *state)
{
	bool is_error = (int64_t)raw->number < 0 && (int64_t)raw->number > -FC_ERRORS;
	if (state->is_open && !is_error)
		fc_paths_take(&state->taken.paths, raw->number, (uint64_t)raw->value,
			      (const char *)words);
}

static void take_address(const struct fc_raw *raw, const uint64_t *words,
			 struct fc_state *state)
{
	struct fc_taken *taken = &state->taken;
	if (!state->is_open || !raw->number || raw->number > sizeof(taken->address))
		return;
	taken->address_size = (uint16_t)raw->number;
	memcpy(taken->address, words, raw->number);
}

static void take_left(struct fc_kernel_events *events)
{
	pthread_mutex_lock(&events->leaving);
	fc_vec_each (&events->left, left)
		fc_states_get(&events->states, left->tid)->left_tsc = left->tsc;
	events->left.nr = 0;
	pthread_mutex_unlock(&events->leaving);
}

static void tell_of_thread(struct fc_kernel_events *events, const struct fc_raw *raw,
			   const uint64_t *words)
{
	struct fc_state *state = fc_states_get(&events->states, raw->tid);
	if (is_left(state, raw))
		return;
	state->is_traced = true;
	if (raw->kind == FC_RAW_ARGS) {
		take_args(events, raw, words, state);
		return;
	}
	if (raw->kind == FC_RAW_ENTRY || raw->kind == FC_RAW_EXIT) {
		tell_func(events, raw, words, state);
		return;
	}
	if (raw->kind == FC_RAW_RETURN) {
		keep_result(events, raw, state);
		return;
	}
	tell_held(events, state, NULL);
	end_off(events, raw, state);
	if (raw->kind == FC_RAW_CALL)
		enter(events, raw, words, state);
	else if (raw->kind == FC_RAW_RESULT)
		leave(events, raw, state);
	else if (!state->is_own && raw->kind == FC_RAW_PATH)
		take_path(raw, words, state);
	else if (!state->is_own && raw->kind == FC_RAW_ADDRESS)
		take_address(raw, words, state);
}

static void tell_event(void *ctx, const struct fc_raw *raw, const uint64_t *words)
{
	struct fc_kernel_events *events = ctx;
	/* Thread 0 is who runs on a CPU on which nobody does. */
	if (raw->kind == FC_RAW_SWITCH) {
		if (raw->tid)
			switch_from(events, raw);
		if (raw->value)
			come_back(events, (int)raw->value, raw, words);
	} else if (raw->kind == FC_RAW_WAKING) {
		come_back(events, (int)raw->number, raw, words);
	} else if (raw->kind == FC_RAW_BORN) {
		begin_thread(events, raw);
	} else if (raw->kind == FC_RAW_EXEC) {
		exec_program(events, raw, (const char *)words);
	} else if (raw->kind == FC_RAW_END) {
		tell_end(events, raw);
	} else {
		tell_of_thread(events, raw, words);
	}
}

uint64_t fc_kernel_events_tell(struct fc_kernel_events *events, struct fc_raws *raws,
			       uint64_t until)
{
	events->nr_takes++;
	take_left(events);
	fc_raws_tell(raws, until, tell_event, events);
	until = held_since(events, until);
	tell_words(events);
	return until;
}

void fc_kernel_events_leave(struct fc_kernel_events *events, int tid)
{
	pthread_mutex_lock(&events->leaving);
	fc_vec_push(&events->left, (struct left){ tid, fc_clock_tsc() });
	pthread_mutex_unlock(&events->leaving);
}

uint64_t fc_kernel_events_nr_words(const struct fc_kernel_events *events)
{
	return events->nr_words;
}

/* ---- their life ---- */

struct fc_kernel_events *fc_kernel_events_create(const struct fc_kernel_events_opts *opts)
{
	struct fc_kernel_events *events = fc_alloc(sizeof(*events));
	events->with = *opts;
	events->states.size = sizeof(struct fc_state);
	pthread_mutex_init(&events->leaving, NULL);
	return events;
}

void fc_kernel_events_destroy(struct fc_kernel_events *events)
{
	if (!events)
		return;
	fc_numbered_each (&events->states, struct fc_state, state) {
		fc_vec_free(&state->funcs);
		fc_paths_forget(&state->taken.paths);
	}
	fc_numbered_deinit(&events->states);
	pthread_mutex_destroy(&events->leaving);
	fc_vec_free(&events->left);
	fc_vec_free(&events->held);
	fc_vec_free(&events->words);
	free(events);
}
