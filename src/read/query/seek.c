/* SPDX-License-Identifier: Apache-2.0 */
/* seek.c - finds calls packet by packet, and skips packets by time, depth and function. */
#include "read/query/seek.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/vec.h"
#include "calls/chains.h"
#include "calls/ends.h"
#include "calls/strands.h"
#include "capture/agent/fetch.h"
#include "trace/peek.h"
#include "trace/where.h"

#define OWN_STRAND 1u /* what the stack machine calls the strand: one at a time */

/* The calls that are open at a packet's begin. */
struct view {
	size_t packet;
	bool is_there, is_sound; /* sound: all calls open at its begin are told */
	size_t nr_wanted;	 /* wanted calls among them… */
	uint64_t wanted;	 /* …and what tells them from others */
	bool is_deep;		 /* deeper than what is wanted… */
	uint64_t shallow;	 /* …and what tells the calls above that from others */
};

enum { MOST_CHAINED = 1 << 12 }; /* rows that wait, and those behind them */

/* A row. One that left by a tail jump waits for what the last of its chain returns. */
struct found {
	struct fc_scan_row row;
	bool waits;
	uint64_t next_tsc; /* when the next of the chain begins */
};

struct fc_scan {
	struct fc_call_sink sink;
	struct fc_reader *reader;
	struct fc_scan_want want;
	bool is_picky;	/* packets may be passed over by what is in them */
	bool is_flight; /* RESUME marks tell what was open: a run must not miss them */
	struct fc_peek *peek;
	struct fc_where *where; /* wanted functions are not; NULL: all are wanted */
	struct fc_ends *ends;
	uint64_t last_tsc; /* of the trace */
	bool has_last_tsc;
	size_t nr_decoded;

	/* The strand, and the run of packets in it. */
	size_t strand, nr_packets;
	struct fc_strand_info info;
	struct fc_cursor *cursor;
	struct fc_calls *calls;
	bool is_muted;	   /* no record was told: only what was open already */
	size_t packet;	   /* of the last record */
	size_t nr_open;	   /* calls that the sink knows… */
	size_t nr_waiting; /* …and those of them that are wanted when they end well */
	uint64_t next_end; /* of its thread or process; UINT64_MAX: none */
	uint64_t first_id; /* of packet id_packet */
	size_t id_packet;
	uint64_t nr_left; /* in this packet */
	struct view view[2];
	size_t still; /* at the begin of this packet no wanted call is open; SIZE_MAX: not known */

	/* Calls open since before the fork. */
	bool has_inherited;
	uint64_t nr_inherited, inherited_tsc;

	FC_VEC(struct found) rows; /* not yet asked for */
	size_t nr_chained;	   /* of these, that wait */
	size_t next_row;
	unsigned nr_steps;
};

struct fc_scan_want fc_scan_want_all(void)
{
	return (struct fc_scan_want){
		.begin_max = UINT64_MAX,
		.end_max = UINT64_MAX,
		.depth_max = UINT32_MAX,
	};
}

/* ---- what is wanted ---- */

static bool is_wanted_func(const struct fc_scan_want *want, uint32_t func)
{
	return !want->funcs || (func < want->nr_funcs && want->funcs[func / 8] >> func % 8 & 1);
}

/* As far as is known when it begins. */
static bool is_wanted_begin(const struct fc_scan_want *want, uint32_t func, uint64_t begin,
			    uint64_t depth)
{
	return begin >= want->begin_min && begin <= want->begin_max &&
	       depth >= want->depth_min && depth <= want->depth_max &&
	       is_wanted_func(want, func);
}

static bool is_wanted(const struct fc_scan *scan, const struct fc_call *call)
{
	return is_wanted_begin(&scan->want, call->func, call->begin_tsc, call->depth);
}

bool fc_scan_wants(const struct fc_scan_want *want, const struct fc_reader *reader, size_t i)
{
	const struct fc_strand_info *info = fc_reader_strand(reader, i);

	return (!want->has_strand || info->id == want->strand) &&
	       (!want->has_pid || info->pid == want->pid) &&
	       (!want->has_tid || fc_reader_strand_may_be(reader, i, want->tid));
}

/* ---- packets ---- */

static const struct fc_events_head *head_of(const struct fc_scan *scan, size_t packet)
{
	return fc_reader_packet(scan->reader, scan->strand, packet);
}

