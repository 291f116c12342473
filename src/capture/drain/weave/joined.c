/* SPDX-License-Identifier: Apache-2.0 */
/* joined.c - what each well has told waits until all have told up to then. */
#include "capture/drain/weave/joined.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/order.h"
#include "base/vec.h"
#include "calls/pass.h"
#include "trace/clock.h"
#include "trace/record.h"

/* One of the wells: the tap that it tells. */
struct part {
	struct fc_pass pass;
	struct fc_joined *of;
	uint64_t told_tsc; /* all that was before */
};

/* Words that were told in one go. */
struct piece {
	uint64_t tsc; /* of the first... */
	uint64_t now_tsc;
	size_t turn; /* ...and which of those of that time it is */
	size_t begin, nr;
	int tid;
	uint8_t kind;
};

struct held {
	FC_VEC(uint64_t) words;
	FC_VEC(struct piece) pieces;
};

struct fc_joined {
	struct fc_well well;
	struct fc_well *const *wells;
	struct part *parts; /* as wells */
	size_t nr;
	struct fc_tap *next;
	struct held held;
	struct held spare; /* it is empty */
};

static struct fc_joined *joined_of(struct fc_well *well)
{
	return (struct fc_joined *)well;
}

/* ---- what they tell ---- */

static void hold(struct held *held, struct piece piece, const uint64_t *words)
{
	piece.turn = held->pieces.nr;
	piece.begin = held->words.nr;
	for (size_t i = 0; i < piece.nr; i++)
		fc_vec_push(&held->words, words[i]);
	fc_vec_push(&held->pieces, piece);
}

static int part_records(struct fc_tap *tap, const struct fc_strand_info *strand,
			const uint64_t *words, size_t nr, uint64_t now_tsc)
{
	struct part *part = (struct part *)tap;
	struct fc_tap *next = part->pass.next;
	if (strand->id != FC_STRAND_BESIDE)
		return next->records(next, strand, words, nr, now_tsc);
	struct piece piece = {
		.now_tsc = now_tsc, .nr = nr, .tid = strand->tid, .kind = strand->kind
	};
	if (!nr) {
		part->told_tsc = now_tsc;
		return 0;
	}
	piece.tsc = fc_record_tsc(words[0], now_tsc);
	hold(&part->of->held, piece, words);
	return 0;
}

static int by_time(const void *a, const void *b)
{
	const struct piece *one = a, *other = b;
	int ret = fc_order(one->tsc, other->tsc);
	return ret ? ret : fc_order(one->turn, other->turn);
}

static void pass_piece(const struct fc_joined *joined, const struct piece *piece,
		       const uint64_t *words)
{
	struct fc_strand_info strand = { .id = FC_STRAND_BESIDE,
					 .tid = piece->tid,
					 .kind = piece->kind };
	joined->next->records(joined->next, &strand, words, piece->nr, piece->now_tsc);
}

/* All that was before this time has come. */
static void pass_until(struct fc_joined *joined, uint64_t tsc)
{
	struct fc_strand_info nobody = { .id = FC_STRAND_BESIDE };
	struct held held = joined->held;
	joined->held = joined->spare;
	fc_vec_sort(&held.pieces, by_time);
	fc_vec_each (&held.pieces, piece) {
		const uint64_t *words = held.words.at + piece->begin;
		if (piece->tsc < tsc)
			pass_piece(joined, piece, words);
		else
			hold(&joined->held, *piece, words);
	}
	held.words.nr = held.pieces.nr = 0;
	joined->spare = held;
	joined->next->records(joined->next, &nobody, NULL, 0, tsc);
}

static uint64_t told_tsc(const struct fc_joined *joined)
{
	uint64_t ret = UINT64_MAX;
	for (size_t i = 0; i < joined->nr; i++)
		if (joined->parts[i].told_tsc < ret)
			ret = joined->parts[i].told_tsc;
	return ret;
}

/* ---- as a well ---- */

static void stop_parts(struct fc_joined *joined, size_t nr, uint64_t now_tsc)
{
	for (size_t i = 0; i < nr; i++)
		joined->wells[i]->stop(joined->wells[i], now_tsc);
}

static int start(struct fc_well *well, struct fc_numbers *numbers, struct fc_tap *tap)
{
	struct fc_joined *joined = joined_of(well);
	joined->next = tap;
	for (size_t i = 0; i < joined->nr; i++) {
		struct part *part = &joined->parts[i];
		part->of = joined;
		fc_pass_init(&part->pass, tap);
		part->pass.tap.records = part_records;
		int err = joined->wells[i]->start(joined->wells[i], numbers, &part->pass.tap);
		if (err) {
			stop_parts(joined, i, 0);
			return err;
		}
	}
	return 0;
}

static size_t take(struct fc_well *well, uint64_t now_tsc)
{
	struct fc_joined *joined = joined_of(well);
	size_t nr = fc_wells_take(joined->wells);
	pass_until(joined, told_tsc(joined));
	return nr;
}

static void follow(struct fc_well *well, int tid)
{
	fc_wells_follow(joined_of(well)->wells, tid);
}

static void born(struct fc_well *well, int tid)
{
	fc_wells_born(joined_of(well)->wells, tid);
}

static void resumed(struct fc_well *well, int tid)
{
	fc_wells_resumed(joined_of(well)->wells, tid);
}

static void leave(struct fc_well *well, int tid)
{
	fc_wells_leave(joined_of(well)->wells, tid);
}

static void call(struct fc_well *well, int tid, const struct fc_call_stop *at)
{
	fc_wells_call(joined_of(well)->wells, tid, at);
}

static void turn_on(struct fc_well *well, bool is_on)
{
	fc_wells_turn_on(joined_of(well)->wells, is_on);
}

static void stop(struct fc_well *well, uint64_t now_tsc)
{
	struct fc_joined *joined = joined_of(well);
	stop_parts(joined, joined->nr, now_tsc);
	pass_until(joined, fc_clock_tsc());
}

/* ---- its life ---- */

struct fc_joined *fc_joined_create(struct fc_well *const *wells)
{
	struct fc_joined *joined = fc_alloc(sizeof(*joined));
	while (wells[joined->nr])
		joined->nr++;
	joined->wells = wells;
	joined->parts = fc_alloc((joined->nr + 1) * sizeof(*joined->parts));
	joined->well = (struct fc_well){ .start = start,
					 .take = take,
					 .follow = follow,
					 .born = born,
					 .resumed = resumed,
					 .leave = leave,
					 .call = fc_wells_want_calls(wells) ? call : NULL,
					 .turn_on = turn_on,
					 .stop = stop };
	return joined;
}

static void held_deinit(struct held *held)
{
	fc_vec_free(&held->words);
	fc_vec_free(&held->pieces);
}

void fc_joined_destroy(struct fc_joined *joined)
{
	if (!joined)
		return;
	held_deinit(&joined->held);
	held_deinit(&joined->spare);
	free(joined->parts);
	free(joined);
}

struct fc_well *fc_joined_well(struct fc_joined *joined)
{
	return &joined->well;
}
