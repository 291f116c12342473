/* SPDX-License-Identifier: Apache-2.0 */
/* import.c - reads uftrace's threads in order of time, and writes records of ours. */
#include "read/import/import.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/progress.h"
#include "base/path.h"
#include "read/import/header.h"
#include "read/import/lane.h"
#include "read/import/switches.h"
#include "trace/writer.h"

#define NS_A_S	  1000000000ull
#define SLACK_NS  (60 * NS_A_S)	    /* what a recording's begin and length may be off by */
#define TICK_NS	  (NS_A_S / 4)	    /* of the trace's time: when the writer looks at strands */
#define LAST_NS	  (UINT64_MAX >> 3) /* no time is later */
#define WORDS_MAX 4096		    /* of a command */

struct fc_import {
	struct fc_folder folder;
	struct fc_uf_header header;
	struct fc_uf_tasks tasks;

	const struct fc_import_opts *opts;
	struct fc_import_sums sums;
	struct fc_writer *writer;
	struct fc_tap *tap;
	struct fc_uf_road road;
	struct fc_uf_switches *switches;
	uint32_t waits;	     /* function linux:schedule, if it was told; the next: pre-empted */
	FC_VEC(size_t) heap; /* lanes that are not over, the earliest first */
	FC_VEC(char *) said;
	uint64_t tick_ns;
	uint64_t told_ns; /* up to here progress was told; 0: it was not */
	size_t nr_foreign, nr_kernel, nr_extern; /* files */
};

int fc_import_open(const char *path, struct fc_import **ret)
{
	struct fc_import *import = fc_alloc(sizeof(*import));
	int err = fc_folder_open(path, &import->folder);

	if (err)
		goto no_folder;
	err = fc_uf_header_read(&import->folder, &import->header);
	if (err)
		goto no_header;
	err = fc_uf_tasks_read(&import->folder, &import->tasks);
	if (err)
		goto no_tasks;
	*ret = import;
	return 0;
no_tasks:
	fc_uf_header_deinit(&import->header);
no_header:
	fc_folder_close(&import->folder);
no_folder:
	free(import);
	return err;
}

void fc_import_close(struct fc_import *import)
{
	if (!import)
		return;
	fc_uf_tasks_deinit(&import->tasks);
	fc_uf_header_deinit(&import->header);
	fc_folder_close(&import->folder);
	free(import);
}

/* ---- what is left out ---- */

/* Told at once, and in the trace when all is read. */
static void say(void *ctx, const char *sentence)
{
	struct fc_import *import = ctx;

	import->opts->say(import->opts->ctx, sentence);
	fc_vec_push(&import->said, fc_strdup(sentence));
}

__attribute__((format(printf, 2, 3))) static void say_of(struct fc_import *import,
							 const char *fmt, ...)
{
	char *text;
	va_list args;

	va_start(args, fmt);
	int n = vasprintf(&text, fmt, args);
	va_end(args);
	if (n < 0)
		return;
	say(import, text);
	free(text);
}

static void say_damage(struct fc_import *import)
{
	const struct fc_uf_road *road = &import->road;
	const char *path = import->folder.path;

	if (import->tasks.nr_bad)
		say_of(import, "%s/task.txt: %zu lines cannot be read and are passed over",
		       path, import->tasks.nr_bad);
	if (road->nr_bad_files)
		say_of(import,
		       "%" PRIu64
		       " bytes in %zu of %s's .dat files are damaged and left out, the "
		       "first in %d.dat",
		       road->bad_bytes, road->nr_bad_files, path, road->bad_tid);
	if (road->nr_disorder)
		say_of(import,
		       "%" PRIu64 " records were earlier than the one before them; they "
		       "have its time now",
		       road->nr_disorder);
	size_t nr_bad = fc_uf_switches_nr_bad(import->switches);
	if (nr_bad)
		say_of(import,
		       "%zu of %s's perf-cpu*.dat files are damaged; some waits "
		       "(linux:schedule) are missing",
		       nr_bad, path);
	import->sums.is_partial |= import->tasks.nr_bad || road->nr_bad_files ||
				   road->nr_disorder || nr_bad || import->nr_foreign;
}

