/* SPDX-License-Identifier: Apache-2.0 */
/* shared_options.c - the records of the options that several commands have. */
#include "cmd/options/shared_options.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "calls/wanted.h"
#include "cmd/options/parse.h"
#include "values/condition/condition.h"

/* "GLOB", or "GLOB@if:CONDITION". */
static int add_only(struct fc_settings *settings, const char *arg)
{
	struct fc_condition *condition;
	fc_auto_free char *glob = fc_asprintf("%.*s", (int)fc_condition_glob_size(arg), arg);
	int err = fc_condition_read(arg, &condition);
	if (err)
		return err;
	err = fc_globs_add(&settings->only_globs, glob);
	if (!err)
		fc_globs_push(&settings->only, arg);
	if (!err && condition) {
		uint32_t size = fc_condition_text_size(condition);
		fc_globs_push(&settings->asked_globs, glob);
		settings->asked_size =
			size > settings->asked_size ? size : settings->asked_size;
	}
	fc_condition_destroy(condition);
	return err;
}

const struct fc_option fc_option_only = {
	'F', NULL, "GLOB[@if:CONDITION]",
	"only calls of functions that match, and what they call; with a condition, as in "
	"'open@if:path ~ \"/etc/*\"', of those only calls of which it is true",
	add_only
};

const struct fc_option fc_option_except = {
	'N', NULL, "GLOB", "no calls of functions that match, nor what they call",
	FC_GLOBS(except)
};

const struct fc_option fc_option_leading = {
	'C', NULL, "GLOB", "only calls of functions that match, and what called them",
	FC_GLOBS(leading)
};

const struct fc_option fc_option_only_modules = {
	'm', NULL, "GLOB", "only functions of files that match, as in 'libz*'",
	FC_GLOBS(only_modules)
};

const struct fc_option fc_option_depth = { 'D', NULL, "DEPTH",
					   "no calls deeper than DEPTH levels",
					   FC_NUMBER(depth, "a depth") };

/* strace's -t, -tt and -ttt show the time of day. */
static int set_time(struct fc_settings *settings, const char *arg)
{
	if (*arg && !arg[strspn(arg, "t")])
		return fc_fail(
			EINVAL,
			"%s: not a time: calls shorter than TIME are left out; to see "
			"the time of day: fctrace record PROGRAM, then fctrace replay -f "
			"+time",
			arg);
	return fc_parse_time(arg, &settings->min_ns);
}

const struct fc_option fc_option_time = { 't', NULL, "TIME",
					  "no calls shorter than TIME: 500ns, 10us, 5ms, 1.5s",
					  set_time };

const struct fc_option fc_option_modules = {
	'm', NULL, "GLOB", "hook only functions of files that match, as in 'libz*'",
	FC_GLOBS(modules)
};

static int set_libs(struct fc_settings *settings, const char *arg)
{
	static const enum fc_libs libs[] = { FC_LIBS_NONE, FC_LIBS_API, FC_LIBS_ALL };
	uint32_t i = 0;
	int err = fc_parse_word(arg, fc_option_libs.arg, &i);
	settings->libs = libs[i];
	return err;
}

const struct fc_option fc_option_libs = {
	0, "libs", "none|api|all",
	"of libraries: nothing, what they export (default), every function", set_libs
};

const struct fc_option fc_option_no_follow = { 0, "no-follow", NULL,
					       "let child processes run untraced",
					       FC_FLAG(no_follow) };

const struct fc_option fc_option_perf_map = { 0, "perf-map", NULL,
					      "write /tmp/perf-PID.map, by which perf and "
					      "other samplers name what they see of fctrace",
					      FC_FLAG(perf_map) };

const struct fc_option fc_option_no_cache = { 0, "no-cache", NULL,
					      "plan large files anew, keep no plans on disk",
					      FC_FLAG(no_cache) };

static int set_for(struct fc_settings *settings, const char *arg)
{
	int err = fc_parse_time(arg, &settings->for_ns);
	return err || settings->for_ns ? err : fc_bad_time(arg);
}

const struct fc_option fc_option_for = { 0, "for", "TIME",
					 "trace for TIME only, then let go: 500ms, 10s",
					 set_for };

const struct fc_option fc_option_off = { 0, "off", NULL,
					 "record nothing until fctrace ctl PID on",
					 FC_FLAG(off) };

const struct fc_option fc_option_color = {
	0, "color", "auto|always|never",
	"colours: on a terminal, unless NO_COLOR is set (default), always, never",
	FC_WORD(color)
};

const struct fc_option fc_option_no_pager = { 0, "no-pager", NULL,
					      "no pager, even on a terminal",
					      FC_FLAG(no_pager) };

