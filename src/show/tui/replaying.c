/* SPDX-License-Identifier: Apache-2.0 */
/* replaying.c - steps the cursor from call to call at the pace that was chosen. */
#include "show/tui/replaying.h"

#include <stdlib.h>

#include "base/memory.h"
#include "show/tui/jumps.h"

static const unsigned speeds[] = { 1, 2, 5, 10, 20, 50 }; /* calls a second */
enum { NR_SPEEDS = sizeof(speeds) / sizeof(speeds[0]), FIRST_SPEED = 1 };

struct fc_replaying {
	struct fc_cursor *cursor;
	uint64_t after_tsc; /* calls up to then were seen before it began */
	bool is_paused;
	int speed;
	uint64_t next_ns; /* CLOCK_MONOTONIC */
};

static void say_how(struct fc_app *app)
{
	const struct fc_replaying *it = app->replaying;

	fc_app_say(app,
		   "replay%s: %u calls a second; + faster  - slower  Space %s  Right one "
		   "step  Esc ends it",
		   it->is_paused ? ", paused" : "", speeds[it->speed],
		   it->is_paused ? "goes on" : "pauses");
}

void fc_replaying_stop(struct fc_app *app)
{
	if (!app->replaying)
		return;
	fc_cursor_destroy(app->replaying->cursor);
	free(app->replaying);
	app->replaying = NULL;
	app->message[0] = 0;
}

void fc_replaying_start(struct fc_app *app)
{
	const struct fc_node *node = fc_outline_selected(app->outline);
	struct fc_choice choice = { .tid = app->tid };

	fc_replaying_stop(app);
	fc_jumps_stop(app);
	if (node && node->kind == FC_NODE_STEP)
		choice.from_tsc = node->step.begin_tsc;
	app->replaying = fc_alloc(sizeof(*app->replaying));
	app->replaying->cursor = fc_cursor_create(app->opts->reader, &choice);
	app->replaying->after_tsc = choice.from_tsc;
	app->replaying->speed = FIRST_SPEED;
	fc_app_show(app, FC_VIEW_TREE);
	say_how(app);
}

static bool is_call(const struct fc_event *event)
{
	return event->kind == FC_ENTRY || event->kind == FC_TAIL ||
	       event->kind == FC_ENTRY_ONLY;
}

/* Go to the next call. False: there is none. */
static bool step(struct fc_app *app)
{
	struct fc_replaying *it = app->replaying;
	struct fc_walk *walk = fc_outline_walk(app->outline);
	struct fc_event event;
	struct fc_walk_place place;
	uint32_t depth;

	while (fc_cursor_next(it->cursor, &event) == 1) {
		if (!is_call(&event) || event.tsc <= it->after_tsc ||
		    !fc_cursor_place(it->cursor).is_record)
			continue;
		uint32_t strand = 0;
		while (strand < fc_reader_nr_strands(app->opts->reader) &&
		       fc_reader_strand(app->opts->reader, strand)->id != event.strand)
			strand++;
		if (!fc_walk_find(walk, strand, event.tsc, event.func, &place, &depth))
			continue;
		it->after_tsc = 0;
		fc_outline_reveal(app->outline, strand, place, depth);
		return true;
	}
	return false;
}

static void step_and_say(struct fc_app *app)
{
	if (step(app)) {
		say_how(app);
		return;
	}
	fc_replaying_stop(app);
	fc_app_say(app, "this was the last call");
}

bool fc_replaying_key(struct fc_app *app, int key)
{
	struct fc_replaying *it = app->replaying;

	switch (key) {
	case ' ':
		it->is_paused = !it->is_paused;
		it->next_ns = 0;
		break;
	case '+':
		it->speed += it->speed + 1 < NR_SPEEDS;
		break;
	case '-':
		it->speed -= it->speed > 0;
		break;
	case FC_KEY_RIGHT:
	case FC_KEY_DOWN:
		it->is_paused = true;
		step_and_say(app);
		return true;
	case FC_KEY_ESCAPE:
	case 'R':
		fc_replaying_stop(app);
		return true;
	case 'q':
	case FC_KEY_RESIZE:
		return false;
	default:
		fc_replaying_stop(app);
		return false;
	}
	say_how(app);
	return true;
}

void fc_replaying_work(struct fc_app *app)
{
	struct fc_replaying *it = app->replaying;
	uint64_t now = fc_clock_mono_ns();

	if (!it || it->is_paused || now < it->next_ns || fc_jumps_are_busy(app))
		return;
	it->next_ns = now + 1000000000ull / speeds[it->speed];
	step_and_say(app);
}

int fc_replaying_wait_ms(const struct fc_app *app)
{
	const struct fc_replaying *it = app->replaying;
	uint64_t now = fc_clock_mono_ns();

	if (!it || it->is_paused)
		return -1;
	return it->next_ns > now ? (int)((it->next_ns - now) / 1000000) + 1 : 0;
}
