/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.c - the kernel's well: system calls and kernel functions become records of their threads. */
#include "capture/kernel/kernel.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "arch/kernel.h"
#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/vec.h"
#include "capture/agent/abi.h"
#include "capture/kernel/cpus.h"
#include "capture/kernel/func_probes.h"
#include "capture/kernel/function_graph.h"
#include "capture/kernel/kernel_values.h"
#include "capture/kernel/off_cpu.h"
#include "capture/kernel/path_probes.h"
#include "capture/kernel/raws.h"
#include "capture/kernel/states.h"
#include "capture/kernel/tasks/everybody.h"
#include "capture/kernel/tracefile.h"
#include "capture/kernel/tracefs.h"
#include "capture/syscall/syscalls.h"
#include "trace/clock.h"
#include "trace/record.h"
#include "values/failure.h"

#define TAKE_EVERY_NS 200000 /* a look costs a system call for each CPU */

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
	struct fc_raws *raws;
	struct fc_kernel_funcs *funcs;	 /* NULL: only system calls */
	struct fc_kernel_values *values; /* of them; NULL: none */
	bool has_args, has_results, has_paths;
	struct fc_syscalls *syscalls;
	struct fc_off_cpu *off_cpu;
	struct fc_tap *tap;
	struct fc_numbers *numbers;
	struct fc_states states;
	FC_VEC(int) held; /* threads whose last entry waits for its arguments, among others */
	uint64_t nr_takes;
	pthread_mutex_t leaving; /* of left */
	FC_VEC(struct left) left;
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