const struct fc_option fc_option_on = { 0, "on", "GLOB",
					"record nothing of a thread until it calls a function "
					"that matches: from that call on, all of it",
					FC_GLOBS(turned_on) };

const struct fc_option fc_option_off_at = { 0, "off-at", "GLOB",
					    "record nothing more of a thread when it has "
					    "called a function that matches, until one of --on",
					    FC_GLOBS(turned_off) };

/* A share of the program's own time. */
int fc_put_budget(const struct fc_option *option, void *at, const char *arg)
{
	char *end = NULL;
	double percent = strtod(arg, &end);

	if (end == arg || *arg < '0' || *arg > '9' || (*end && strcmp(end, "%")))
		return fc_fail(EINVAL, "%s: not a percentage; give one such as 5%% or 0.5%%",
			       arg);
	if (!(percent >= 0.1 && percent <= 100))
		return fc_fail(EINVAL, "%s: a budget is from 0.1%% to 100%%", arg);
	*(double *)at = percent / 100;
	return 0;
}

const struct fc_option fc_option_budget = {
	0, "budget", "SHARE",
	"slow the program down by SHARE at most, such as 5%: functions that are called too "
	"often for that are counted, not recorded",
	FC_PUT(fc_put_budget, double, budget)
};

/* With a thread on each CPU, rings may take a quarter of the memory. */
static uint64_t largest_ring(void)
{
	uint64_t memory = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t share = memory / 4 / (uint64_t)sysconf(_SC_NPROCESSORS_ONLN);
	uint64_t most = FC_RING_MOST;

	while (most > share && most > FC_RING_DEFAULT)
		most /= 2;
	return most;
}

static int check_ring(const char *arg, uint64_t bytes)
{
	uint64_t most = largest_ring();

	if (bytes > FC_RING_MOST)
		return fc_fail(EINVAL, "%s: too large; 64M is the most", arg);
	if (bytes > most)
		return fc_fail(EINVAL,
			       "%s: rings for each CPU would take more than a quarter of the "
			       "memory; %" PRIu64 "M is the most here",
			       arg, most >> 20);
	if (bytes < FC_RING_LEAST)
		return fc_fail(EINVAL, "%s: too small; 64K is the least", arg);
	if (bytes & (bytes - 1))
		return fc_fail(EINVAL, "%s: not a power of two; say 64K, 128K, 256K, ... 64M",
			       arg);
	return 0;
}

static int set_ring(struct fc_settings *settings, const char *arg)
{
	int err = fc_parse_size(arg, &settings->ring_bytes);
	return err ? err : check_ring(arg, settings->ring_bytes);
}

const struct fc_option fc_option_ring = {
	0, "ring", "SIZE",
	"bytes of ring for each thread, 64K to 64M (default 1M): how far fctrace may fall "
	"behind before --loss counts",
	set_ring
};

static int set_loss(struct fc_settings *settings, const char *arg)
{
	uint32_t loss = FC_LOSS_BLOCK;

	if (!strncmp(arg, "ring=", 5)) {
		settings->loss = FC_LOSS_RING;
		int err = set_ring(settings, arg + 5);
		fc_auto_free char *text = fc_strdup(err ? fc_fail_text() : "");
		return err ? fc_fail(-err, "ring=%s", text) : 0;
	}
	int err = fc_parse_word(arg, "block|drop|ring", &loss);
	settings->loss = (enum fc_loss)loss;
	return err;
}

const struct fc_option fc_option_loss = {
	0, "loss", "block|drop|ring[=SIZE]",
	"when fctrace cannot keep up: block, the program waits (default); drop, records are "
	"lost and counted; ring, only the newest are kept (record only)",
	set_loss
};

/* A signal's number by its name with SIG; 0: there is none. */
static int signal_named(const char *name)
{
	for (int sig = 1; sig < SIGRTMIN; sig++) {
		const char *known = sigabbrev_np(sig);
		if (known && !strncmp(name, "SIG", 3) && !strcmp(name + 3, known))
			return sig;
	}
	return 0;
}

/* Where #N stands at the end, as in f#3; NULL: nowhere. {lambda()#3} is a name. */
static char *find_nth(char *arg)
{
	char *hash = strrchr(arg, '#');
	return hash && hash[1] && !hash[1 + strspn(hash + 1, "0123456789")] ? hash : NULL;
}

static int take_nth(char *arg, uint64_t *ret)
{
	char *hash = find_nth(arg);
	if (!hash)
		return 0;
	errno = 0;
	*ret = strtoull(hash + 1, NULL, 10);
	if (errno)
		return fc_fail(EINVAL, "%s: there are not so many calls", arg);
	if (!*ret)
		return fc_fail(EINVAL, "%s: calls are counted from 1 on", arg);
	*hash = 0;
	return 0;
}