static uint64_t begin_of(const struct fc_scan *scan, size_t packet)
{
	return head_of(scan, packet)->begin << fc_reader_time_shift(scan->reader);
}

static bool has_gap_before(const struct fc_scan *scan, size_t packet)
{
	return fc_reader_has_gap(scan->reader, scan->strand, packet);
}

/*
 * Can a run begin here? All open calls must be told, and nothing lost before: behind a gap
 * there may be calls open that no packet tells. And none tells in which thread they were entered.
 */
static bool can_land(struct fc_scan *scan, size_t packet)
{
	const struct fc_events_head *head = head_of(scan, packet);
	return !packet || (!fc_reader_strand_has_moved(scan->reader, scan->strand) &&
			   !scan->is_flight && head->depth <= FC_OPENS_TOLD &&
			   !head->lost_before && !fc_peek_at(scan->peek, scan->strand, packet));
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * 0x9e3779b97f4a7c15ull;
	return hash ^ hash >> 29;
}

static uint64_t mix_open(uint64_t hash, const struct fc_open *open)
{
	return mix(mix(hash, open->begin), (uint64_t)open->first << 32 | open->func);
}

static void view_take(struct fc_scan *scan, struct view *view, const struct fc_opens *opens)
{
	const struct fc_scan_want *want = &scan->want;
	unsigned shift = fc_reader_time_shift(scan->reader);

	for (size_t depth = 0; depth < opens->calls.nr; depth++) {
		const struct fc_open *open = &opens->calls.at[depth];
		if (depth <= want->depth_max)
			view->shallow = mix_open(view->shallow, open);
		if (!is_wanted_begin(want, open->func, open->begin << shift, depth))
			continue;
		view->wanted = mix_open(mix(view->wanted, depth), open);
		view->nr_wanted++;
	}
	view->is_deep = opens->calls.nr > want->depth_max;
}

static const struct view *view_of(struct fc_scan *scan, size_t packet)
{
	struct view *view = &scan->view[packet % 2];
	if (view->is_there && view->packet == packet)
		return view;

	const struct fc_events_head *head = head_of(scan, packet);
	const struct fc_opens *opens = NULL;
	*view = (struct view){ .packet = packet, .is_there = true };
	view->is_sound = !scan->is_flight && !head->lost_before && !head->lost &&
			 !fc_peek_at(scan->peek, scan->strand, packet) &&
			 head->depth <= FC_OPENS_TOLD && !fc_peek_opens(scan->peek, &opens) &&
			 opens->calls.nr == head->depth;
	if (view->is_sound)
		view_take(scan, view, opens);
	return view;
}

static bool may_begin_in(struct fc_scan *scan, size_t packet, const struct view *view,
			 const struct view *behind)
{
	const struct fc_scan_want *want = &scan->want;

	if (begin_of(scan, packet) > want->begin_max)
		return false;
	/* All of it took place beneath calls that are as deep as is wanted. */
	if (behind && view->is_deep && behind->is_deep && view->shallow == behind->shallow)
		return false;
	return !want->funcs || fc_peek_at(scan->peek, scan->strand, packet) ||
	       fc_peek_has_func(scan->peek, want->funcs, want->nr_funcs);
}

/* Does a wanted call begin or end in it? Now and then true by mistake, never false. */
static bool is_needed(struct fc_scan *scan, size_t packet)
{
	size_t next = packet + 1;
	bool is_last = next == scan->nr_packets;

	if (has_gap_before(scan, packet) || (!is_last && has_gap_before(scan, next)))
		return true;
	const struct view *view = view_of(scan, packet);
	const struct view *behind = is_last ? NULL : view_of(scan, next);
	if (!view->is_sound || (behind && !behind->is_sound))
		return true;
	if (may_begin_in(scan, packet, view, behind))
		return true;
	if (!view->nr_wanted)
		return false;
	return scan->want.needs_self || !behind || view->wanted != behind->wanted;
}

/* Are all calls open at its begin told by it, and are none lost in it, as far as heads tell? */
static bool is_plain(const struct fc_scan *scan, size_t packet)
{
	const struct fc_events_head *head = head_of(scan, packet);
	return !head->lost_before && !head->lost && head->depth <= FC_OPENS_TOLD &&
	       !has_gap_before(scan, packet);
}