static const char *folder_of(const struct fc_kernel *kernel)
{
	return fc_tracefs_folder(kernel->tracefs);
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

static void add_words(struct fc_kernel *kernel, const struct fc_raw *raw, const uint64_t *words,
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

static void add_record(struct fc_kernel *kernel, const struct fc_raw *raw, uint32_t func,
		       enum fc_kind kind)
{
	uint64_t word = fc_record(raw->tsc, func, kind);
	add_words(kernel, raw, &word, 1);
}

/* Of a thread, after what was told of it before. */
static void tell_life(struct fc_kernel *kernel, const struct fc_life_info *life)
{
	tell_words(kernel);
	if (kernel->opts.whom != FC_KERNEL_PROGRAMS)
		kernel->tap->life(kernel->tap, life);
}

/* ---- functions ---- */

/*
 * Only so many of the functions stay open: the ends of the others are among what was lost, or they
 * are of what the kernel does around a system call.
 */
static void keep_open(struct fc_kernel *kernel, const struct fc_raw *raw,
		      struct fc_state *state, size_t nr)
{
	if (state->funcs.nr <= nr)
		return;
	state->funcs.nr = nr;
	add_record(kernel, raw, (uint32_t)nr + state->is_open, FC_POP);
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
static void hold(struct fc_kernel *kernel, const struct fc_raw *raw, struct fc_state *state)
{
	state->is_held = true;
	state->held = *raw;
	state->held_take = kernel->nr_takes;
	fc_vec_push(&kernel->held, raw->tid);
}

/* arg: NULL, if they are not known. */
static void tell_held(struct fc_kernel *kernel, struct fc_state *state, const uint64_t *arg)
{
	if (!state->is_held)
		return;
	const struct fc_raw *raw = &state->held;
	const struct fc_kernel_func *func = fc_kernel_funcs_at(kernel->funcs, raw->number);
	state->is_held = false;
	if (arg) {
		uint64_t words[FC_KERNEL_ENTRY_WORDS];
		size_t nr = fc_kernel_values_args(kernel->values, func, raw->tsc, arg, words);
		add_words(kernel, raw, words, nr);
	}
	add_record(kernel, raw, func->id, FC_ENTRY);
}

static void take_args(struct fc_kernel *kernel, const struct fc_raw *raw, const uint64_t *arg,
		      struct fc_state *state)
{
	bool is_its =
		state->is_held && fc_kernel_funcs_at(kernel->funcs, raw->number) ==
					  fc_kernel_funcs_at(kernel->funcs, state->held.number);
	tell_held(kernel, state, is_its ? arg : NULL);
}

/*
 * Since when entries are held, or until: what comes behind them is not told yet. Those that were held
 * when all was taken once more have lost their arguments.
 */
static uint64_t held_since(struct fc_kernel *kernel, uint64_t until)
{
	size_t nr = 0;
	fc_vec_each (&kernel->held, tid) {
		struct fc_state *state = fc_states_get(&kernel->states, *tid);
		if (state->is_held && state->held_take < kernel->nr_takes)
			tell_held(kernel, state, NULL);
		if (!state->is_held)
			continue;
		until = state->held.tsc < until ? state->held.tsc : until;
		kernel->held.at[nr++] = *tid;
	}
	kernel->held.nr = nr;
	return until;
}

static void enter_func(struct fc_kernel *kernel, const struct fc_raw *raw,
		       struct fc_state *state)
{
	const struct fc_kernel_opts *opts = &kernel->opts;
	keep_open(kernel, raw, state, nr_above(state, raw->value));
	if (opts->depth && state->funcs.nr >= opts->depth)
		return;
	const struct fc_kernel_func *func = fc_kernel_funcs_at(kernel->funcs, raw->number);
	if (!func || (opts->from && !state->funcs.nr && !func->is_start))
		return;
	fc_vec_push(&state->funcs,
		    (struct fc_open_func){ .id = func->id, .depth = (int)raw->value });
	if (kernel->has_args && func->nr_args)
		hold(kernel, raw, state);
	else
		add_record(kernel, raw, func->id, FC_ENTRY);
}

static struct fc_open_func *innermost(struct fc_state *state)
{
	return state->funcs.nr ? &state->funcs.at[state->funcs.nr - 1] : NULL;
}

static void keep_result(struct fc_kernel *kernel, const struct fc_raw *raw,
			struct fc_state *state)
{
	struct fc_open_func *open = innermost(state);
	const struct fc_kernel_func *func = fc_kernel_funcs_at(kernel->funcs, raw->number);
	if (!open || !func || open->id != func->id || !func->result_size)
		return;
	open->has_result = true;
	open->result = (uint64_t)raw->value;
}

/* One that was entered before it was looked at, or that is left out, has no begin. */
static void leave_func(struct fc_kernel *kernel, const struct fc_raw *raw,
		       struct fc_state *state)
{
	keep_open(kernel, raw, state, nr_above(state, raw->value + 1));
	const struct fc_open_func *open = innermost(state);
	if (!open || open->depth != raw->value)
		return;
	const struct fc_kernel_func *func = fc_kernel_funcs_at(kernel->funcs, raw->number);
	if (!func || open->id != func->id)
		return;
	state->funcs.nr--;
	if (open->has_result) {
		uint64_t words[FC_KERNEL_RESULT_WORDS];
		size_t nr = fc_kernel_values_result(kernel->values, func, raw->tsc,
						    open->result, words);
		add_words(kernel, raw, words, nr);
	}
	add_record(kernel, raw, func->id, FC_EXIT);
}

/* ---- system calls ---- */

/* The end of what is open is among what was lost. */
static void close_open(struct fc_kernel *kernel, const struct fc_raw *raw,
		       struct fc_state *state)
{
	bool is_any = state->is_open || state->funcs.nr || state->off;
	state->is_open = false;
	state->funcs.nr = 0;
	state->off = 0;
	if (is_any)
		add_record(kernel, raw, 0, FC_POP);
}

static void enter(struct fc_kernel *kernel, const struct fc_raw *raw, const uint64_t *args,
		  struct fc_state *state)
{
	uint64_t words[FC_SYSCALL_WORDS];
	close_open(kernel, raw, state);
	state->is_own = fca_is_own_call(raw->number, args);
	if (state->is_own) /* its return is of no open call */
		return;
	state->is_open = true;
	state->number = raw->number;
	fc_syscalls_paths(kernel->syscalls, raw->number, args, &state->paths);
	size_t nr = fc_syscalls_enter(kernel->syscalls, raw->tsc, raw->number, args, words);
	add_words(kernel, raw, words, nr);
}

static void end_call(struct fc_kernel *kernel, const struct fc_raw *raw, int64_t result,
		     struct fc_state *state)
{
	uint64_t words[FC_SYSCALL_WORDS];
	keep_open(kernel, raw, state, 0);
	if (!state->is_open)
		return;
	state->is_open = false;
	size_t nr = fc_syscalls_leave(kernel->syscalls, raw->tsc, state->number, result,
				      &state->paths, words);
	add_words(kernel, raw, words, nr);
}

/*
 * A call that was entered before it was looked at has no begin: nothing is told of it. The return of
 * a handler has no number, for the thread's registers are then those of what was interrupted.
 */
static void leave(struct fc_kernel *kernel, const struct fc_raw *raw, struct fc_state *state)
{
	static const uint64_t none = UINT64_MAX;
	state->is_own = false;
	if (state->is_open && raw->number != state->number && raw->number != none)
		close_open(kernel, raw, state);
	end_call(kernel, raw, raw->value, state);
}

/* ---- off the CPU ---- */

/* When it came back is among what was lost. */
static void end_off(struct fc_kernel *kernel, const struct fc_raw *raw, struct fc_state *state)
{
	if (!state->off)
		return;
	state->off = 0;
	add_record(kernel, raw, (uint32_t)state->funcs.nr + state->is_open, FC_POP);
}

static bool is_left(const struct fc_state *state, const struct fc_raw *raw)
{
	return state->left_tsc && state->left_tsc < raw->tsc;
}

/* A thread that is not known to be traced is one that a traced one takes turns with. */
static bool is_told_off(const struct fc_kernel *kernel, const struct fc_state *state,
			const struct fc_raw *raw)
{
	return state->is_traced && !state->is_own && !is_left(state, raw) &&
	       (!kernel->opts.from || state->funcs.nr);
}

static void switch_from(struct fc_kernel *kernel, const struct fc_raw *raw)
{
	enum { IS_DEAD = 0x10 | 0x20 };
	uint64_t words[FC_OFF_CPU_WORDS];
	struct fc_state *state = fc_states_get(&kernel->states, raw->tid);
	tell_held(kernel, state, NULL);
	end_off(kernel, raw, state);
	if (kernel->off_cpu && is_told_off(kernel, state, raw)) {
		size_t nr = fc_off_cpu_out(kernel->off_cpu, raw, &state->off, words);
		add_words(kernel, raw, words, nr);
	}
	if (!(raw->number & IS_DEAD))
		return;
	state->is_traced = false;
	tell_life(kernel, &(struct fc_life_info){ .life = FC_LIFE_THREAD_EXIT,
						  .tid = raw->tid,
						  .tsc = raw->tsc });
}

/* Of the thread tid, if it is off the CPU: it was woken, or with a name is switched to. */
static void come_back(struct fc_kernel *kernel, int tid, const struct fc_raw *raw,
		      const uint64_t *name)
{
	uint64_t words[FC_OFF_CPU_WORDS];
	struct fc_raw of = *raw;
	of.tid = tid;
	struct fc_state *state = fc_states_get(&kernel->states, tid);
	if (!state->off)
		return;
	if (is_left(state, raw))
		state->off = 0;
	else if (name)
		add_words(kernel, &of, words,
			  fc_off_cpu_in(kernel->off_cpu, raw, name, &state->off, words));
	else
		add_words(kernel, &of, words,
			  fc_off_cpu_woken(kernel->off_cpu, raw, &state->off, words));
}

/* ---- lives ---- */

/* Its number may have been another's, whose end is among what was lost. */
static void begin_thread(struct fc_kernel *kernel, const struct fc_raw *raw)
{
	int tid = (int)raw->number;
	struct fc_state *state = fc_states_get(&kernel->states, tid);
	bool is_thread = raw->value & CLONE_THREAD;
	state->is_open = state->is_own = state->is_traced = state->is_held = false;
	state->off = 0;
	state->funcs.nr = 0;
	tell_life(kernel, &(struct fc_life_info){ .life = is_thread ? FC_LIFE_THREAD_START
								    : FC_LIFE_START,
						  .tid = tid,
						  .other = raw->tid,
						  .tsc = raw->tsc });
}

/* The system call that did it has a result, and nobody to return to: the program begins. */
static void exec_program(struct fc_kernel *kernel, const struct fc_raw *raw, const char *path)
{
	struct fc_state *state = fc_states_get(&kernel->states, raw->tid);
	tell_held(kernel, state, NULL);
	end_off(kernel, raw, state);
	end_call(kernel, raw, 0, state);
	tell_life(kernel, &(struct fc_life_info){ .life = FC_LIFE_EXEC,
						  .tid = raw->tid,
						  .tsc = raw->tsc,
						  .text = path });
}

/* ---- all of it, in order of time ---- */

static void take_path(const struct fc_raw *raw, const uint64_t *words, struct fc_state *state)
{
	bool is_error = (int64_t)raw->number < 0 && (int64_t)raw->number > -FC_ERRORS;
	if (state->is_open && !is_error)
		fc_paths_take(&state->paths, raw->number, (uint64_t)raw->value,
			      (const char *)words);
}

static void take_left(struct fc_kernel *kernel)
{
	pthread_mutex_lock(&kernel->leaving);
	fc_vec_each (&kernel->left, left)
		fc_states_get(&kernel->states, left->tid)->left_tsc = left->tsc;
	kernel->left.nr = 0;
	pthread_mutex_unlock(&kernel->leaving);
}

static void tell_of_thread(struct fc_kernel *kernel, const struct fc_raw *raw,
			   const uint64_t *words)
{
	struct fc_state *state = fc_states_get(&kernel->states, raw->tid);
	if (is_left(state, raw))
		return;
	state->is_traced = true;
	if (raw->kind == FC_RAW_ARGS) {
		take_args(kernel, raw, words, state);
		return;
	}
	tell_held(kernel, state, NULL);
	end_off(kernel, raw, state);
	if (raw->kind == FC_RAW_CALL)
		enter(kernel, raw, words, state);
	else if (raw->kind == FC_RAW_RESULT)
		leave(kernel, raw, state);
	else if (state->is_own)
		return;
	else if (raw->kind == FC_RAW_ENTRY)
		enter_func(kernel, raw, state);
	else if (raw->kind == FC_RAW_EXIT)
		leave_func(kernel, raw, state);
	else if (raw->kind == FC_RAW_PATH)
		take_path(raw, words, state);
	else
		keep_result(kernel, raw, state);
}

static void tell_event(void *ctx, const struct fc_raw *raw, const uint64_t *words)
{
	struct fc_kernel *kernel = ctx;
	/* Thread 0 is who runs on a CPU on which nobody does. */
	if (raw->kind == FC_RAW_SWITCH) {
		if (raw->tid)
			switch_from(kernel, raw);
		if (raw->value)
			come_back(kernel, (int)raw->value, raw, words);
	} else if (raw->kind == FC_RAW_WAKING) {
		come_back(kernel, (int)raw->number, raw, NULL);
	} else if (raw->kind == FC_RAW_BORN) {
		begin_thread(kernel, raw);
	} else if (raw->kind == FC_RAW_EXEC) {
		exec_program(kernel, raw, (const char *)words);
	} else {
		tell_of_thread(kernel, raw, words);
	}
}

/* Those before until, in order of time. Returns up to when all has been told. */
static uint64_t tell_events(struct fc_kernel *kernel, uint64_t until)
{
	take_left(kernel);
	fc_raws_tell(kernel->raws, until, tell_event, kernel);
	until = held_since(kernel, until);
	tell_words(kernel);
	return until;
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
	until = tell_events(kernel, until);
	kernel->tap->records(kernel->tap, &strand, NULL, 0, until);
}

/* ---- as a well ---- */

static int tell_modules(struct fc_kernel *kernel, struct fc_numbers *numbers,
			struct fc_tap *tap)
{
	bool has_syscalls = kernel->opts.whom != FC_KERNEL_THREADS;
	int err = has_syscalls ? tap->module(tap, fc_syscalls_module(kernel->syscalls)) : 0;
	if (!err && kernel->opts.with_waits) {
		kernel->off_cpu = fc_off_cpu_create(fc_tracefs_root(kernel->tracefs), numbers);
		err = tap->module(tap, fc_off_cpu_module(kernel->off_cpu));
	}
	if (err || !kernel->funcs)
		return err;
	size_t size = 0;
	fc_kernel_funcs_number(kernel->funcs, numbers);
	const void *formats =
		kernel->values ? fc_kernel_values_formats(kernel->values, kernel->funcs, &size)
			       : NULL;
	return fc_kernel_funcs_tell(kernel->funcs, numbers, formats, size, tap);
}

static int start(struct fc_well *well, struct fc_numbers *numbers, struct fc_tap *tap)
{
	struct fc_kernel *kernel = kernel_of(well);
	kernel->numbers = numbers;
	kernel->tap = tap;
	kernel->syscalls = fc_syscalls_create(numbers);
	kernel->lost_strand = (struct fc_strand_info){ .id = fc_numbers_strand(numbers),
						       .kind = FC_STRAND_KERNEL };
	int err = tell_modules(kernel, numbers, tap);
	if (err || kernel->opts.whom != FC_KERNEL_ALL)
		return err;
	kernel->is_following = true;
	return fc_everybody_begin(folder_of(kernel), kernel->funcs);
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
	if (fc_tracefile_write(folder_of(kernel), "tracing_on", is_on ? "1" : "0"))
		say(kernel, fc_fail_text());
}

static void follow(struct fc_well *well, int tid)
{
	struct fc_kernel *kernel = kernel_of(well);
	fc_auto_free char *text = fc_asprintf("%d", tid);
	int err = fc_tracefile_append(folder_of(kernel), "set_event_pid", text);
	if (!err && kernel->funcs)
		err = fc_function_graph_follow(folder_of(kernel), tid, !kernel->is_following,
					       kernel->opts.whom == FC_KERNEL_PROGRAMS);
	if (err) {
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
	size_t before = fc_raws_nr(kernel->raws);
	uint64_t until = fc_cpus_take(kernel->cpus, now_tsc, fc_raws_add, kernel->raws);
	kernel->nr_takes++;
	kernel->had_events = fc_raws_nr(kernel->raws) > before;
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
		"%llu event%s of %s %s lost: they came faster than they were read, and the "
		"kernel waits for nobody (%s)%s",
		(unsigned long long)lost, lost == 1 ? "" : "s",
		kernel->funcs ? "the kernel" : "system calls", lost == 1 ? "was" : "were",
		where, kernel->funcs ? "; --kfilter makes them fewer" : "");
	say(kernel, sentence);
}

static void stop(struct fc_well *well, uint64_t now_tsc)
{
	struct fc_kernel *kernel = kernel_of(well);
	fc_tracefile_write(folder_of(kernel), "tracing_on", "0");
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

static struct fc_probe_event event_of(const struct fc_kernel *kernel, const char *name)
{
	return (struct fc_probe_event){ fc_tracefs_root(kernel->tracefs), folder_of(kernel),
					fc_tracefs_group(kernel->tracefs), name };
}

/* The kernel's probes must be there before the tracer. */
static int probe_funcs(struct fc_kernel *kernel)
{
	const struct fc_kernel_opts *opts = &kernel->opts;
	struct fc_probe_event args = event_of(kernel, FC_FUNC_PROBES_ARGS);
	struct fc_probe_event results = event_of(kernel, FC_FUNC_PROBES_RESULT);
	int err = fc_kernel_values_create(kernel->funcs, opts->args, opts->results,
					  &kernel->values);
	if (err)
		return err;
	kernel->has_args = opts->args && !fc_func_probes_add_args(&args, kernel->funcs);
	kernel->has_results =
		opts->results && !fc_func_probes_add_results(&results, kernel->funcs);
	return kernel->has_args || kernel->has_results ? 0 : -ENOENT;
}

static void find_values(struct fc_kernel *kernel)
{
	if ((!kernel->opts.args && !kernel->opts.results) || !probe_funcs(kernel))
		return;
	fc_auto_free char *sentence =
		fc_asprintf("no arguments and results of the kernel's functions are shown: %s",
			    fc_fail_text());
	kernel->opts.say(kernel->opts.ctx, sentence);
	fc_kernel_values_destroy(kernel->values);
	kernel->values = NULL;
}

static void find_paths(struct fc_kernel *kernel)
{
	struct fc_probe_event event = event_of(kernel, FC_PATH_PROBES_EVENT);
	kernel->has_paths = !fc_path_probes_add(&event);
	if (kernel->has_paths)
		return;
	fc_auto_free char *sentence = fc_asprintf(
		"of names of files system calls show only the address: %s", fc_fail_text());
	kernel->opts.say(kernel->opts.ctx, sentence);
}

static int set_up_functions(struct fc_kernel *kernel)
{
	const struct fc_kernel_opts *opts = &kernel->opts;
	int err = fc_kernel_funcs_read(fc_tracefs_root(kernel->tracefs), &kernel->funcs);
	if (!err)
		err = fc_kernel_funcs_check(kernel->funcs, "--kfilter", opts->only);
	if (!err)
		err = fc_kernel_funcs_check(kernel->funcs, "--knot", opts->except);
	if (!err)
		err = fc_kernel_funcs_check(kernel->funcs, "--from", opts->from);
	if (!err)
		err = fc_kernel_funcs_check(kernel->funcs, "--karg", opts->args);
	if (!err)
		err = fc_kernel_funcs_check(kernel->funcs, "--kret", opts->results);
	if (err)
		return err;
	fc_kernel_funcs_mark(kernel->funcs, opts->from);
	err = fc_function_graph_choose(folder_of(kernel), kernel->funcs, opts->only,
				       opts->except);
	if (err)
		return err;
	find_values(kernel);
	return fc_function_graph_begin(folder_of(kernel));
}

/* Where nobody else tells when a thread has ended, its last switch does. */
static unsigned kinds_of(const struct fc_kernel *kernel)
{
	enum fc_kernel_whom whom = kernel->opts.whom;
	unsigned ends = whom == FC_KERNEL_PROGRAMS ? 0 : 1u << FC_RAW_SWITCH;
	return FC_RAWS_SYSCALLS | (kernel->funcs ? FC_RAWS_FUNCTIONS : 0) |
	       (kernel->has_args ? FC_RAWS_ARGS : 0) |
	       (kernel->has_results ? FC_RAWS_RETURNS : 0) |
	       (kernel->has_paths ? FC_RAWS_PATHS : 0) |
	       (kernel->opts.with_waits ? FC_RAWS_SWITCHES : ends) |
	       (whom == FC_KERNEL_ALL ? FC_RAWS_LIVES : 0);
}

/*
 * Whoever traced threads make is followed by the kernel itself, from the first moment on: of all, it
 * is who is not traced. A kernel thread makes no system calls, and what it makes may be a program.
 */
static int set_up(struct fc_kernel *kernel)
{
	static const struct {
		const char *file, *text;
		unsigned kinds; /* what it is needed for */
		bool is_of_programs;
	} settings[] = {
		{ "trace_clock", FC_ARCH_TRACE_CLOCK, ~0u, false },
		{ "options/event-fork", "1", ~0u, true },
		{ "events/raw_syscalls/sys_enter/enable", "1", ~0u, true },
		{ "events/raw_syscalls/sys_exit/enable", "1", ~0u, true },
		{ "events/sched/sched_switch/enable", "1", 1u << FC_RAW_SWITCH, false },
		{ "events/sched/sched_waking/enable", "1", 1u << FC_RAW_WAKING, false },
		{ "events/task/task_newtask/enable", "1", FC_RAWS_LIVES, false },
		{ "events/sched/sched_process_exec/enable", "1", FC_RAWS_LIVES, false },
	};
	const char *folder = folder_of(kernel);
	bool has_programs = kernel->opts.whom != FC_KERNEL_THREADS;
	if (has_programs)
		find_paths(kernel);
	int err = kernel->opts.with_functions ? set_up_functions(kernel) : 0;
	unsigned kinds = kinds_of(kernel);
	if (!err)
		err = fc_raws_create(folder, kinds, fc_tracefs_group(kernel->tracefs),
				     &kernel->raws);
	for (size_t i = 0; !err && i < sizeof(settings) / sizeof(settings[0]); i++)
		if (settings[i].kinds & kinds && (!settings[i].is_of_programs || has_programs))
			err = fc_tracefile_write(folder, settings[i].file, settings[i].text);
	return err ? err : fc_cpus_open(folder, &kernel->cpus);
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
	int err = fc_tracefs_open(opts->with_functions, &kernel->tracefs);
	if (!err)
		err = set_up(kernel);
	if (err) {
		fc_kernel_close(kernel);
		return err;
	}
	*ret = kernel;
	return 0;
}

static void remove_event(const struct fc_kernel *kernel, const char *name)
{
	struct fc_probe_event event = event_of(kernel, name);
	fc_probe_event_remove(&event);
}

void fc_kernel_close(struct fc_kernel *kernel)
{
	if (!kernel)
		return;
	fc_cpus_close(kernel->cpus);
	if (kernel->funcs)
		fc_function_graph_end(folder_of(kernel));
	/* Nobody reads the instance any more, and its tracer is off. */
	if (kernel->has_args)
		remove_event(kernel, FC_FUNC_PROBES_ARGS);
	if (kernel->has_results)
		remove_event(kernel, FC_FUNC_PROBES_RESULT);
	if (kernel->has_paths)
		remove_event(kernel, FC_PATH_PROBES_EVENT);
	fc_tracefs_close(kernel->tracefs);
	fc_syscalls_destroy(kernel->syscalls);
	fc_off_cpu_destroy(kernel->off_cpu);
	fc_states_deinit(&kernel->states);
	pthread_mutex_destroy(&kernel->leaving);
	fc_vec_free(&kernel->left);
	fc_raws_destroy(kernel->raws);
	fc_kernel_values_destroy(kernel->values);
	fc_vec_free(&kernel->held);
	fc_kernel_funcs_destroy(kernel->funcs);
	fc_vec_free(&kernel->words);
	free(kernel);
}

struct fc_well *fc_kernel_well(struct fc_kernel *kernel)
{
	return &kernel->well;
}
