/* SPDX-License-Identifier: Apache-2.0 */
/* hunt.c - looks for the next call of some functions, packet by packet, a short time at once. */
#include "show/tui/hunt.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/order.h"
#include "base/vec.h"
#include "show/tui/reels.h"
#include "trace/peek.h"

struct packet {
	uint64_t at; /* quanta: its begin, or backwards its end */
	uint32_t strand;
	uint32_t packet;
};

struct fc_hunt {
	struct fc_hunt_opts opts;
	uint8_t *is_wanted;
	struct fc_reels *reels;
	struct fc_peek *peek;
	unsigned shift;
	FC_VEC(struct packet) packets; /* in the order that they are looked at */
	size_t next;
	bool has_best;
	struct fc_hunt_found best;
};

static int by_time(const void *a, const void *b)
{
	const struct packet *x = a, *y = b;
	return fc_order(x->at, y->at) ?:
	       fc_order(x->strand, y->strand) ?:
	       fc_order(x->packet, y->packet);
}

static int by_time_back(const void *a, const void *b)
{
	return by_time(b, a);
}

static void add_strand(struct fc_hunt *hunt, uint32_t i)
{
	const struct fc_reader *reader = hunt->opts.reader;
	uint64_t then = hunt->opts.tsc >> hunt->shift;

	for (size_t k = 0; k < fc_reader_nr_packets(reader, i); k++) {
		const struct fc_events_head *head = fc_reader_packet(reader, i, k);
		bool is_out = hunt->opts.is_back ? head->begin > then : head->end < then;
		struct packet packet = { hunt->opts.is_back ? head->end : head->begin, i,
					 (uint32_t)k };
		if (!is_out)
			fc_vec_push(&hunt->packets, packet);
	}
}

struct fc_hunt *fc_hunt_create(const struct fc_hunt_opts *opts)
{
	struct fc_hunt *hunt = fc_alloc(sizeof(*hunt));
	struct fc_reader *reader = opts->reader;

	hunt->opts = *opts;
	hunt->shift = fc_reader_time_shift(reader);
	hunt->reels = fc_reels_create(reader, 2);
	hunt->peek = fc_peek_create(reader);
	if (opts->is_wanted) {
		hunt->is_wanted = fc_alloc(opts->nr_ids / 8 + 1);
		memcpy(hunt->is_wanted, opts->is_wanted, opts->nr_ids / 8 + 1);
	}
	for (uint32_t i = 0; i < fc_reader_nr_strands(reader); i++) {
		if (!opts->tid || fc_reader_strand_may_be(reader, i, opts->tid))
			add_strand(hunt, i);
	}
	fc_vec_sort(&hunt->packets, opts->is_back ? by_time_back : by_time);
	return hunt;
}

void fc_hunt_destroy(struct fc_hunt *hunt)
{
	if (!hunt)
		return;
	fc_reels_destroy(hunt->reels);
	fc_peek_destroy(hunt->peek);
	fc_vec_free(&hunt->packets);
	free(hunt->is_wanted);
	free(hunt);
}

double fc_hunt_progress(const struct fc_hunt *hunt)
{
	return hunt->packets.nr ? (double)hunt->next / (double)hunt->packets.nr : 1;
}

bool fc_hunt_is_back(const struct fc_hunt *hunt)
{
	return hunt->opts.is_back;
}

/* ---- one packet ---- */

/* Never false by mistake. */
static bool may_have(struct fc_hunt *hunt, uint32_t i, size_t k)
{
	const struct fc_reader *reader = hunt->opts.reader;
	const struct fc_events_head *head = fc_reader_packet(reader, i, k);

	if (fc_peek_at(hunt->peek, i, k))
		return true;
	if (hunt->is_wanted)
		return fc_peek_has_func(hunt->peek, hunt->is_wanted, hunt->opts.nr_ids);
	bool has_gap = k ? fc_reader_has_gap(reader, i, k) : head->ordinal || head->lost_before;
	return has_gap || head->lost || fc_peek_has_marks(hunt->peek);
}