/* In this packet no wanted call begins or ends: then what is open here is so at the next. */
static bool has_wanted_open(struct fc_scan *scan, size_t packet)
{
	if (scan->still != packet) {
		const struct view *view = view_of(scan, packet);
		if (!view->is_sound || view->nr_wanted)
			return true;
	}
	scan->still = packet + 1;
	return false;
}

/*
 * Need it not be looked at, for what the trace tells of where functions are? As is_needed(), which
 * looks.
 */
static bool is_out(struct fc_scan *scan, size_t packet)
{
	size_t next = packet + 1;
	bool is_last = next == scan->nr_packets;

	if (scan->is_flight || !scan->where ||
	    !fc_where_is_not(scan->where, scan->strand, packet) || !is_plain(scan, packet) ||
	    (!is_last && !is_plain(scan, next)))
		return false;
	if (is_last && head_of(scan, packet)->depth)
		return false;
	return !scan->want.needs_self || !has_wanted_open(scan, packet);
}

/* Is the same wanted calls' being open told by this packet, too? */
static bool is_still(struct fc_scan *scan, const struct view *then, size_t packet)
{
	const struct view *view = view_of(scan, packet);
	return view->is_sound && view->wanted == then->wanted &&
	       view->nr_wanted == then->nr_wanted;
}

/*
 * Nothing wanted begins any more, and what is open ends one after the other: the last packet
 * that finds all open that this one does.
 */
static size_t find_end(struct fc_scan *scan, size_t packet)
{
	struct view then = *view_of(scan, packet);
	size_t nr = scan->nr_packets, low = packet, step = 1, high = nr;

	if (!then.is_sound)
		return packet;
	if (!then.nr_wanted)
		return nr;
	while (low + step < nr && is_still(scan, &then, low + step)) {
		low += step;
		step *= 2;
	}
	if (low + step < nr)
		high = low + step;
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;
		if (is_still(scan, &then, middle))
			low = middle;
		else
			high = middle;
	}
	return low;
}

static bool is_stopped(struct fc_scan *scan)
{
	return scan->want.is_stopped && scan->want.is_stopped(scan->want.ctx);
}

/* The next packet that must be decoded, from this one on; nr_packets: none. */
static size_t find_needed(struct fc_scan *scan, size_t packet)
{
	const struct fc_scan_want *want = &scan->want;

	if (!scan->is_picky)
		return packet;
	for (; packet < scan->nr_packets && !is_stopped(scan); packet++) {
		if (begin_of(scan, packet) > want->begin_max && !want->needs_self)
			return find_end(scan, packet);
		if (is_out(scan, packet))
			continue;
		if (is_needed(scan, packet))
			return packet;
		fc_reader_packet_used(scan->reader, scan->strand, packet);
	}
	return scan->nr_packets;
}

/* ---- calls from before a fork ---- */

static void find_inherited(struct fc_scan *scan)
{
	struct fc_cursor *cursor = fc_cursor_create_strand(scan->reader, scan->strand, 0);
	struct fc_event event;
	struct fc_announced announced = { 0 };

	scan->has_inherited = true;
	scan->nr_inherited = 0;
	do {
		if (fc_cursor_next(cursor, &event) != 1)
			break;
		if (fc_announced_next(&announced, &event) != FC_SINCE_FORK)
			continue;
		scan->nr_inherited++;
		scan->inherited_tsc = event.tsc;
	} while (announced.nr);
	fc_cursor_destroy(cursor);
}

/* A run that begins midway finds inherited calls open like others. */
static bool is_inherited(const struct fc_scan *scan, const struct fc_call *call)
{
	if (!scan->has_inherited)
		return false;
	return call->depth < scan->nr_inherited && call->begin_tsc <= scan->inherited_tsc;
}

/* ---- calls ---- */

static struct fc_scan *scan_of(struct fc_call_sink *sink)
{
	return (struct fc_scan *)((char *)sink - offsetof(struct fc_scan, sink));
}

static void on_enter(struct fc_call_sink *sink, const struct fc_call *call)
{
	struct fc_scan *scan = scan_of(sink);
	scan->nr_open++;
	scan->nr_waiting += is_wanted(scan, call);
}

static void add_row(struct fc_scan *scan, const struct fc_call *call)
{
	struct fc_scan_row row = { .call = *call, .id = scan->first_id + scan->nr_left };
	row.call.strand = scan->info.id;
	row.call.values = scan->want.needs_values ? fc_call_values_copy(call->values) : NULL;
	row.call.is_inherited |= is_inherited(scan, call);
	bool waits = call->left == FC_LEFT_TAIL && row.call.values;
	scan->nr_chained += waits;
	fc_vec_push(&scan->rows, (struct found){ row, waits, call->end_tsc });
}

