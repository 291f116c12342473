/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_top.c - fctrace top: functions by rate and time while a program runs.
 *
 *   drain's thread --frames--> viewer's thread --> screen, or blocks, or JSON
 *
 * The viewer may be held up by its terminal or pipe; the drain must not be.
 */
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/crash.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/place.h"
#include "base/terminal.h"
#include "cmd/options/cmd.h"
#include "cmd/options/demangling.h"
#include "cmd/options/options.h"
#include "cmd/options/parse.h"
#include "cmd/out/output.h"
#include "cmd/out/say.h"
#include "cmd/run/live.h"
#include "cmd/run/program.h"
#include "cmd/view/top_screen.h"
#include "cmd/view/top_text.h"

#define DEFAULT_BUDGET 0.05

enum {
	DEFAULT_INTERVAL_NS = 1000 * 1000 * 1000,
	DEFAULT_ROWS = 30,
	MAX_WAITING = 256, /* frames for a viewer that is held up; older ones are left out */
	PATIENCE_S = 2,	   /* for it, at the end */
	CALM_MS =
		300, /* a screen comes with the first frame, or when it is clear that all is well */
};

struct top {
	const struct fc_settings *settings;
	enum fc_top_key key;
	struct fc_live *live;
	int fd; /* of the text */
	bool has_screen;

	pthread_mutex_t lock; /* of what follows */
	pthread_cond_t has_changed;
	struct fc_top_frame *first, *last; /* that the viewer has not taken yet */
	size_t nr_waiting;
	uint64_t nr_taken;
	bool is_enough;	     /* no more is wanted */
	bool is_over;	     /* no more comes */
	int err;	     /* of the output */
	char *last_text;     /* NULL: nothing was shown */
	FC_VEC(char *) said; /* for when the screen is gone */
};

/* ---- frames ---- */

static bool is_wanted(const struct top *top)
{
	size_t nr = top->settings->top.nr_intervals;
	return !top->is_enough && (!nr || top->nr_taken < nr);
}

static void add_frame(struct top *top, struct fc_top_frame *frame)
{
	frame->nr = ++top->nr_taken;
	if (top->last)
		top->last->next = frame;
	else
		top->first = frame;
	top->last = frame;
	if (++top->nr_waiting <= MAX_WAITING)
		return;
	struct fc_top_frame *oldest = top->first;
	top->first = oldest->next;
	top->nr_waiting--;
	fc_top_frame_destroy(oldest);
}

/* The draining thread. */
static void on_taken(void *ctx, struct fc_rates_view *view)
{
	struct top *top = ctx;
	struct fc_namer namer = fc_live_namer(top->live);
	struct fc_top_frame *frame = fc_top_frame_create(view, &namer, fc_live_clock(top->live),
							 !top->settings->no_time);

	fc_rates_view_deinit(view);
	pthread_mutex_lock(&top->lock);
	if (is_wanted(top))
		add_frame(top, fc_take(frame));
	if (!is_wanted(top))
		top->is_enough = true;
	pthread_cond_signal(&top->has_changed);
	pthread_mutex_unlock(&top->lock);
	fc_top_frame_destroy(frame);
}

/* The next frame; NULL: no more comes. */
static struct fc_top_frame *next_frame(struct top *top)
{
	pthread_mutex_lock(&top->lock);
	while (!top->first && !top->is_over)
		pthread_cond_wait(&top->has_changed, &top->lock);
	struct fc_top_frame *frame = top->first;
	if (frame) {
		top->first = frame->next;
		top->nr_waiting--;
	}
	if (!top->first)
		top->last = NULL;
	pthread_mutex_unlock(&top->lock);
	return frame;
}

/* ---- text ---- */

static int print_frame(const struct top *top, struct fc_top_frame *frame)
{
	const struct fc_top_settings *settings = &top->settings->top;
	fc_auto_free char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	if (!out)
		return -ENOMEM;
	fc_top_frame_sort(frame, top->key);
	if (top->settings->json)
		fc_top_print_json(out, frame, settings->nr_rows);
	else
		fc_top_print_block(out, frame, settings->by_thread,
				   settings->nr_rows ? settings->nr_rows : DEFAULT_ROWS);
	fclose(out);
	return fc_write_all(top->fd, text, len);
}

static void *view_text(void *ctx)
{
	struct top *top = ctx;
	struct fc_top_frame *frame;

	while ((frame = next_frame(top))) {
		int err = top->err ? 0 : print_frame(top, frame);
		fc_top_frame_destroy(frame);
		if (!err)
			continue;
		pthread_mutex_lock(&top->lock);
		top->err = err;
		top->is_enough = true; /* nobody reads any more */
		pthread_mutex_unlock(&top->lock);
	}
	return NULL;
}