static bool is_wanted(const struct fc_hunt *hunt, const struct fc_reel_record *record)
{
	bool is_call = record->kind == FC_ENTRY || record->kind == FC_TAIL ||
		       record->kind == FC_ENTRY_ONLY;

	if (!hunt->is_wanted)
		return record->kind == FC_MARK;
	return is_call && !record->is_reopened && record->func < hunt->opts.nr_ids &&
	       hunt->is_wanted[record->func / 8] >> record->func % 8 & 1;
}

/* Order by time, then strand, then place. */
static int compare(const struct fc_hunt_found *a, uint64_t tsc, uint32_t strand,
		   struct fc_walk_place place)
{
	return fc_order(a->tsc, tsc) ?:
	       fc_order(a->strand, strand) ?:
	       fc_place_compare(a->place, place);
}

static bool is_beyond_start(const struct fc_hunt *hunt, const struct fc_hunt_found *found)
{
	const struct fc_hunt_opts *opts = &hunt->opts;

	/* In its own strand the place says it, whatever the clock did. */
	if (found->strand == opts->strand) {
		int order = fc_place_compare(found->place, opts->place);
		return opts->is_back ? order < 0 : order > 0;
	}
	int order = compare(found, opts->tsc, opts->strand, opts->place);
	return opts->is_back ? order < 0 : order > 0;
}

static bool is_better(const struct fc_hunt *hunt, const struct fc_hunt_found *found)
{
	if (!hunt->has_best)
		return true;
	int order = compare(found, hunt->best.tsc, hunt->best.strand, hunt->best.place);
	return hunt->opts.is_back ? order > 0 : order < 0;
}

/* At this record; false: nothing that is better begins there. */
static bool take_record(struct fc_hunt *hunt, const struct fc_reel *reel, uint32_t r)
{
	const struct fc_reel_record *record = &reel->at[r];
	struct fc_hunt_found found = {
		.strand = (uint32_t)reel->strand,
		.place = { reel->packet, r },
		.depth = record->depth,
		.tsc = record->tsc,
	};

	if (!is_wanted(hunt, record) || !is_beyond_start(hunt, &found) ||
	    !is_better(hunt, &found))
		return false;
	if (record->kind == FC_TAIL && found.depth)
		found.depth--;
	if (record->kind == FC_MARK && reel->lost[record->func].after < found.depth)
		found.depth = reel->lost[record->func].after;
	hunt->best = found;
	hunt->has_best = true;
	return true;
}

static void look_into(struct fc_hunt *hunt, const struct packet *packet)
{
	if (!may_have(hunt, packet->strand, packet->packet)) {
		fc_reader_packet_used(hunt->opts.reader, packet->strand, packet->packet);
		return;
	}
	const struct fc_reel *reel = fc_reels_get(hunt->reels, packet->strand, packet->packet);
	if (hunt->opts.is_back) {
		for (uint32_t r = reel->nr; r-- > 0;)
			if (take_record(hunt, reel, r))
				return;
	} else {
		for (uint32_t r = 0; r < reel->nr; r++)
			if (take_record(hunt, reel, r))
				return;
	}
}

int fc_hunt_work(struct fc_hunt *hunt, uint64_t mono_ns, struct fc_hunt_found *ret)
{
	while (hunt->next < hunt->packets.nr) {
		const struct packet *packet = &hunt->packets.at[hunt->next];
		uint64_t best = hunt->best.tsc >> hunt->shift;
		if (hunt->has_best &&
		    (hunt->opts.is_back ? packet->at < best : packet->at > best))
			break;
		look_into(hunt, packet);
		hunt->next++;
		if (fc_clock_mono_ns() > mono_ns)
			return -EAGAIN;
	}
	if (hunt->has_best)
		*ret = hunt->best;
	return hunt->has_best;
}