static void release(struct fc_scan *scan, struct found *found)
{
	scan->nr_chained -= found->waits;
	found->waits = false;
}

static void release_all(struct fc_scan *scan)
{
	fc_vec_each (&scan->rows, found)
		release(scan, found);
}

/* What a call returns, those that jumped to it do; a jump goes on with their chain. */
static void end_chains(struct fc_scan *scan, const struct fc_call *call)
{
	bool has_result =
		call->left == FC_LEFT_RETURN && call->values && call->values->nr_result;
	uint32_t func = has_result ? fca_format_func(call->values->result[0]) : 0;
	const struct fc_call_values *giver = call->func == func ? call->values : NULL;
	fc_auto_free struct fc_call_values *copy = NULL;
	fc_vec_each (&scan->rows, found)
		if (has_result && !giver && found->waits && found->row.call.func == func &&
		    found->row.call.depth == call->depth)
			giver = copy = fc_call_values_copy(found->row.call.values);
	fc_vec_each (&scan->rows, found) {
		struct fc_call *own = &found->row.call;
		bool is_chain = own->depth == call->depth && found->next_tsc == call->begin_tsc;
		if (!found->waits || own->depth < call->depth)
			continue;
		if (is_chain && call->left == FC_LEFT_TAIL) {
			found->next_tsc = call->end_tsc;
			continue;
		}
		if (is_chain && has_result) {
			const struct fc_call_values *before = own->values;
			own->values = fc_chain_values(own->func, before, call->values, giver);
			free((void *)before);
		}
		release(scan, found);
	}
}

static void on_leave(struct fc_call_sink *sink, const struct fc_call *call)
{
	struct fc_scan *scan = scan_of(sink);
	bool is_one = is_wanted(scan, call);

	scan->nr_open--;
	scan->nr_waiting -= is_one;
	if (scan->nr_chained)
		end_chains(scan, call);
	if (scan->is_muted)
		return;
	scan->nr_left++;
	if (is_one && call->end_tsc >= scan->want.end_min &&
	    call->end_tsc <= scan->want.end_max)
		add_row(scan, call);
}

/* Its thread or its process ended: so did what was open. */
static void end_until(struct fc_scan *scan, uint64_t tsc)
{
	while (scan->next_end < tsc) {
		fc_calls_strand_end(scan->calls, OWN_STRAND, scan->next_end);
		scan->next_end = fc_ends_next(scan->ends, &scan->info, scan->next_end + 1);
	}
}

/* ---- runs ---- */

static void run_end(struct fc_scan *scan)
{
	release_all(scan);
	fc_cursor_destroy(scan->cursor);
	fc_calls_destroy(scan->calls);
	scan->cursor = NULL;
	scan->calls = NULL;
	scan->nr_open = scan->nr_waiting = 0;
}

static uint64_t depth_of(const struct fc_events_head *head)
{
	const uint64_t deepest = 1u << 24;
	return head->depth < deepest ? head->depth : deepest;
}

/*
 * Ids leave room for whatever may end in a packet, and for calls that end as those open behind a
 * gap are entered again: where these tail called.
 */
static uint64_t room_of(const struct fc_scan *scan, size_t packet)
{
	const struct fc_events_head *head = head_of(scan, packet);
	size_t next = packet + 1;
	bool has_gap = next < scan->nr_packets && has_gap_before(scan, next);
	return head->nr_calls + 2 * depth_of(head) + 8 +
	       (has_gap ? depth_of(head_of(scan, next)) : 0);
}

static void id_advance(struct fc_scan *scan, size_t packet)
{
	/* Before the first, calls may have ended already: in a gap. */
	if (scan->id_packet == packet)
		return;
	for (; scan->id_packet < packet; scan->id_packet++)
		scan->first_id += room_of(scan, scan->id_packet);
	scan->nr_left = 0;
}

