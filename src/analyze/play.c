/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/play.h"

#include <stddef.h>

#include "analyze/ahead.h"

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

static void live(struct play *play, const struct fc_life_info *life)
{
	if (life->tsc > play->last_tsc)
		play->last_tsc = life->tsc;
	if (life->life == FC_LIFE_EXIT || life->life == FC_LIFE_EXEC)
		fc_calls_task_end(play->calls, life->pid, 0, life->tsc);
	else if (life->life == FC_LIFE_THREAD_EXIT)
		fc_calls_task_end(play->calls, life->pid, life->tid, life->tsc);
	if (play->opts->life)
		play->opts->life(play->opts->ctx, life);
}

static void live_until(struct play *play, uint64_t tsc)
{
	while (play->next_life_tsc < tsc) {
		live(play, fc_reader_life(play->reader, play->next_life++));
		look_ahead(play);
	}
}

static bool is_enough(const struct play *play, uint64_t now_tsc)
{
	const struct fc_play_opts *opts = play->opts;
	return (opts->is_enough && opts->is_enough(opts->ctx)) ||
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
}

int fc_play(struct fc_reader *reader, const struct fc_play_opts *opts,
	    struct fc_call_sink *sink)
{
	struct fc_cursor *cursor = NULL;
	int err = fc_cursor_create_for(reader, &opts->choice, &cursor);
	if (err)
		return err;

	struct play play = { .opts = opts, .reader = reader };
	play.calls = fc_calls_create(sink);
	fc_calls_set_group(play.calls, opts->group);
	look_ahead(&play);
	struct fc_ahead *ahead = fc_ahead_create(cursor);
	play_events(&play, ahead);
	fc_ahead_destroy(ahead);
	fc_calls_finish(play.calls, play.last_tsc);
	fc_calls_destroy(play.calls);
	fc_cursor_destroy(cursor);
	return 0;
}
