/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/user/command.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/path.h"
#include "calls/nearest_function.h"
#include "calls/wanted.h"
#include "capture/user/rehook.h"
#include "capture/user/throttle.h"
#include "values/condition/condition.h"

/* ---- to hook and to unhook ---- */

struct matching {
	FC_VEC(uint32_t) ids;
};

static struct fc_name name_of(const struct fc_func_info *func, const char *module,
			      const char *plain)
{
	return (struct fc_name){ .name = func->name ? func->name : plain, .module = module };
}

static bool matches_any(const struct fc_func_info *func, const char *module,
			const char *const *globs)
{
	fc_auto_free char *plain =
		func->name ? NULL : fc_asprintf("%s+0x%" PRIx64, module, func->vaddr);
	for (; *globs; globs++)
		if (fc_name_match(name_of(func, module, plain), *globs))
			return true;
	return false;
}

static void match_module(const struct fc_module *module, const char *const *globs,
			 struct matching *ret)
{
	size_t nr;
	const char *base = fc_base_name(module->elf->path);
	const struct fc_func_info *funcs = fc_plan_funcs(module->plan, &nr);
	for (size_t i = 0; i < nr; i++)
		if (funcs[i].id && matches_any(&funcs[i], base, globs))
			fc_vec_push(&ret->ids, funcs[i].id);
}

static bool any_matches(const struct fc_tracer *tracer, const char *glob)
{
	const char *const globs[] = { glob, NULL };
	struct matching found = { 0 };
	for (struct fc_module *m = tracer->shared.modules.first; m && !found.ids.nr;
	     m = m->next)
		if (m->plan)
			match_module(m, globs, &found);
	bool any = found.ids.nr;
	fc_vec_free(&found.ids);
	return any;
}

static void offer_module(const struct fc_module *module, struct fc_nearest *nearest)
{
	size_t nr;
	const struct fc_func_info *funcs = fc_plan_funcs(module->plan, &nr);
	for (size_t i = 0; i < nr; i++)
		if (funcs[i].id && funcs[i].name)
			fc_nearest_offer_function(nearest, name_of(&funcs[i], "", ""));
}

static int fail_unmatched(const struct fc_tracer *tracer, const char *glob)
{
	struct fc_nearest nearest;
	fc_nearest_begin_glob(&nearest, glob);
	for (struct fc_module *m = tracer->shared.modules.first; m; m = m->next)
		if (m->plan)
			offer_module(m, &nearest);
	fc_auto_free char *hint =
		fc_nearest_hint(&nearest, "", "fctrace list shows their names");
	return fc_fail(ENOENT, "%s: no function that matches has a hook%s", glob, hint);
}

/* Those that have hooks, or had. -ENOENT with a sentence: none matches one of globs. */
static int find_matching(const struct fc_tracer *tracer, const char *const *globs,
			 struct matching *ret)
{
	if (!*globs)
		return fc_fail(
			EINVAL,
			"no function given: name one or more functions or patterns, as in "
			"'parse_*'");
	for (const char *const *glob = globs; *glob; glob++) {
		int err = fc_glob_check(*glob);
		if (err)
			return err;
	}
	for (const char *const *glob = globs; *glob; glob++)
		if (!any_matches(tracer, *glob))
			return fail_unmatched(tracer, *glob);
	for (struct fc_module *m = tracer->shared.modules.first; m; m = m->next)
		if (m->plan)
			match_module(m, globs, ret);
	return 0;
}

static const char *plural(size_t nr)
{
	return nr == 1 ? "" : "s";
}

static char *rehooked_text(const struct fc_rehooked *done, bool hook)
{
	const char *word = hook ? "hooked" : "unhooked";
	char *text = fc_asprintf("%zu function%s %s in %.1f ms", done->nr_done,
				 plural(done->nr_done), word, (double)done->stop_ns / 1e6);
	fc_auto_free char *failed =
		fc_asprintf("left %s: %s", hook ? "unhooked" : "hooked", done->why);
	struct {
		size_t nr;
		const char *what;
	} rest[] = {
		{ done->nr_same, hook ? "hooked already" : "unhooked already" },
		{ done->nr_kept, "left hooked: fctrace or another hook needs that" },
		{ done->nr_busy, "left unhooked: first instructions are in use, try again" },
		{ done->nr_failed, failed },
	};
	for (size_t i = 0; i < sizeof(rest) / sizeof(rest[0]); i++)
		if (rest[i].nr)
			fc_append(&text, "; %zu %s", rest[i].nr, rest[i].what);
	return text;
}