static void run_begin(struct fc_scan *scan, size_t packet)
{
	scan->cursor = fc_cursor_create_strand(scan->reader, scan->strand, packet);
	if (!scan->want.needs_values)
		fc_cursor_skip_values(scan->cursor);
	scan->calls = fc_calls_create(&scan->sink);
	fc_calls_set_off_funcs(scan->calls, fc_reader_off_funcs(scan->reader));
	if (scan->want.needs_values)
		fc_calls_set_values(scan->calls, scan->want.values);
	scan->is_muted = packet > 0;
	scan->packet = SIZE_MAX;
	scan->next_end = fc_ends_next(scan->ends, &scan->info, begin_of(scan, 0));
	if (packet && !scan->has_inherited)
		find_inherited(scan);
}

enum goes {
	GOES_ON,   /* the run, with the packet */
	GOES_ANEW, /* another run */
	GOES_NOT,  /* nothing more is wanted of the strand */
};

/* Go on with a packet, or the next after it, that can hold what is wanted. */
static enum goes run_from(struct fc_scan *scan, size_t packet)
{
	size_t needed = find_needed(scan, packet), landing = needed;

	if (needed >= scan->nr_packets)
		return GOES_NOT;
	/* A call's values may be at the end of the packet before its record's. */
	if (scan->want.needs_values && landing > packet)
		landing--;
	while (landing > packet && !can_land(scan, landing))
		landing--;
	if (scan->cursor && landing == packet)
		return GOES_ON;
	run_end(scan);
	run_begin(scan, landing);
	return GOES_ANEW;
}

/* ---- strands ---- */

static void strand_end(struct fc_scan *scan)
{
	run_end(scan);
	id_advance(scan, scan->nr_packets);
	scan->strand++;
}

/* The last packet that begins before then, or the first. */
static size_t packet_before(const struct fc_scan *scan, uint64_t then)
{
	size_t found = 0;
	for (size_t i = 1; i < scan->nr_packets; i++)
		if (begin_of(scan, i) < then)
			found = i;
	return found;
}

/*
 * Where the first call may end that is wanted. Of one that was open before then it is not
 * known what it spent in others.
 */
static size_t first_packet(struct fc_scan *scan)
{
	const struct fc_scan_want *want = &scan->want;
	uint64_t then = want->begin_min;
	if (!want->needs_self && !want->needs_values && want->end_min > then)
		then = want->end_min;
	size_t packet = packet_before(scan, then);
	if (want->needs_values && packet)
		packet--;
	while (!can_land(scan, packet))
		packet--;
	return packet;
}

static bool strand_begin(struct fc_scan *scan)
{
	const struct fc_strand_info *info = fc_reader_strand(scan->reader, scan->strand);

	scan->info = *info;
	scan->nr_packets = fc_reader_nr_packets(scan->reader, scan->strand);
	scan->id_packet = 0;
	scan->nr_left = 0;
	scan->has_inherited = false;
	scan->still = SIZE_MAX;
	scan->view[0].is_there = scan->view[1].is_there = false;
	return info->id <= FC_STRAND_MAX &&
	       fc_scan_wants(&scan->want, scan->reader, scan->strand) && scan->nr_packets &&
	       (begin_of(scan, 0) <= scan->want.begin_max || head_of(scan, 0)->depth) &&
	       begin_of(scan, 0) <= scan->want.end_max &&
	       run_from(scan, first_packet(scan)) == GOES_ANEW;
}

/* The strand told all: what is open ends with its thread, its process, or the trace. */
static void strand_finish(struct fc_scan *scan)
{
	if (scan->nr_open)
		end_until(scan, UINT64_MAX);
	if (scan->nr_open && !scan->has_last_tsc) {
		scan->last_tsc = fc_reader_last_tsc(scan->reader);
		scan->has_last_tsc = true;
	}
	fc_calls_finish(scan->calls, scan->last_tsc);
	strand_end(scan);
}

/* ---- the scan ---- */

/* A record of the next packet comes. False: it is passed over. */
static bool packet_begin(struct fc_scan *scan, size_t packet)
{
	/* Of a call that is open at a run's begin nobody tells what it was given. */
	bool may_leap = scan->is_picky && !scan->nr_chained &&
			!(scan->want.needs_values && scan->nr_waiting);
	enum goes goes = !scan->is_muted && may_leap ? run_from(scan, packet) : GOES_ON;

	if (goes == GOES_NOT)
		strand_end(scan);
	if (goes != GOES_ON)
		return false;
	if (scan->packet != SIZE_MAX)
		fc_reader_packet_used(scan->reader, scan->strand, scan->packet);
	id_advance(scan, packet);
	scan->is_muted = false;
	scan->packet = packet;
	scan->nr_decoded++;
	return true;
}

