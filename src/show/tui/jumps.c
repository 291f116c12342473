/* SPDX-License-Identifier: Apache-2.0 */
/* jumps.c - moves the cursor to a name, a time, main, a gap or a long call. */
#include "show/tui/jumps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "show/tui/hunt.h"
#include "show/tui/sums.h"

void fc_jumps_deinit(struct fc_jumps *jumps)
{
	fc_hunt_destroy(jumps->hunt);
	free(jumps->is_wanted);
}

/* The call that the user is on, or is in; NULL: none. */
static const struct fc_step *step_of(const struct fc_app *app)
{
	const struct fc_node *node = fc_outline_selected(app->outline);

	while (node && node->kind != FC_NODE_STEP)
		node = fc_outline_parent(app->outline, node);
	return node ? &node->step : NULL;
}

uint32_t fc_app_func(const struct fc_app *app)
{
	const struct fc_step *step = step_of(app);
	return step && step->kind != FC_STEP_LOST ? step->func : 0;
}

/* ---- hunts ---- */

static void hunt(struct fc_app *app, const char *what, const uint8_t *is_wanted, size_t nr_ids,
		 bool is_back)
{
	const struct fc_step *step = step_of(app);
	struct fc_hunt_opts opts = {
		.reader = app->opts->reader,
		.tid = app->tid,
		.is_wanted = is_wanted,
		.nr_ids = nr_ids,
		.is_back = is_back,
		.strand = UINT32_MAX,
		.tsc = is_back ? UINT64_MAX : 0,
	};

	if (step) {
		opts.strand = step->strand;
		opts.place = step->place;
		opts.tsc = step->begin_tsc;
	}
	/* The others of a run are in its row. */
	if (step && step->kind == FC_STEP_RUN && !is_back) {
		opts.place.record = step->behind.record - 1;
		opts.tsc = step->end_tsc;
	}
	fc_jumps_stop(app);
	app->jumps.hunt = fc_hunt_create(&opts);
	app->jumps.what = what;
}

void fc_jump_gap(struct fc_app *app, bool is_back)
{
	fc_app_show(app, FC_VIEW_TREE);
	hunt(app, "a gap", NULL, 0, is_back);
}

void fc_jump_call_of(struct fc_app *app, uint32_t func, bool is_back)
{
	size_t nr = (size_t)fc_reader_max_func(app->opts->reader) + 1;

	if (!func || func >= nr) {
		fc_app_say(app, "no function is in this row");
		return;
	}
	uint8_t *is_wanted = fc_alloc(nr / 8 + 1);
	is_wanted[func / 8] |= (uint8_t)(1u << func % 8);
	fc_app_show(app, FC_VIEW_TREE);
	hunt(app, "a call of it", is_wanted, nr, is_back);
	free(is_wanted);
}

void fc_jump_main(struct fc_app *app)
{
	size_t nr = (size_t)fc_reader_max_func(app->opts->reader) + 1;
	uint8_t *is_wanted = fc_alloc(nr / 8 + 1);
	bool is_any = false;

	for (uint32_t func = 1; func < nr; func++) {
		if (strcmp(fc_reader_func(app->opts->reader, func).name, "main") != 0)
			continue;
		is_wanted[func / 8] |= (uint8_t)(1u << func % 8);
		is_any = true;
	}
	if (is_any)
		hunt(app, NULL, is_wanted, nr, false);
	free(is_wanted);
}

void fc_jump_time(struct fc_app *app, uint64_t tsc)
{
	size_t nr = (size_t)fc_reader_max_func(app->opts->reader) + 1;
	uint8_t *is_wanted = fc_alloc(nr / 8 + 1);
	struct fc_hunt_opts opts = {
		.reader = app->opts->reader,
		.tid = app->tid,
		.is_wanted = is_wanted,
		.nr_ids = nr,
		.strand = UINT32_MAX,
		.tsc = tsc ? tsc - 1 : 0,
	};

	memset(is_wanted, 0xff, nr / 8 + 1);
	fc_jumps_stop(app);
	app->jumps.hunt = fc_hunt_create(&opts);
	app->jumps.what = "a call from then on";
	free(is_wanted);
	fc_app_show(app, FC_VIEW_TREE);
}