/* FUNCTION or FUNCTION>TIME, or with #N the N-th of these calls only. */
static int add_dump_func(struct fc_settings *settings, const char *spelt)
{
	struct fc_dump_func func = { 0 };
	fc_auto_free char *arg = fc_strdup(spelt);
	int err = take_nth(arg, &func.nth);
	if (err)
		return err;
	const char *than = strrchr(arg, '>');

	/* In the name of a template or an operator: f<int>, f<int>(char), f<int>::g, operator-> */
	if (than && (!than[1] || strchr("(:, >&*=)[", than[1])))
		than = NULL;
	if (than && fc_parse_time(than + 1, &func.min_ns))
		return -EINVAL;
	if (than && !func.min_ns)
		return fc_bad_time(than + 1);
	if (settings->dump_on.nr_funcs == FCA_MAX_WATCHES)
		return fc_fail(EINVAL,
			       "%s: these are more than %d functions; a glob can name "
			       "many",
			       arg, FCA_MAX_WATCHES);
	func.glob = fc_strdup(arg);
	func.glob[than ? (size_t)(than - arg) : strlen(arg)] = 0;
	if (than && find_nth(func.glob)) {
		free(func.glob);
		return fc_fail(EINVAL, "%s: the number comes last, as in 'FUNCTION>10ms#3'",
			       spelt);
	}
	size_t nr = settings->dump_on.nr_funcs++;
	settings->dump_funcs = fc_realloc(settings->dump_funcs, (nr + 1) * sizeof(func));
	settings->dump_funcs[nr] = func;
	settings->dump_on.funcs = settings->dump_funcs;
	return fc_glob_check(func.glob);
}

static int set_dump_on(struct fc_settings *settings, const char *arg)
{
	int sig = signal_named(arg);

	settings->has_dump_on = true;
	if (sig == SIGKILL || sig == SIGSTOP)
		return fc_fail(EINVAL, "%s: nobody can notice this signal", arg);
	if (!sig && !strncmp(arg, "SIG", 3))
		return fc_fail(EINVAL, "%s: not a signal; say it as SIGUSR2", arg);
	if (!sig)
		return add_dump_func(settings, arg);
	sigaddset(&settings->dump_on.signals, sig);
	return 0;
}

const struct fc_option fc_option_dump_on = {
	0, "dump-on", "WHAT",
	"with --loss=ring: write the trace when WHAT happens: a signal (SIGUSR2), a call of "
	"FUNCTION, or one that is longer than TIME ('FUNCTION>10ms'); with #N only the "
	"N-th such call ('FUNCTION#3')",
	set_dump_on
};

const struct fc_option fc_option_backend = {
	0, "backend", "patch|step",
	"how calls are seen: by hooks (default), or by stepping through the program, which is "
	"left unchanged: very slow",
	FC_WORD(backend)
};

const struct fc_option fc_option_dry_run = { 0, "dry-run", NULL,
					     "print what would be hooked; run nothing",
					     FC_FLAG(dry_run) };

const struct fc_option fc_option_trace_file = {
	'o', NULL, "FILE", "write the trace to FILE (default fctrace.data)", FC_FILE(output)
};

const struct fc_option fc_option_than = {
	0, "than", "OLD", "compare with OLD, a trace of another run: what changed since",
	FC_FILE(than)
};

const struct fc_option fc_option_rows = { 'n', NULL, "N", "only the first N rows",
					  FC_NUMBER(nr_rows, "a number of rows") };

const struct fc_option fc_option_tid = { 0, "tid", "TID", "only this thread",
					 FC_NUMBER(tid, "a thread id") };

const struct fc_option fc_option_json = { 0, "json", NULL, "as JSON", FC_FLAG(json) };

const struct fc_option fc_option_help = { 'h', "help", NULL, "this text", FC_FLAG(help) };

static int set_range(struct fc_settings *settings, const char *arg)
{
	return fc_span_parse(arg, &settings->span);
}

const struct fc_option fc_option_range = {
	'r', NULL, "FROM~TO",
	"only what lies between: since the start as 1.5s or 20ms, time of day as 14:03:22.5, "
	"share as 10%; either side may be missing",
	set_range
};

static int set_around(struct fc_settings *settings, const char *arg)
{
	return fc_span_parse_around(arg, &settings->span);
}

const struct fc_option fc_option_around = {
	0, "around", "TIME[,WINDOW]",
	"only what lies around that time, by WINDOW (default 1ms) before and after", set_around
};

const struct fc_option fc_option_pid = { 0, "pid", "PID", "only this process",
					 FC_NUMBER(pid, "a process id") };
