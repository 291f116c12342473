/* SPDX-License-Identifier: Apache-2.0 */
/* cursor.c - the events of a trace in order of time: packets of all strands, merged by a heap. */
#include <errno.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/progress.h"
#include "trace/decode.h"
#include "trace/inside.h"
#include "trace/reader.h"

/*
 * One strand on its way through the trace. key is the time of what it tells next, and it
 * stands in the heap by it: that of its event once it has one, else the begin of its next
 * packet, which is decoded only when its time has come.
 */
struct lane {
	struct fc_strand_info info;
	size_t first, next, end;   /* packets, for fc_reader_ref() */
	uint64_t key;		   /* quanta */
	uint64_t last;		   /* time of the event told last */
	bool has_event, is_record; /* ...which a packet holds, and is not made up for a gap */
	struct fc_event event;
	struct fc_decoder *dec; /* of the packet being told */
	struct fc_opens opens;	/* as the decoder needs them */

	uint64_t ordinal;     /* records before what comes next… */
	uint64_t lost_before; /* …and lost ones */
	bool is_midway;	      /* begins behind its first packet */
	bool has_ended;	      /* FC_MARK_END is to be told, at ended_at */
	uint64_t ended_at;

	/* A gap to be told before the packet: its mark, then the calls open behind it. */
	bool has_gap;
	struct fc_event gap;
	uint64_t gap_words[2];
	size_t reopen; /* next of opens to be told… */
	bool is_tail;  /* …whose tail call is next */
	size_t nr_reopen;
};

struct fc_cursor {
	struct fc_reader *reader;
	struct lane *lanes; /* one a strand */
	struct lane **heap; /* the least key on top */
	size_t nr_heap, nr_lanes;
	bool skips_values;
	struct fc_cursor_place place;	    /* of the event told last */
	uint64_t words[FC_MARK_MAX_VALUES]; /* of the mark told last */
	FC_VEC(struct fc_decoder *) rest;   /* decoders to be used again */
};

/* ---- the heap ---- */

static bool is_before(const struct lane *a, const struct lane *b)
{
	return a->key != b->key ? a->key < b->key : a->info.id < b->info.id;
}