/* ---- names ---- */

bool fc_jump_matches(const struct fc_app *app, uint32_t func, const char *pattern)
{
	struct fc_name name = app->opts->namer.name_of(app->opts->namer.ctx, func);
	return strcasestr(name.name, pattern) ||
	       (strpbrk(pattern, "*?[") && fc_name_match(name, pattern));
}

/* Which functions are meant is found by and by: there may be many. */
static void begin_search(struct fc_app *app, bool is_back)
{
	struct fc_jumps *jumps = &app->jumps;

	fc_jumps_stop(app);
	fc_app_show(app, FC_VIEW_TREE);
	jumps->is_naming = true;
	jumps->is_back = is_back;
}

void fc_jump_search(struct fc_app *app, const char *pattern)
{
	struct fc_jumps *jumps = &app->jumps;

	if (strpbrk(pattern, "*?[") && fc_glob_check(pattern)) {
		fc_app_say(app, "%s: a [ without its ]", pattern);
		return;
	}
	snprintf(jumps->pattern, sizeof(jumps->pattern), "%s", pattern);
	free(jumps->is_wanted);
	jumps->nr_ids = (size_t)fc_reader_max_func(app->opts->reader) + 1;
	jumps->is_wanted = fc_alloc(jumps->nr_ids / 8 + 1);
	jumps->next_id = 1;
	begin_search(app, false);
}

void fc_jump_again(struct fc_app *app, bool is_back)
{
	if (app->jumps.pattern[0])
		begin_search(app, is_back);
	else
		fc_app_say(app, "nothing was searched for yet: / does");
}

static bool name_some(struct fc_app *app, uint64_t mono_ns)
{
	struct fc_jumps *jumps = &app->jumps;

	for (; jumps->next_id < jumps->nr_ids; jumps->next_id++) {
		if (jumps->next_id % 64 == 0 && fc_clock_mono_ns() > mono_ns)
			return false;
		if (fc_jump_matches(app, (uint32_t)jumps->next_id, jumps->pattern))
			jumps->is_wanted[jumps->next_id / 8] |=
				(uint8_t)(1u << jumps->next_id % 8);
	}
	return true;
}

static bool has_any(const struct fc_jumps *jumps)
{
	for (size_t i = 0; i <= jumps->nr_ids / 8; i++)
		if (jumps->is_wanted[i])
			return true;
	return false;
}

/* ---- the longest call ---- */

static uint32_t index_of_strand(const struct fc_reader *reader, uint32_t id)
{
	for (uint32_t i = 0; i < fc_reader_nr_strands(reader); i++)
		if (fc_reader_strand(reader, i)->id == id)
			return i;
	return UINT32_MAX;
}

static void go_to_longest(struct fc_app *app, const struct fc_longest *longest, uint32_t func)
{
	struct fc_walk *walk = fc_outline_walk(app->outline);
	uint32_t strand = index_of_strand(app->opts->reader, longest->strand), depth = 0;
	struct fc_walk_place place;

	/* If the user has changed to another view meanwhile, stay there. */
	if (app->view == app->jumps.asked_in)
		fc_app_show(app, FC_VIEW_TREE);
	if (strand != UINT32_MAX &&
	    fc_walk_find(walk, strand, longest->begin_tsc, func, &place, &depth))
		fc_outline_reveal(app->outline, strand, place, depth);
	else
		fc_app_say(app, "its longest call began among lost records");
}

void fc_jump_longest(struct fc_app *app, uint32_t func)
{
	if (!func) {
		fc_app_say(app, "no function is in this row");
		return;
	}
	fc_jumps_stop(app);
	app->jumps.longest_of = func;
	app->jumps.asked_in = app->view;
}

