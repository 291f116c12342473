/* SPDX-License-Identifier: Apache-2.0 */
/* play.c - reads a trace's events in order of time, and feeds them to the stack machine. */
#include "calls/play.h"

#include <stddef.h>

#include "calls/ahead.h"

struct play {
	const struct fc_play_opts *opts;
	struct fc_reader *reader;
	struct fc_calls *calls;
	size_t next_life;
	uint64_t next_life_tsc; /* UINT64_MAX: no more */
	uint64_t last_tsc;
};

static void look_ahead(struct play *play)
{
	play->next_life_tsc = play->next_life < fc_reader_nr_lives(play->reader)
				      ? fc_reader_life(play->reader, play->next_life)->tsc
				      : UINT64_MAX;
}

/* Where few threads of many are played, again and again, the others' ends must cost nothing. */
static void end_calls(struct play *play, const struct fc_life_info *life)
{
	const struct fc_choice *choice = &play->opts->choice;

	if (choice->pid && choice->pid != life->pid)
		return;
	if (fc_life_ends_calls(life))
		fc_calls_task_end(play->calls, life->pid, fc_life_ended_tid(life), life->tsc);
}

static void live(struct play *play, const struct fc_life_info *life)
{
	if (life->tsc > play->last_tsc)
		play->last_tsc = life->tsc;
	end_calls(play, life);
	if (play->opts->life && fc_range_has(&play->opts->range, life->tsc))
		play->opts->life(play->opts->ctx, life);
}

/* Up to this time, or the end of the range. */
static void live_until(struct play *play, uint64_t tsc)
{
	uint64_t to_tsc = play->opts->range.to_tsc;

	if (to_tsc && tsc > to_tsc)
		tsc = to_tsc;
	while (play->next_life_tsc < tsc) {
		live(play, fc_reader_life(play->reader, play->next_life++));
		look_ahead(play);
	}
}

static bool is_enough(const struct play *play, uint64_t now_tsc)
{
	const struct fc_play_opts *opts = play->opts;
	return (opts->range.to_tsc && now_tsc >= opts->range.to_tsc) ||
	       (opts->is_enough && opts->is_enough(opts->ctx)) ||
	       (opts->is_past && opts->is_past(opts->ctx, now_tsc));
}

static void play_events(struct play *play, struct fc_ahead *ahead)
{
	const struct fc_event *events;
	size_t nr;

	while ((nr = fc_ahead_next(ahead, &events))) {
		for (size_t i = 0; i < nr; i++) {
			if (events[i].tsc > play->next_life_tsc)
				live_until(play, events[i].tsc);
			if (events[i].tsc > play->last_tsc)
				play->last_tsc = events[i].tsc;
			fc_calls_feed(play->calls, &events[i]);
		}
		if (is_enough(play, events[nr - 1].tsc))
			return;
	}
	live_until(play, UINT64_MAX);
	/* Somebody lived on behind the range: what is open reaches through it. */
	uint64_t to_tsc = play->opts->range.to_tsc;
	if (play->next_life_tsc != UINT64_MAX && play->last_tsc < to_tsc)
		play->last_tsc = to_tsc;
}

static void play_all(struct fc_reader *reader, const struct fc_play_opts *opts,
		     const struct fc_choice *choice, struct fc_call_sink *sink)
{
	fc_reader_begin_pass(reader, choice, opts->range.to_tsc);
	struct fc_cursor *cursor = fc_cursor_create(reader, choice);
	struct play play = { .opts = opts, .reader = reader };
	play.calls = fc_calls_create(sink);
	fc_calls_set_group(play.calls, opts->group);
	fc_calls_set_off_funcs(play.calls, fc_reader_off_funcs(reader));
	if (!opts->no_values)
		fc_calls_hold_chains(play.calls, true);
	fc_calls_set_values(play.calls, opts->no_values ? NULL : opts->values);
	look_ahead(&play);
	if (opts->no_values)
		fc_cursor_skip_values(cursor);
	struct fc_ahead *ahead = fc_ahead_create(cursor);
	play_events(&play, ahead);
	fc_ahead_destroy(ahead);
	fc_calls_finish(play.calls, play.last_tsc);
	fc_calls_destroy(play.calls);
	fc_cursor_destroy(cursor);
}

void fc_play(struct fc_reader *reader, const struct fc_play_opts *opts,
	     struct fc_call_sink *sink)
{
	struct fc_choice choice = opts->choice;

	if (!opts->range.from_tsc && !opts->range.to_tsc) {
		play_all(reader, opts, &choice, sink);
		return;
	}
	choice.from_tsc = opts->needs_begins ? 0 : opts->range.from_tsc;
	struct fc_cut *cut = fc_cut_create(&opts->range, sink);
	play_all(reader, opts, &choice, fc_cut_sink(cut));
	fc_cut_destroy(cut);
}