static void say_left_out(struct fc_import *import)
{
	const struct fc_uf_road *road = &import->road;

	if (road->nr_values)
		say_of(import,
		       "arguments and results of %" PRIu64 " calls are left out: a trace "
		       "of fctrace does not hold them",
		       road->nr_values);
	if (road->nr_events)
		say_of(import, "%" PRIu64 " events (-E, -T read=, -W) are left out",
		       road->nr_events);
	if (road->nr_unmatched)
		say_of(import,
		       "%" PRIu64 " returns are left out, of calls that were not open: "
		       "a second return of setjmp, or the call is not in the data",
		       road->nr_unmatched);
	if (import->nr_kernel)
		say_of(import, "the kernel's functions are left out (%zu files kernel-*)",
		       import->nr_kernel);
	if (import->nr_extern)
		say_of(import, "the messages in extern.dat are left out");
	if (import->nr_foreign)
		say_of(import,
		       "%zu .dat files are of threads that task.txt does not tell of; "
		       "they are left out",
		       import->nr_foreign);
}

static void look_at_name(void *ctx, const char *name)
{
	struct fc_import *import = ctx;
	char *end;

	import->nr_kernel += !strncmp(name, "kernel-", 7);
	import->nr_extern += !strcmp(name, "extern.dat");
	if (!isdigit((unsigned char)*name))
		return;
	unsigned long tid = strtoul(name, &end, 10);
	if (!strcmp(end, ".dat") &&
	    (tid > INT32_MAX || !fc_uf_tasks_find(&import->tasks, (int)tid)))
		import->nr_foreign++;
}

/* ---- the session ---- */

static uint64_t first_ns(const struct fc_import *import)
{
	uint64_t first = UINT64_MAX;

	fc_vec_each (&import->tasks.sessions, session)
		first = session->ns < first ? session->ns : first;
	fc_vec_each (&import->tasks.tasks, task)
		first = task->ns < first ? task->ns : first;
	return first;
}

/* The program's own words: uftrace's command line from the first word on that names it. */
static size_t split(char *command, const char *exe, char *words[WORDS_MAX])
{
	size_t nr = 0;
	char *rest = command;

	for (char *word = strsep(&rest, " "); word && nr < WORDS_MAX;
	     word = strsep(&rest, " ")) {
		if (nr || !strcmp(fc_base_name(word), fc_base_name(exe)))
			words[nr++] = word;
	}
	return nr;
}

static int create(struct fc_import *import)
{
	const struct fc_uf_header *header = &import->header;
	uint64_t begin = first_ns(import);
	fc_auto_free char **words = fc_alloc(WORDS_MAX * sizeof(*words));
	fc_auto_free char *command = fc_strdup(header->command);
	char *exe = *header->exe ? header->exe : import->tasks.sessions.at[0].exe;
	size_t nr = split(command, exe, words);
	struct fc_session session = {
		.argc = nr ? (int)nr : 1,
		.argv = nr ? words : &exe,
		.options = import->opts->options,
		.clock = { .tsc0 = begin,
			   .mono0_ns = begin,
			   .real0_ns = header->ended_ns > header->elapsed_ns
					       ? header->ended_ns - header->elapsed_ns
					       : 0,
			   .tsc1 = begin + NS_A_S,
			   .mono1_ns = begin + NS_A_S },
		.is_told = true,
		.machine = header->machine,
	};

	return fc_writer_create(import->opts->output, &session, &import->writer);
}

static int finish(struct fc_import *import, uint64_t end_ns)
{
	uint64_t begin = first_ns(import);
	uint64_t later = end_ns > begin ? end_ns : begin + 1;
	struct fc_clock clock = {
		.tsc0 = begin, .mono0_ns = begin, .tsc1 = later, .mono1_ns = later
	};
	struct fc_writer_sums sums;
	struct fc_life_info life = { .life = FC_LIFE_SAY,
				     .pid = import->tasks.tasks.at[0].pid,
				     .tsc = begin };

	fc_vec_each (&import->said, sentence) {
		life.text = *sentence;
		import->tap->life(import->tap, &life);
	}
	return fc_writer_close(import->writer, import->header.wait_status, &clock, &sums);
}

/* ---- lanes in order of time ---- */

static uint64_t ns_at(const struct fc_import *import, size_t place)
{
	return fc_uf_lane_ns(&import->road.lanes[import->heap.at[place]]);
}