/* ---- the screen ---- */

static void keep_said(void *ctx, const char *line)
{
	struct top *top = ctx;
	pthread_mutex_lock(&top->lock);
	fc_vec_push(&top->said, fc_strdup(line));
	pthread_mutex_unlock(&top->lock);
}

static void say_kept(struct top *top)
{
	fc_say_divert(NULL, NULL);
	fc_vec_each (&top->said, line) {
		fc_say("%s", *line);
		free(*line);
	}
	fc_vec_free(&top->said);
}

/* A frame if there is one, within so long; *is_over: none will be. */
static struct fc_top_frame *await_frame(struct top *top, int ms, bool *is_over)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += (until.tv_nsec + ms * 1000000L) / 1000000000;
	until.tv_nsec = (until.tv_nsec + ms * 1000000L) % 1000000000;
	pthread_mutex_lock(&top->lock);
	while (ms && !top->first && !top->is_over &&
	       !pthread_cond_timedwait(&top->has_changed, &top->lock, &until))
		;
	bool is_there = top->first;
	*is_over = top->is_over && !is_there;
	pthread_mutex_unlock(&top->lock);
	return is_there ? next_frame(top) : NULL;
}

static void quit(struct top *top)
{
	pthread_mutex_lock(&top->lock);
	top->is_enough = true;
	pthread_mutex_unlock(&top->lock);
}

static char *last_said(struct top *top)
{
	pthread_mutex_lock(&top->lock);
	char *ret = fc_strdup(top->said.nr ? top->said.at[top->said.nr - 1] : "");
	pthread_mutex_unlock(&top->lock);
	return ret;
}

static void run_screen(struct top *top, struct fc_top_screen *screen,
		       struct fc_top_frame *first)
{
	struct fc_top_frame *frame = first;
	bool is_over = false;

	while (!is_over) {
		if (frame)
			fc_top_screen_give(screen, frame);
		fc_auto_free char *note = last_said(top);
		if (!fc_top_screen_run(screen, note))
			quit(top);
		frame = await_frame(top, 0, &is_over);
	}
}

static char *what_is_watched(const struct fc_settings *settings)
{
	char *what = fc_strdup("-p ");

	for (size_t i = 0; i < settings->nr_pids; i++)
		fc_append(&what, "%s%d", i ? "," : "", settings->pids[i]);
	return what;
}

/* The last numbers stay to be read where the screen was. */
static void print_last(struct top *top, const struct fc_top_screen *screen)
{
	enum { LAST_ROWS = 20 };
	struct fc_top_frame *frame = fc_top_screen_last(screen);
	fc_auto_free char *text = NULL;
	size_t len = 0;
	FILE *out = frame ? open_memstream(&text, &len) : NULL;

	if (!out)
		return;
	fc_top_frame_sort(frame, fc_top_screen_key(screen));
	fc_top_print_block(out, frame, fc_top_screen_is_by_thread(screen),
			   top->settings->top.nr_rows ? top->settings->top.nr_rows : LAST_ROWS);
	fclose(out);
	top->last_text = fc_take(text);
}

static void *view_screen(void *ctx)
{
	struct top *top = ctx;
	bool is_over = false;
	struct fc_top_frame *frame = await_frame(top, CALM_MS, &is_over);

	if (is_over)
		return NULL;
	fc_say_divert(keep_said, top);
	fc_auto_free char *what = what_is_watched(top->settings);
	struct fc_top_screen *screen =
		fc_top_screen_create(&top->settings->top, what, !top->settings->no_time);
	if (screen) {
		run_screen(top, screen, frame);
		print_last(top, screen);
		fc_top_screen_destroy(screen);
	} else {
		fc_say("%s", fc_fail_text());
		quit(top);
		fc_top_frame_destroy(frame);
	}
	say_kept(top);
	if (top->last_text)
		fc_write_all(top->fd, top->last_text, strlen(top->last_text));
	return NULL;
}

/* ---- the run ---- */

static bool is_enough(void *ctx)
{
	struct top *top = ctx;
	pthread_mutex_lock(&top->lock);
	bool ret = top->is_enough;
	pthread_mutex_unlock(&top->lock);
	return ret;
}