/* Of a strand that ended while it was idle the last packet has no record, only the end. */
static void last_packet_ends(struct fc_scan *scan)
{
	id_advance(scan, scan->nr_packets - 1);
	scan->is_muted = false;
}

static bool is_past(const struct fc_scan *scan, uint64_t tsc)
{
	return tsc > scan->want.end_max || (tsc > scan->want.begin_max && !scan->nr_waiting);
}

/* One event of the run. */
static void step(struct fc_scan *scan)
{
	struct fc_event event;

	if (fc_cursor_next(scan->cursor, &event) != 1) {
		strand_finish(scan);
		return;
	}
	struct fc_cursor_place place = fc_cursor_place(scan->cursor);
	if (event.kind == FC_MARK && event.mark == FC_MARK_END)
		last_packet_ends(scan);
	end_until(scan, event.tsc);
	if (place.is_record && place.packets - 1 != scan->packet &&
	    !packet_begin(scan, place.packets - 1))
		return;
	if (place.is_record && is_past(scan, event.tsc)) {
		strand_end(scan);
		return;
	}
	event.strand = OWN_STRAND;
	fc_calls_feed(scan->calls, &event);
}

static void forget_rows(struct fc_scan *scan)
{
	fc_vec_each (&scan->rows, found)
		free((void *)found->row.call.values);
	scan->next_row = scan->rows.nr = 0;
	scan->nr_chained = 0;
}

/* Of rows that were asked for nothing is kept: behind them others may wait for long. */
static void forget_told(struct fc_scan *scan)
{
	size_t left = scan->rows.nr - scan->next_row;
	if (!left) {
		forget_rows(scan);
		return;
	}
	if (scan->next_row < MOST_CHAINED)
		return;
	for (size_t i = 0; i < scan->next_row; i++)
		free((void *)scan->rows.at[i].row.call.values);
	memmove(scan->rows.at, scan->rows.at + scan->next_row, left * sizeof(*scan->rows.at));
	scan->rows.nr = left;
	scan->next_row = 0;
}

/* Is there one that waits for nothing? Of too many that wait the first waits no longer. */
static bool has_row(struct fc_scan *scan)
{
	if (scan->next_row == scan->rows.nr)
		return false;
	struct found *found = &scan->rows.at[scan->next_row];
	if (scan->rows.nr - scan->next_row > MOST_CHAINED)
		release(scan, found);
	return !found->waits;
}

int fc_scan_next(struct fc_scan *scan, struct fc_scan_row *ret)
{
	size_t nr_strands = fc_reader_nr_strands(scan->reader);

	forget_told(scan);
	while (!has_row(scan) && scan->strand < nr_strands) {
		if (++scan->nr_steps % 4096 == 0 && is_stopped(scan))
			return 0;
		if (scan->cursor)
			step(scan);
		else if (!strand_begin(scan))
			strand_end(scan);
	}
	if (scan->next_row == scan->rows.nr)
		return 0;
	*ret = scan->rows.at[scan->next_row++].row;
	return 1;
}

struct fc_scan *fc_scan_create(struct fc_reader *reader, const struct fc_scan_want *want)
{
	struct fc_scan *scan = fc_alloc(sizeof(*scan));
	scan->sink = (struct fc_call_sink){ on_enter, on_leave, fc_sink_skip_event,
					    fc_sink_skip_finish };
	fc_reader_begin_pass(reader, &(struct fc_choice){ 0 }, 0);
	scan->reader = reader;
	scan->want = *want;
	scan->is_picky =
		want->funcs || want->depth_max != UINT32_MAX || want->begin_max != UINT64_MAX;
	scan->is_flight = fc_reader_is_flight(reader);
	scan->peek = fc_peek_create(reader);
	if (want->funcs)
		scan->where = fc_where_create(reader, want->funcs, want->nr_funcs);
	scan->ends = fc_ends_create(reader);
	return scan;
}

void fc_scan_destroy(struct fc_scan *scan)
{
	if (!scan)
		return;
	run_end(scan);
	forget_rows(scan);
	fc_peek_destroy(scan->peek);
	fc_where_destroy(scan->where);
	fc_ends_destroy(scan->ends);
	fc_vec_free(&scan->rows);
	free(scan);
}

size_t fc_scan_nr_decoded(const struct fc_scan *scan)
{
	return scan->nr_decoded;
}
