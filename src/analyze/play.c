/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/play.h"

#include <stddef.h>

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

static int play_events(struct play *play, struct fc_cursor *cursor)
{
	struct fc_event event;
	int ret;

	for (unsigned int nr = 0; (ret = fc_cursor_next(cursor, &event)) > 0; nr++) {
		live_until(play, event.tsc);
		if (event.tsc > play->last_tsc)
			play->last_tsc = event.tsc;
		fc_calls_feed(play->calls, &event);
		if (nr % 1024 == 0 && is_enough(play, event.tsc))
			return 0;
	}
	live_until(play, UINT64_MAX);
	return ret;
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
	err = play_events(&play, cursor);
	fc_calls_finish(play.calls, play.last_tsc);
	fc_calls_destroy(play.calls);
	fc_cursor_destroy(cursor);
	return err;
}