static void heap_sift(struct fc_cursor *cursor, size_t i)
{
	if (cursor->nr_heap < 2)
		return;
	struct lane **heap = cursor->heap, *lane = heap[i];
	for (;;) {
		size_t child = 2 * i + 1;
		if (child >= cursor->nr_heap)
			break;
		if (child + 1 < cursor->nr_heap && is_before(heap[child + 1], heap[child]))
			child++;
		if (!is_before(heap[child], lane))
			break;
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = lane;
}

static void heap_pop(struct fc_cursor *cursor)
{
	cursor->heap[0] = cursor->heap[--cursor->nr_heap];
	if (cursor->nr_heap)
		heap_sift(cursor, 0);
}

/* ---- decoders ---- */

static struct fc_decoder *decoder_get(struct fc_cursor *cursor)
{
	if (cursor->rest.nr)
		return cursor->rest.at[--cursor->rest.nr];
	struct fc_decoder *dec = fc_alloc(sizeof(*dec));
	fc_decoder_init(dec);
	return dec;
}

static void decoder_put(struct fc_cursor *cursor, struct lane *lane)
{
	if (lane->dec)
		fc_vec_push(&cursor->rest, lane->dec);
	lane->dec = NULL;
}

/* Decode the packet of ref into lane->dec. -EBADMSG: not what was referred to. */
static int decoder_load(struct fc_cursor *cursor, struct lane *lane, struct fc_events_ref *ref)
{
	struct fc_packet packet;
	if (ref->is_damaged || fc_reader_events(cursor->reader, ref, &packet))
		return -EBADMSG;
	lane->dec = decoder_get(cursor);
	lane->dec->skips_values = cursor->skips_values;
	int ret = fc_decoder_load(lane->dec, packet.stored, packet.stored_len);
	if (!ret && (lane->dec->head.strand != ref->head.strand ||
		     lane->dec->head.ordinal != ref->head.ordinal ||
		     lane->dec->head.nr_records != ref->head.nr_records))
		ret = -EBADMSG;
	if (ret)
		decoder_put(cursor, lane);
	fc_progress_did(cursor->reader->progress, ref->head.nr_records);
	return ret;
}

/* ---- gaps ---- */

static struct fc_event event_of(const struct lane *lane, uint8_t kind, uint32_t func)
{
	return (struct fc_event){
		.strand = lane->info.id,
		.pid = lane->info.pid,
		.tid = lane->event.tid,
		.strand_kind = lane->info.kind,
		.kind = kind,
		.func = func,
	};
}

static struct fc_event mark_of(const struct lane *lane, enum fc_mark mark)
{
	struct fc_event event = event_of(lane, FC_MARK, 0);
	event.mark = (uint8_t)mark;
	return event;
}

static void set_gap(struct lane *lane, enum fc_mark mark, uint64_t first, uint64_t second)
{
	lane->has_gap = true;
	lane->gap = mark_of(lane, mark);
	lane->gap_words[0] = first;
	lane->gap_words[1] = second;
	lane->gap.words = lane->gap_words;
	lane->gap.nr_words = 2;
}

static bool is_same_call(const struct fc_open *a, const struct fc_open *b)
{
	return a->first == b->first && a->func == b->func && a->begin == b->begin;
}

/*
 * The calls that the packet in lane->dec finds open take the place of those known so far.
 * Of deep recursion a packet tells only the innermost ones: the ones around are taken
 * over. Returns how many of the outermost calls stay the same.
 */
static int opens_renew(struct lane *lane, size_t *same)
{
	struct fc_opens now = { 0 }, *old = &lane->opens;
	int ret = fc_decoder_opens(lane->dec, &now);
	uint64_t around = ret ? 0 : lane->dec->head.depth - now.calls.nr;
	if (around > old->calls.nr)
		around = 0; /* what was around is not known */

	size_t i = around, nr_now = around + now.calls.nr;
	while (i < nr_now && i < old->calls.nr &&
	       is_same_call(&old->calls.at[i], &now.calls.at[i - around]))
		i++;
	*same = i;
	old->calls.nr = around;
	fc_vec_each (&now.calls, open)
		fc_vec_push(&old->calls, *open);
	fc_vec_free(&now.calls);
	return ret;
}

/* Nothing is missing: what is open where reading begins is told first. */
static void begin_midway(struct lane *lane)
{
	uint64_t nr = lane->opens.calls.nr, nr_told = nr;

	fc_vec_each (&lane->opens.calls, open)
		nr_told += open->func != open->first;
	set_gap(lane, FC_MARK_BEGIN, lane->dec->head.depth - nr, nr_told);
	lane->reopen = 0;
}

/* Are records missing between what was told and the packet in lane->dec? */
static int gap_find(struct lane *lane)
{
	const struct fc_events_head *head = &lane->dec->head;
	uint64_t missing = head->ordinal - lane->ordinal;
	uint64_t lost = head->lost_before - lane->lost_before;
	if (!missing && !lost)
		return 0;

	size_t same = 0;
	int ret = opens_renew(lane, &same);
	if (ret)
		return ret;
	lane->nr_reopen = lane->opens.calls.nr;
	if (lane->is_midway) {
		begin_midway(lane);
		return 0;
	}
	set_gap(lane, FC_MARK_LOST, missing + lost, same + 1);
	lane->reopen = same;
	return 0;
}

/* The strand's last packets are damaged: how it went on is not known. */
static void gap_at_end(struct lane *lane, uint64_t missing)
{
	set_gap(lane, FC_MARK_LOST, missing, 1);
	lane->reopen = lane->nr_reopen = lane->opens.calls.nr = 0;
}

/* ---- a strand's next event ---- */

/* lane->event is the next one, at lane->key, but never before the one told last. */
static bool lane_told(struct lane *lane)
{
	if (lane->key < lane->last)
		lane->key = lane->last;
	lane->has_event = true;
	return true;
}

static bool lane_tell(struct lane *lane, struct fc_event event, uint64_t at)
{
	lane->event = event;
	lane->key = at;
	lane->is_record = false;
	return lane_told(lane);
}

/* A call that is open behind a gap is entered; where it tail called, that as well. */
static bool lane_reopen(struct lane *lane)
{
	const struct fc_open *open = &lane->opens.calls.at[lane->reopen];
	bool has_tail = open->func != open->first;
	uint8_t kind = lane->is_tail ? FC_TAIL : FC_ENTRY;
	struct fc_event event = event_of(lane, kind, lane->is_tail ? open->func : open->first);
	if (has_tail && !lane->is_tail) {
		lane->is_tail = true;
	} else {
		lane->is_tail = false;
		lane->reopen++;
	}
	return lane_tell(lane, event, open->begin);
}

static void tell_unknown(struct fc_cursor *cursor, const struct lane *lane)
{
	if (lane->dec->unknown.nr)
		fc_reader_unknown(cursor->reader, fc_reader_ref(cursor->reader, lane->next - 1),
				  &lane->dec->unknown);
}

/* The packet is used up: what follows it. */
static void packet_done(struct fc_cursor *cursor, struct lane *lane)
{
	const struct fc_events_head *head = &lane->dec->head;
	tell_unknown(cursor, lane);
	lane->ordinal = head->ordinal + head->nr_records;
	lane->lost_before = head->lost_before + head->lost;
	lane->has_ended = head->has_ended;
	lane->ended_at = head->end;
	decoder_put(cursor, lane);
}

/* The rest of a packet that is not sound inside counts as missing. */
static void packet_broken(struct fc_cursor *cursor, struct lane *lane)
{
	const struct fc_events_head *head = &lane->dec->head;
	uint32_t told = lane->dec->next - 1;
	lane->ordinal = head->ordinal + told;
	lane->lost_before = head->lost_before;
	lane->has_ended = head->has_ended;
	lane->ended_at = head->end;
	if (lane->next == lane->end)
		gap_at_end(lane, head->nr_records - told);
	bool is_end = lane->dec->unknown.is_end;
	tell_unknown(cursor, lane);
	decoder_put(cursor, lane);
	if (!is_end)
		fc_reader_damaged(cursor->reader,
				  fc_reader_ref(cursor->reader, lane->next - 1));
}

/* Load the next sound packet. False: there is none. */
static bool packet_next(struct fc_cursor *cursor, struct lane *lane)
{
	uint64_t missing = 0;
	while (lane->next < lane->end) {
		struct fc_events_ref *ref = fc_reader_ref(cursor->reader, lane->next++);
		int ret = decoder_load(cursor, lane, ref);
		if (!ret)
			lane->event.tid = lane->dec->head.tid;
		if (!ret && gap_find(lane)) {
			decoder_put(cursor, lane);
			ret = -EBADMSG;
		}
		lane->is_midway &= !!ret;
		if (!ret)
			return true;
		fc_reader_damaged(cursor->reader, ref);
		missing += ref->head.nr_records + ref->head.lost;
		lane->has_ended = ref->head.has_ended;
		lane->ended_at = ref->head.end;
	}
	if (missing)
		gap_at_end(lane, missing);
	return false;
}

/* The gap before what comes next, and what is open behind it. */
static bool lane_next_gap(struct lane *lane)
{
	if (lane->has_gap) {
		lane->has_gap = false;
		return lane_tell(lane, lane->gap, lane->key);
	}
	return lane->reopen < lane->nr_reopen && lane_reopen(lane);
}

/* False: the packet that comes next is to be decoded, or nothing comes any more. */
static bool lane_next(struct fc_cursor *cursor, struct lane *lane)
{
	lane->has_event = false;
	if ((lane->has_gap || lane->reopen < lane->nr_reopen) && lane_next_gap(lane))
		return true;
	if (lane->dec) {
		int ret = fc_decoder_next(lane->dec, &lane->opens, &lane->event, &lane->key);
		if (ret == 1) {
			lane->is_record = true;
			return lane_told(lane);
		}
		if (ret)
			packet_broken(cursor, lane);
		else
			packet_done(cursor, lane);
	}
	if (lane->next < lane->end)
		return false;
	if (lane_next_gap(lane))
		return true;
	if (lane->has_ended) {
		lane->has_ended = false;
		return lane_tell(lane, mark_of(lane, FC_MARK_END), lane->ended_at);
	}
	return false;
}

/* After a gap what was open is told first, and may be older than the packet. */
static uint64_t next_key(const struct fc_cursor *cursor, const struct lane *lane)
{
	const struct fc_events_head *head = &fc_reader_ref(cursor->reader, lane->next)->head;
	bool is_gap = head->ordinal != lane->ordinal || head->lost_before != lane->lost_before;
	return is_gap ? lane->last : head->begin > lane->last ? head->begin : lane->last;
}

/* The lane on top told its event, or has none yet: give it its next and its place. */
static void top_advance(struct fc_cursor *cursor)
{
	struct lane *lane = cursor->heap[0];
	bool was_waiting = !lane->has_event && !lane->dec;
	if (was_waiting && lane->next < lane->end)
		packet_next(cursor, lane);
	if (!lane_next(cursor, lane)) {
		if (lane->next >= lane->end) {
			heap_pop(cursor);
			return;
		}
		lane->key = next_key(cursor, lane);
	}
	heap_sift(cursor, 0);
}

/* They are in a decoder that goes on while the event is looked at. */
__attribute__((noinline)) static void keep_words(struct fc_cursor *cursor,
						 struct fc_event *mark)
{
	for (unsigned i = 0; i < mark->nr_words; i++)
		cursor->words[i] = mark->words[i];
	mark->words = cursor->words;
}

/* The event of a lane whose turn it is. */
static inline void give_event(struct fc_cursor *cursor, struct lane *lane, struct fc_event *ret)
{
	*ret = lane->event;
	ret->tsc = lane->key << cursor->reader->facts.time_shift;
	lane->last = lane->key;
	if (ret->kind == FC_MARK)
		keep_words(cursor, ret);
}

int fc_cursor_next(struct fc_cursor *cursor, struct fc_event *ret)
{
	while (cursor->nr_heap) {
		struct lane *lane = cursor->heap[0];
		if (lane->has_event) {
			give_event(cursor, lane, ret);
			cursor->place = (struct fc_cursor_place){ lane->next - lane->first,
								  lane->is_record };
			top_advance(cursor);
			return 1;
		}
		top_advance(cursor);
	}
	return 0;
}

/* ---- many events at a time ---- */

/* The time at which another lane's turn comes. */
static uint64_t turn_ends(const struct fc_cursor *cursor)
{
	const struct lane *top = cursor->heap[0], *next = NULL;

	for (size_t i = 1; i < 3 && i < cursor->nr_heap; i++)
		if (!next || is_before(cursor->heap[i], next))
			next = cursor->heap[i];
	return next ? next->key + (top->info.id < next->info.id) : UINT64_MAX;
}

/* Decode what follows the last event in the lane on top, as long as it is plain. */
static size_t tell_on(struct fc_cursor *cursor, struct fc_event *ret, size_t nr)
{
	struct lane *lane = cursor->heap[0];
	unsigned shift = cursor->reader->facts.time_shift;

	if (!lane->dec || lane->has_gap || lane->reopen < lane->nr_reopen)
		return 0;
	nr = fc_decoder_run(lane->dec, &lane->opens, &lane->event, turn_ends(cursor), ret, nr);
	for (size_t i = 0; i < nr; i++) {
		lane->last = ret[i].tsc > lane->last ? ret[i].tsc : lane->last;
		ret[i].tsc = lane->last << shift;
	}
	return nr;
}

size_t fc_cursor_run(struct fc_cursor *cursor, struct fc_event *ret, size_t nr)
{
	size_t told = 0;
	bool is_mark = false;

	while (told < nr && cursor->nr_heap && !is_mark) {
		if (cursor->heap[0]->has_event) {
			give_event(cursor, cursor->heap[0], &ret[told++]);
			is_mark = ret[told - 1].kind == FC_MARK;
			if (!is_mark)
				told += tell_on(cursor, ret + told, nr - told);
		}
		top_advance(cursor);
	}
	return told;
}

/* ---- the cursor's life ---- */

/* How many packets further back reading begins, so that all calls that are open are known. */
#define PACKETS_BACK 16

static uint64_t begin_of(const struct fc_reader *reader, size_t i)
{
	return fc_reader_ref(reader, i)->head.begin;
}

/* The last packet that begins before then, or the first. */
static size_t last_before(const struct fc_reader *reader, const struct fc_strand_ref *strand,
			  uint64_t then)
{
	size_t found = strand->first, end = strand->first + strand->nr;
	while (strand->is_in_time && end - found > 1) {
		size_t middle = found + (end - found) / 2;
		if (begin_of(reader, middle) < then)
			found = middle;
		else
			end = middle;
	}
	for (size_t i = found + 1; i < end; i++)
		if (begin_of(reader, i) < then)
			found = i;
	return found;
}

/*
 * The last packet that begins before then, or the first. One within deep recursion does not
 * tell all open calls: if they were entered not long ago, one before them. And none tells in which
 * thread they were.
 */
static size_t packet_at(const struct fc_reader *reader, const struct fc_strand_ref *strand,
			uint64_t then)
{
	if (strand->has_moved)
		return strand->first;
	size_t i = last_before(reader, strand, then);
	size_t back = i - strand->first < PACKETS_BACK ? strand->first : i - PACKETS_BACK;
	for (size_t j = i; j > back; j--)
		if (fc_reader_ref(reader, j)->head.depth <= FC_OPENS_TOLD)
			return j;
	return back == strand->first ? back : i;
}

static void lane_init(struct fc_cursor *cursor, struct lane *lane,
		      const struct fc_strand_ref *strand, size_t packet)
{
	lane->info = strand->info;
	lane->event.tid = strand->info.tid;
	lane->event = event_of(lane, 0, 0);
	lane->first = strand->first;
	lane->next = packet;
	lane->end = strand->first + strand->nr;
	lane->is_midway = lane->next != strand->first;
	lane->key = next_key(cursor, lane);
}

/* Had the strand ended before then? */
static bool is_over(const struct fc_reader *reader, const struct fc_strand_ref *strand,
		    uint64_t then)
{
	const struct fc_events_ref *last =
		fc_reader_ref(reader, strand->first + strand->nr - 1);
	return !last->is_damaged && last->head.has_ended && last->head.end < then;
}

static bool is_asked(const struct fc_strand_ref *strand, const struct fc_choice *choice)
{
	return (!choice->pid || strand->info.pid == choice->pid) &&
	       (!choice->tid || fc_strand_ref_may_be(strand, choice->tid)) &&
	       (!choice->strand || strand->info.id == choice->strand);
}

/* Without a lane in the heap. */
static struct fc_cursor *cursor_create(struct fc_reader *reader, size_t nr)
{
	struct fc_cursor *cursor = fc_alloc(sizeof(*cursor));
	cursor->reader = reader;
	cursor->lanes = fc_alloc(nr * sizeof(*cursor->lanes));
	cursor->heap = fc_alloc(nr * sizeof(struct lane *));
	cursor->nr_lanes = nr;
	return cursor;
}

static size_t nr_asked(const struct fc_reader *reader, const struct fc_choice *choice)
{
	size_t nr = 0;
	fc_vec_each (&reader->strands, strand)
		nr += is_asked(strand, choice);
	return nr;
}

struct fc_cursor *fc_cursor_create(struct fc_reader *reader, const struct fc_choice *choice)
{
	uint64_t from = choice->from_tsc >> reader->facts.time_shift;
	struct fc_cursor *cursor = cursor_create(reader, nr_asked(reader, choice));
	struct lane *lane = cursor->lanes;
	fc_vec_each (&reader->strands, strand) {
		if (!is_asked(strand, choice))
			continue;
		if (!is_over(reader, strand, from)) {
			lane_init(cursor, lane, strand, packet_at(reader, strand, from));
			cursor->heap[cursor->nr_heap++] = lane;
		}
		lane++;
	}
	for (size_t i = cursor->nr_heap / 2; i-- > 0;)
		heap_sift(cursor, i);
	return cursor;
}

struct fc_cursor *fc_cursor_create_strand(struct fc_reader *reader, size_t strand,
					  size_t packet)
{
	struct fc_cursor *cursor = cursor_create(reader, 1);
	const struct fc_strand_ref *ref = &reader->strands.at[strand];
	lane_init(cursor, &cursor->lanes[0], ref, ref->first + packet);
	cursor->heap[cursor->nr_heap++] = &cursor->lanes[0];
	return cursor;
}

void fc_cursor_skip_values(struct fc_cursor *cursor)
{
	cursor->skips_values = true;
	for (size_t i = 0; i < cursor->nr_lanes; i++)
		if (cursor->lanes[i].dec)
			cursor->lanes[i].dec->skips_values = true;
}

struct fc_cursor_place fc_cursor_place(const struct fc_cursor *cursor)
{
	return cursor->place;
}

void fc_cursor_destroy(struct fc_cursor *cursor)
{
	if (!cursor)
		return;
	for (size_t i = 0; i < cursor->nr_lanes; i++) {
		decoder_put(cursor, &cursor->lanes[i]);
		fc_vec_free(&cursor->lanes[i].opens.calls);
	}
	fc_vec_each (&cursor->rest, dec) {
		fc_decoder_deinit(*dec);
		free(*dec);
	}
	fc_vec_free(&cursor->rest);
	free(cursor->lanes);
	free(cursor->heap);
	free(cursor);
}