/* Put what is at place where it belongs, when it is later than what is below it. */
static void sink(struct fc_import *import, size_t place)
{
	size_t *heap = import->heap.at, nr = import->heap.nr;

	for (;;) {
		size_t least = place;
		for (size_t child = 2 * place + 1; child < nr && child <= 2 * place + 2;
		     child++)
			if (ns_at(import, child) < ns_at(import, least))
				least = child;
		if (least == place)
			return;
		size_t swap = heap[place];
		heap[place] = heap[least];
		heap[least] = swap;
		place = least;
	}
}

static uint64_t second_ns(const struct fc_import *import)
{
	uint64_t second = LAST_NS;

	for (size_t child = 1; child < import->heap.nr && child <= 2; child++)
		second = ns_at(import, child) < second ? ns_at(import, child) : second;
	return second;
}

static void make_lanes(struct fc_import *import)
{
	struct fc_uf_road *road = &import->road;

	road->lanes = fc_alloc(import->tasks.tasks.nr * sizeof(*road->lanes));
	for (size_t i = 0; i < import->tasks.tasks.nr; i++) {
		struct fc_uf_lane *lane = &road->lanes[i];
		lane->road = road;
		lane->task = &import->tasks.tasks.at[i];
		lane->records = (struct fc_uf_records){ .folder = &import->folder,
							.tid = lane->task->tid,
							.first_ns = road->first_ns,
							.end_ns = road->end_ns };
		struct fc_uf_task *leader = fc_uf_tasks_find(&import->tasks, lane->task->pid);
		if (leader)
			road->lanes[leader - import->tasks.tasks.at].nr_threads++;
		fc_vec_push(&import->heap, i);
	}
	for (size_t i = import->heap.nr; i-- > 0;)
		sink(import, i);
}

/* The thread that is taken off its CPU, or comes back, waits there as in a call. */
static int take_switch(struct fc_import *import, const struct fc_uf_switch *at)
{
	const struct fc_uf_task *task = fc_uf_tasks_find(&import->tasks, at->tid);
	struct fc_uf_lane *lane =
		task ? &import->road.lanes[task - import->tasks.tasks.at] : NULL;

	if (!lane || !lane->is_begun || at->ns < import->road.first_ns ||
	    at->ns > import->road.end_ns)
		return 0;
	if (at->is_end) {
		lane->end_ns = at->ns > lane->end_ns ? at->ns : lane->end_ns;
		return 0;
	}
	if (!at->is_out)
		return fc_uf_strand_enter_cpu(&lane->strand, at->ns);
	static const char *const names[] = { "linux:schedule", "linux:schedule (pre-empted)" };
	int err = import->waits
			  ? 0
			  : fc_uf_spaces_words(import->road.spaces, names, 2, &import->waits);
	return err ? err
		   : fc_uf_strand_leave_cpu(&lane->strand, import->waits + at->is_preempted,
					    at->ns);
}

static int tick(struct fc_import *import, uint64_t ns)
{
	int err = 0;

	if (ns < import->tick_ns)
		return 0;
	if (import->told_ns)
		fc_progress_did(import->opts->progress, ns - import->told_ns);
	import->told_ns = ns;
	import->tick_ns = ns + TICK_NS;
	for (size_t i = 0; i < import->heap.nr && !err; i++) {
		struct fc_uf_lane *lane = &import->road.lanes[import->heap.at[i]];
		if (lane->is_begun)
			err = fc_uf_strand_flush(&lane->strand);
	}
	return err ? err : import->tap->tick(import->tap, ns);
}

static int run(struct fc_import *import)
{
	int err = 0;

	while (!err && import->heap.nr) {
		struct fc_uf_lane *lane = &import->road.lanes[import->heap.at[0]];
		const struct fc_uf_switch *at = fc_uf_switches_peek(import->switches);
		uint64_t ns = fc_uf_lane_ns(lane), until = second_ns(import);

		if (at && at->ns < ns) {
			err = take_switch(import, at);
			fc_uf_switches_take(import->switches);
			continue;
		}
		if (at && at->ns < until)
			until = at->ns;
		until = until < import->tick_ns ? until : import->tick_ns;
		err = fc_uf_lane_run(lane, until);
		if (!err)
			err = tick(import, ns);
		if (lane->is_over)
			import->heap.at[0] = import->heap.at[--import->heap.nr];
		sink(import, 0);
	}
	return err;
}