/* The trace tells of what changed; `info` repeats it. */
static void note(struct fc_tracer *tracer, const char *what, const char *const *words)
{
	fc_auto_free char *text = fc_strdup(what);
	for (size_t i = 0; words && words[i]; i++)
		fc_append(&text, "%s%s", i ? " " : ": ", words[i]);
	fc_append(&text, " (fctrace ctl)");
	fc_tracer_life(tracer, FC_LIFE_SAY, tracer->first_pid, 0, 0, 0, text);
}

static int rehook(struct fc_tracer *tracer, const char *const *globs, bool hook, char **answer)
{
	struct matching matching = { 0 };
	struct fc_rehooked done;
	int err = find_matching(tracer, globs, &matching);
	if (!err)
		err = fc_tracer_rehook(tracer, matching.ids.at, matching.ids.nr, hook, &done);
	if (!err && tracer->throttle)
		fc_throttle_told(tracer->throttle, tracer, matching.ids.at, matching.ids.nr,
				 hook);
	fc_vec_free(&matching.ids);
	if (err)
		return err;
	*answer = rehooked_text(&done, hook);
	if (done.nr_done)
		note(tracer, *answer, globs);
	if (!done.nr_failed)
		return 0;
	fc_auto_free char *text = fc_take(*answer);
	return fc_fail(EIO, "%s", text);
}

static int run_hook(struct fc_tracer *tracer, const char *const *words, char **answer)
{
	return rehook(tracer, words, true, answer);
}

static int run_unhook(struct fc_tracer *tracer, const char *const *words, char **answer)
{
	return rehook(tracer, words, false, answer);
}

/* ---- filters ---- */

static int set_number(const char *word, uint64_t most, uint64_t *ret)
{
	char *end = NULL;
	errno = 0;
	unsigned long long n = strtoull(word, &end, 10);
	if (errno || *word < '0' || *word > '9' || *end || n > most)
		return fc_fail(EINVAL, "%s: not a number that is possible here", word);
	*ret = n;
	return 0;
}

static char *glob_of(const char *text)
{
	return fc_asprintf("%.*s", (int)fc_condition_glob_size(text), text);
}

static int set_only(struct fc_filter_info *info, const char *word)
{
	struct fc_condition *condition;
	fc_auto_free char *glob = glob_of(word);
	int err = fc_condition_read(word, &condition);
	fc_condition_destroy(condition);
	err = err ? err : fc_glob_check(glob);
	if (!err)
		fc_globs_push(&info->only, word);
	return err;
}

static int set_except(struct fc_filter_info *info, const char *word)
{
	return fc_globs_add(&info->except, word);
}

static int set_depth(struct fc_filter_info *info, const char *word)
{
	uint64_t depth = 0;
	int err = set_number(word, INT32_MAX, &depth);
	info->depth = (uint32_t)depth;
	return err;
}

static int set_time(struct fc_filter_info *info, const char *word)
{
	return set_number(word, 1000000000000000000, &info->min_ns);
}

static int parse_filter(struct fc_filter_info *info, const char *const *words)
{
	static const struct {
		const char *name;
		int (*set)(struct fc_filter_info *info, const char *word);
	} settings[] = {
		{ "-F", set_only },
		{ "-N", set_except },
		{ "-D", set_depth },
		{ "-t", set_time },
	};
	for (; *words; words += 2) {
		size_t i = 0, nr = sizeof(settings) / sizeof(settings[0]);
		while (i < nr && strcmp(settings[i].name, *words))
			i++;
		if (i == nr || !words[1])
			return fc_fail(EINVAL, "%s: not a filter", *words);
		int err = settings[i].set(info, words[1]);
		if (err)
			return err;
	}
	return 0;
}