/* Signals are the tracer's to take, but for those that are this thread's own fault. */
static int start_viewer(struct top *top, pthread_t *ret)
{
	sigset_t all, before;

	sigfillset(&all);
	for (size_t i = 0; i < FC_NR_CRASHES; i++)
		sigdelset(&all, fc_crashes[i]);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	int err = pthread_create(ret, NULL, top->has_screen ? view_screen : view_text, top);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (err)
		fc_say("cannot start a thread: %s", strerror(err));
	return err;
}

/* False: it is held up by what it writes to. */
static bool end_viewer(struct top *top, pthread_t viewer)
{
	struct timespec until;

	pthread_mutex_lock(&top->lock);
	top->is_over = true;
	pthread_cond_signal(&top->has_changed);
	pthread_mutex_unlock(&top->lock);
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += PATIENCE_S;
	return !pthread_timedjoin_np(viewer, NULL, &until);
}

static struct fc_user_opts make_opts(struct top *top)
{
	const struct fc_settings *settings = top->settings;
	struct fc_user_opts opts = fc_program_opts(settings);

	opts.loss = FC_LOSS_DROP; /* whatever becomes of fctrace: the program never waits */
	opts.tell_ns =
		settings->top.interval_ns ? settings->top.interval_ns : DEFAULT_INTERVAL_NS;
	opts.is_enough = is_enough;
	opts.ctx = top;
	if (settings->no_time)
		return opts;
	opts.counting = FC_COUNT_SWITCHED;
	if (!opts.budget)
		opts.budget = DEFAULT_BUDGET;
	return opts;
}

static int end_output(const struct top *top, int wait_status)
{
	if (top->err && top->err != -EPIPE) {
		fc_say("cannot write to %s: %s",
		       top->settings->output ? top->settings->output : "the output",
		       strerror(-top->err));
		return FC_STATUS_FAILED;
	}
	return fc_program_end(top->settings, wait_status);
}

static int watch(struct top *top, char **argv)
{
	struct fc_user_opts opts = make_opts(top);
	int wait_status = 0, status = 0;
	pthread_t viewer;

	if (start_viewer(top, &viewer))
		return FC_STATUS_FAILED;
	bool has_run = fc_program_run_as(top->settings, &opts, argv, fc_live_tap(top->live),
					 &wait_status, &status);
	if (has_run)
		fc_live_finish(top->live);
	if (!end_viewer(top, viewer)) {
		fc_terminal_rescue();
		_exit(has_run ? fc_program_end(top->settings, wait_status) : status);
	}
	if (has_run && fc_live_filter(top->live) &&
	    !fc_filter_is_changed(fc_live_filter(top->live)))
		fc_settings_say_unmatched(top->settings, fc_live_filter(top->live));
	return has_run ? end_output(top, wait_status) : status;
}

static int show(const struct fc_settings *settings, char **argv, int fd, bool has_screen)
{
	struct top top = {
		.settings = settings,
		.key = settings->no_time && !settings->top.has_key ? FC_TOP_BY_CALLS
								   : settings->top.key,
		.fd = fd,
		.has_screen = has_screen,
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.has_changed = PTHREAD_COND_INITIALIZER,
	};

	top.live = fc_live_rates(settings, on_taken, &top);
	int status = watch(&top, argv);
	fc_live_destroy(top.live);
	free(top.last_text);
	return status;
}

/* ---- what fits together ---- */

static const char *find_conflict(const struct fc_settings *settings)
{
	bool is_timed_key = settings->top.has_key && settings->top.key != FC_TOP_BY_CALLS &&
			    settings->top.key != FC_TOP_BY_NAME;

	if (settings->no_time && (settings->only || settings->except))
		return "--no-time counts every call that is hooked: it knows no -F or -N; -m "
		       "and --libs say what is hooked";
	if (settings->asked_globs)
		return "top counts calls: it knows no condition of -F";
	if (settings->no_time && is_timed_key)
		return "--no-time knows no times: -s calls or name";
	if (settings->no_time && settings->top.by_thread)
		return "--no-time counts for all threads together: it knows no --threads";
	if (settings->json && settings->top.by_thread)
		return "--json tells of threads and functions: it needs no --threads";
	return NULL;
}

/* A program's stdout is its own. */
static int open_output(const struct fc_settings *settings)
{
	if (settings->output)
		return fc_place_write(settings->output);
	int fd = fcntl(settings->nr_pids ? STDOUT_FILENO : STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
	return fd < 0 ? fc_fail(errno, "%s", strerror(errno)) : fd;
}

/*
 * A program that is started has the terminal for itself. In the background the terminal is
 * somebody else's.
 */
static bool wants_screen(const struct fc_settings *settings)
{
	return settings->nr_pids && !settings->top.is_batch && !settings->json &&
	       !settings->output && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) &&
	       tcgetpgrp(STDOUT_FILENO) == getpgrp();
}