/* Write what comes behind all records, and the ends. */
static int end_all(struct fc_import *import)
{
	const struct fc_uf_switch *at;
	int err = 0;

	while (!err && (at = fc_uf_switches_peek(import->switches))) {
		err = take_switch(import, at);
		fc_uf_switches_take(import->switches);
	}
	for (size_t i = 0; i < import->tasks.tasks.nr && !err; i++)
		err = fc_uf_lane_end(&import->road.lanes[i]);
	return err;
}

/* ---- all of it ---- */

static uint64_t last_ns(const struct fc_import *import)
{
	uint64_t last = 0;

	for (size_t i = 0; i < import->tasks.tasks.nr; i++)
		if (import->road.lanes[i].strand.last_ns > last)
			last = import->road.lanes[i].strand.last_ns;
	return last;
}

static int find_data(struct fc_import *import)
{
	size_t nr = 0;
	int err = 0;

	for (size_t i = 0; i < import->tasks.tasks.nr; i++) {
		struct fc_uf_records *records = &import->road.lanes[i].records;
		int open_err = fc_uf_records_open(records);
		nr += !open_err && records->size;
		if (!open_err || open_err == -ENOENT)
			continue; /* a thread that called nothing has no file */
		say_of(import, "%s; that thread is left out", fc_fail_text());
		import->sums.is_partial = true;
		err = open_err;
	}
	if (nr)
		return 0;
	return err ? fc_fail(-err, "%s: none of its threads' files can be read",
			     import->folder.path)
		   : fc_fail(ENODATA,
			     "%s holds no calls: the threads that task.txt tells of have "
			     "no .dat files",
			     import->folder.path);
}

static void release(struct fc_import *import)
{
	for (size_t i = 0; import->road.lanes && i < import->tasks.tasks.nr; i++)
		fc_uf_lane_deinit(&import->road.lanes[i]);
	free(import->road.lanes);
	import->road.lanes = NULL;
	fc_uf_spaces_destroy(import->road.spaces);
	fc_uf_switches_close(import->switches);
	fc_vec_free(&import->heap);
	fc_vec_each (&import->said, sentence)
		free(*sentence);
	fc_vec_free(&import->said);
}

static int write_all(struct fc_import *import)
{
	int err = create(import);

	if (err)
		return err;
	import->tap = import->road.tap = fc_writer_tap(import->writer);
	import->road.spaces = fc_uf_spaces_create(&(struct fc_uf_spaces_opts){
		.folder = &import->folder,
		.tasks = &import->tasks,
		.tap = import->tap,
		.say = say,
		.ctx = import,
	});
	import->switches = fc_uf_switches_open(&import->folder);
	fc_progress_add(import->opts->progress, import->folder.path, import->header.elapsed_ns);
	err = run(import);
	if (!err)
		err = end_all(import);
	if (err) {
		fc_writer_discard(import->writer);
		return err;
	}
	say_damage(import);
	say_left_out(import);
	return finish(import, last_ns(import));
}

int fc_import_write(struct fc_import *import, const struct fc_import_opts *opts,
		    struct fc_import_sums *ret)
{
	uint64_t begin = first_ns(import), elapsed = import->header.elapsed_ns;

	if (fc_folder_holds(&import->folder, opts->output))
		return fc_fail(EINVAL,
			       "%s lies in the folder that is imported; write the trace "
			       "elsewhere with -o",
			       opts->output);
	import->opts = opts;
	import->sums = (struct fc_import_sums){ 0 };
	import->road = (struct fc_uf_road){
		.folder = &import->folder,
		.tasks = &import->tasks,
		.first_ns = begin > SLACK_NS ? begin - SLACK_NS : 0,
		.end_ns = elapsed ? begin + elapsed + SLACK_NS : LAST_NS,
		.next_strand = 1,
		.first_pid = import->header.has_status ? import->tasks.tasks.at[0].pid : 0,
		.wait_status = import->header.wait_status,
	};
	make_lanes(import);
	int err = find_data(import);
	fc_folder_each(&import->folder, look_at_name, import);
	if (!err)
		err = write_all(import);
	import->sums.nr_records = import->road.nr_records;
	import->sums.nr_threads = import->road.nr_threads;
	release(import);
	*ret = import->sums;
	return err;
}