/* Of each kind that is given, those before are replaced. */
static void take_over(struct fc_filter_info *now, struct fc_filter_info *asked)
{
	if (asked->only) {
		fc_globs_free(now->only);
		now->only = fc_take(asked->only);
	}
	if (asked->except) {
		fc_globs_free(now->except);
		now->except = fc_take(asked->except);
	}
	if (asked->depth)
		now->depth = asked->depth;
	if (asked->min_ns)
		now->min_ns = asked->min_ns;
}

/* Then what these functions do not reach is not hooked, and the rest is off outside of them. */
static bool began_with_only(const struct fc_tracer *tracer)
{
	return tracer->shared.opts->only;
}

/* What -F asks for is opened, though the budget has made it cheaper; malloc()ed: what is said. */
static char *open_for_filter(struct fc_tracer *tracer)
{
	struct fc_throttle *throttle = tracer->throttle;
	struct matching matching = { 0 };
	if (!throttle)
		return fc_strdup("");
	char **globs = NULL;
	for (char **text = tracer->filter.only; text && *text; text++) {
		fc_auto_free char *glob = glob_of(*text);
		fc_globs_push(&globs, glob);
	}
	for (struct fc_module *m = tracer->shared.modules.first; m; m = m->next)
		if (m->plan && globs)
			match_module(m, (const char *const *)globs, &matching);
	fc_globs_free(globs);
	size_t nr = fc_throttle_open(throttle, tracer, matching.ids.at, matching.ids.nr);
	size_t nr_left = fc_throttle_nr_cheaper(throttle);
	fc_vec_free(&matching.ids);
	fc_auto_free char *opened =
		nr ? fc_asprintf("; %zu that the budget had made cheaper %s recorded again, "
				 "until that costs too much",
				 nr, nr == 1 ? "is" : "are")
		   : fc_strdup("");
	return nr_left ? fc_asprintf("%s; %zu function%s left to the budget, only counted or "
				     "unseen (hook opens them)",
				     opened, nr_left, nr_left == 1 ? " is" : "s are")
		       : fc_take(opened);
}

/* words: "clear" if those before are to go; then what is to be let through. */
static int run_filter(struct fc_tracer *tracer, const char *const *words, char **answer)
{
	struct fc_tap *tap = tracer->shared.tap;
	struct fc_filter_info asked = { 0 };
	bool is_clear = *words && !strcmp(*words, "clear");
	if (tracer->shared.opts->loss == FC_LOSS_RING)
		return fc_fail(ENOTSUP,
			       "this session keeps all of the newest records (--loss=ring): "
			       "give filters to fctrace dump or fctrace replay");
	if (!tap->filter || tracer->shared.opts->counting == FC_COUNT_ONLY)
		return fc_fail(ENOTSUP, "this session has no filters: it only counts calls");
	int err = parse_filter(&asked, words + is_clear);
	if (!err) {
		if (is_clear)
			fc_filter_info_deinit(&tracer->filter);
		take_over(&tracer->filter, &asked);
		err = tap->filter(tap, &tracer->filter);
	}
	fc_filter_info_deinit(&asked);
	if (err)
		return err;
	fc_auto_free char *text = fc_filter_info_text(&tracer->filter);
	fc_auto_free char *opened = open_for_filter(tracer);
	*answer = fc_asprintf("filters from here on: %s%s%s", *text ? text : "none", opened,
			      began_with_only(tracer)
				      ? "; of what the -F of the beginning have left out, "
					"nothing is recorded"
				      : "");
	note(tracer, *answer, NULL);
	return 0;
}

/* ---- what is going on ---- */

struct counts {
	size_t nr_processes, nr_threads, nr_funcs;
};

static struct counts count(const struct fc_tracer *tracer)
{
	struct counts counts = { 0 };
	for (const struct fc_process *p = tracer->tracees.first; p; p = p->next) {
		counts.nr_processes++;
		counts.nr_threads += p->nr_threads > 0 ? (size_t)p->nr_threads : 0;
	}
	for (const struct fc_module *m = tracer->shared.modules.first; m; m = m->next) {
		struct fc_plan_sums sums =
			m->plan ? fc_plan_sums(m->plan) : (struct fc_plan_sums){ 0 };
		counts.nr_funcs += sums.hooked + sums.entry_only;
	}
	return counts;
}