/* Returns whether its sums are still made. */
static bool wait_for_longest(struct fc_app *app)
{
	struct fc_errand *errand = fc_sums_of(app, FC_ERRAND_FUNCTIONS);
	uint32_t func = app->jumps.longest_of;

	if (!fc_errand_is_done(errand)) {
		fc_app_say(app, "reading all calls: %.0f %%; Esc stops waiting",
			   100 * fc_errand_progress(errand));
		return true;
	}
	app->jumps.longest_of = 0;
	app->message[0] = 0;
	const struct fc_longest *longest = fc_errand_longest(errand, func);
	if (longest)
		go_to_longest(app, longest, func);
	else
		fc_app_say(app, "%s",
			   fc_errand_trouble(errand) ? fc_errand_trouble(errand)
			   : app->jumps.nr_zooms
				   ? "none began in this part of the time and was seen to end"
				   : "the end of none was seen");
	return false;
}

/* ---- zoom ---- */

static void show_zoom(struct fc_app *app)
{
	struct fc_range range = fc_app_range(app);
	const struct fc_outline_opts opts = {
		.reader = app->opts->reader,
		.tid = app->tid,
		.from_tsc = range.from_tsc,
		.to_tsc = range.to_tsc,
	};

	fc_outline_set(app->outline, &opts);
}

void fc_zoom_in(struct fc_app *app, uint64_t from_tsc, uint64_t to_tsc)
{
	struct fc_jumps *jumps = &app->jumps;

	if (jumps->nr_zooms == FC_ZOOMS) {
		fc_app_say(app, "so often zoomed in: - zooms out");
		return;
	}
	jumps->zooms[jumps->nr_zooms++] = (struct fc_range){ from_tsc, to_tsc };
	show_zoom(app);
}

/* What was seen is gone to again. */
void fc_zoom_out(struct fc_app *app)
{
	const struct fc_step *step = step_of(app);
	struct fc_step was = step ? *step : (struct fc_step){ 0 };

	if (!app->jumps.nr_zooms) {
		fc_app_say(app, "this is the whole time");
		return;
	}
	app->jumps.nr_zooms--;
	show_zoom(app);
	if (step)
		fc_outline_reveal(app->outline, was.strand, was.place, was.depth);
}

/* ---- work ---- */

bool fc_jumps_are_busy(const struct fc_app *app)
{
	const struct fc_jumps *jumps = &app->jumps;
	return jumps->hunt || jumps->is_naming || jumps->longest_of ||
	       fc_outline_is_revealing(app->outline);
}

void fc_jumps_stop(struct fc_app *app)
{
	fc_hunt_destroy(app->jumps.hunt);
	app->jumps.hunt = NULL;
	app->jumps.is_naming = false;
	app->jumps.longest_of = 0;
	fc_outline_stop(app->outline);
}

static bool work_names(struct fc_app *app, uint64_t mono_ns)
{
	struct fc_jumps *jumps = &app->jumps;

	if (!name_some(app, mono_ns))
		return true;
	jumps->is_naming = false;
	if (!has_any(jumps)) {
		fc_app_say(app, "%s: no function is called so", jumps->pattern);
		return false;
	}
	hunt(app, "a call of that name", jumps->is_wanted, jumps->nr_ids, jumps->is_back);
	return true;
}

static bool work_hunt(struct fc_app *app, uint64_t mono_ns)
{
	struct fc_jumps *jumps = &app->jumps;
	struct fc_hunt_found found;
	int ret = fc_hunt_work(jumps->hunt, mono_ns, &found);

	if (ret < 0) {
		fc_app_say(app, "searching: %.0f %%; Esc stops",
			   100 * fc_hunt_progress(jumps->hunt));
		return true;
	}
	const char *what = jumps->what;
	bool is_back = jumps->hunt && fc_hunt_is_back(jumps->hunt);
	fc_hunt_destroy(jumps->hunt);
	jumps->hunt = NULL;
	app->message[0] = 0;
	if (ret)
		fc_outline_reveal(app->outline, found.strand, found.place, found.depth);
	else if (what)
		fc_app_say(app, "there is not %s any more %s here", what,
			   is_back ? "before" : "behind");
	return ret;
}

bool fc_jumps_work(struct fc_app *app, uint64_t mono_ns)
{
	if (app->jumps.is_naming)
		return work_names(app, mono_ns);
	if (app->jumps.hunt)
		return work_hunt(app, mono_ns);
	return app->jumps.longest_of && wait_for_longest(app);
}