static int run_top(const struct fc_settings *settings, int argc, char **argv)
{
	if (!fc_settings_has_target(settings, argc))
		return FC_STATUS_USAGE;
	const char *conflict = find_conflict(settings);
	if (conflict) {
		fc_say("%s", conflict);
		return FC_STATUS_USAGE;
	}
	fc_auto_close int fd = open_output(settings);
	if (fd < 0) {
		fc_say("cannot write to %s: %s",
		       settings->output ? settings->output : "the output", fc_fail_text());
		return FC_STATUS_FAILED;
	}
	bool has_screen = wants_screen(settings);
	if (has_screen && fc_terminal_check("-b shows plain text")) {
		fc_say("%s", fc_fail_text());
		return FC_STATUS_FAILED;
	}
	setlocale(LC_CTYPE, "");
	return show(settings, argv, fd, has_screen);
}

/* Seconds, as top(1) takes them; or with a unit, as everywhere here. */
static int set_interval(struct fc_settings *settings, const char *arg)
{
	const double least_s = 0.1, most_s = 3600;
	char *end = NULL;
	double seconds = strtod(arg, &end);

	if (end == arg || strspn(arg, "0123456789.") == 0)
		return fc_bad_time(arg);
	if (*end) {
		uint64_t ns = 0;
		int err = fc_parse_time(arg, &ns);
		if (err)
			return err;
		seconds = (double)ns / 1e9;
	}
	if (!(seconds >= least_s && seconds <= most_s))
		return fc_fail(EINVAL, "%s: an interval is from 0.1 to 3600 seconds", arg);
	settings->top.interval_ns = (uint64_t)(seconds * 1e9);
	return 0;
}

static int set_sort(struct fc_settings *settings, const char *arg)
{
	uint32_t key = 0;
	int err = fc_parse_word(arg, "self|calls|total|avg|max|name", &key);
	settings->top.key = (enum fc_top_key)key;
	settings->top.has_key = true;
	return err;
}

static const struct fc_option *const options[] = {
	&fc_option_pids,
	FC_OPTION('d', NULL, "SECONDS", "refresh so often (default 1): 0.5, 2, 500ms",
		  set_interval),
	FC_OPTION('n', NULL, "N", "end after N refreshes",
		  FC_NUMBER(top.nr_intervals, "a number of refreshes")),
	FC_OPTION('s', NULL, "KEY",
		  "sort by self (default), calls, total, avg, max or name; with --no-time by "
		  "calls (default) or name",
		  set_sort, .words = "self|calls|total|avg|max|name"),
	FC_OPTION(0, "threads", NULL, "a row for each thread instead of each function",
		  FC_FLAG(top.by_thread)),
	FC_OPTION('b', "batch", NULL,
		  "plain text, a block each time; also where stdout is no terminal",
		  FC_FLAG(top.is_batch)),
	FC_OPTION(0, "rows", "N", "rows of a block (default 30; with --json all)",
		  FC_NUMBER(top.nr_rows, "a number of rows")),
	FC_OPTION(0, "json", NULL, "as JSON: an object a line, each time", FC_FLAG(json)),
	FC_OPTION('o', NULL, "FILE",
		  "blocks and JSON to FILE, not to stdout (-p) or stderr (PROGRAM)",
		  FC_FILE(output)),
	FC_OPTION(0, "no-time", NULL, "only count calls, all of them, at about 3 ns each",
		  FC_FLAG(no_time)),
	FC_OPTION(0, "budget", "SHARE",
		  "slow the program down by no more than SHARE (default 5%): what is called "
		  "too often for that is only counted, or not seen, and marked",
		  FC_PUT(fc_put_budget, double, budget)),
	&fc_option_only,
	&fc_option_except,
	&fc_option_modules,
	&fc_option_libs,
	&fc_option_no_follow,
	&fc_option_for,
	&fc_option_ring,
	&fc_option_no_cache,
	&fc_option_demangle,
	&fc_option_help,
	NULL,
};

const struct fc_cmd fc_cmd_top = {
	.name = "top",
	.usage = "-p PID | PROGRAM [ARGS]",
	.summary = "functions by rate and time, while it runs",
	.options = options,
	.runs_program = true,
	.notes = "cnt: calls are only counted; out: unhooked, to stay within the budget; ent: "
		 "the\n"
		 "end of calls is not seen. ~: reckoned. +: has not ended. Shares are of one\n"
		 "thread's time.\n" FC_NOTES_RUN,
	.run = run_top,
};