/* What becomes of them; malloc()ed. */
static char *records_text(const struct fc_tracer *tracer)
{
	const struct fc_user_opts *opts = tracer->shared.opts;
	struct fc_drain_sums sums = fc_drain_sums(tracer->shared.drain);
	if (opts->counting == FC_COUNT_ONLY)
		return fc_strdup("none: calls are counted");
	if (opts->loss == FC_LOSS_RING)
		return fc_strdup("kept in rings, until they are dumped");
	return fc_asprintf("%" PRIu64 " taken, %" PRIu64 " lost", sums.nr_words, sums.nr_lost);
}

static int run_status(struct fc_tracer *tracer, const char *const *words, char **answer)
{
	struct counts counts = count(tracer);
	fc_auto_free char *records = records_text(tracer);
	size_t nr_unhooked = tracer->shared.modules.nr_unhooked;
	fc_auto_free char *filters = fc_filter_info_text(&tracer->filter);
	*answer = fc_asprintf("traced     %zu process%s, %zu thread%s\n"
			      "recording  %s\n"
			      "filters    %s\n"
			      "functions  %zu hooked, %zu unhooked\n"
			      "records    %s",
			      counts.nr_processes, counts.nr_processes == 1 ? "" : "es",
			      counts.nr_threads, plural(counts.nr_threads),
			      tracer->shared.is_off ? "off" : "on", *filters ? filters : "none",
			      counts.nr_funcs - nr_unhooked, nr_unhooked, records);
	return 0;
}

/* ---- off and on ---- */

/* Counters have no switch. */
static int check_switch(const struct fc_tracer *tracer)
{
	return tracer->shared.opts->counting == FC_COUNT_ONLY
		       ? fc_fail(ENOTSUP,
				 "this session only counts calls: fctrace ctl PID unhook "
				 "takes functions out of it")
		       : 0;
}

static int run_on(struct fc_tracer *tracer, const char *const *words, char **answer)
{
	bool was_off = tracer->shared.is_off;
	int err = check_switch(tracer);
	if (err)
		return err;
	fc_tracer_switch(tracer, true);
	*answer = fc_strdup(was_off ? "recording is on" : "recording was on before");
	return 0;
}

static int run_off(struct fc_tracer *tracer, const char *const *words, char **answer)
{
	bool was_off = tracer->shared.is_off;
	int err = check_switch(tracer);
	if (err)
		return err;
	fc_tracer_switch(tracer, false);
	*answer = fc_strdup(was_off ? "recording was off before" : "recording is off");
	return 0;
}

/* ---- where dumps go ---- */

static int run_file(struct fc_tracer *tracer, const char *const *words, char **answer)
{
	const char *path = tracer->shared.opts->trace_path;
	if (!path)
		return fc_fail(ENOTSUP, "this session writes no dumps");
	*answer = fc_strdup(path);
	return 0;
}

/* ---- the table ---- */

static const struct {
	const char *name;
	int (*run)(struct fc_tracer *tracer, const char *const *words, char **answer);
} commands[] = {
	{ "status", run_status }, { "on", run_on },	{ "off", run_off },
	{ "filter", run_filter }, { "hook", run_hook }, { "unhook", run_unhook },
	{ "file", run_file },
};

static int run(struct fc_tracer *tracer, const struct fc_request *request, char **answer)
{
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (!strcmp(commands[i].name, request->words[0]))
			return commands[i].run(tracer, request->words + 1, answer);
	return fc_fail(EINVAL, "%s: this fctrace knows no such command", request->words[0]);
}

static bool is_filtering(void *ctx)
{
	struct fc_tap *tap = ctx;
	return tap->is_filtering(tap);
}

void fc_command_serve(struct fc_tracer *tracer)
{
	const struct fc_request *request = fc_control_next(tracer->control);
	fc_auto_free char *answer = NULL;
	if (!request)
		return;
	int err = run(tracer, request, &answer);
	if (err)
		fc_control_answer(tracer->control, err == -EINVAL ? 2 : 1, fc_fail_text());
	else if (tracer->shared.tap->filter)
		fc_control_answer_when(tracer->control, answer, is_filtering,
				       tracer->shared.tap);
	else
		fc_control_answer(tracer->control, 0, answer);
}
