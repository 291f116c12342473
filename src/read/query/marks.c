/* SPDX-License-Identifier: Apache-2.0 */
/* marks.c - reads the marks of one strand after the other. */
#include "read/query/marks.h"

#include <stdlib.h>

#include "base/memory.h"
#include "trace/mark.h"
#include "trace/peek.h"

struct fc_marks {
	struct fc_reader *reader;
	struct fc_scan_want want;
	struct fc_peek *peek;
	struct fc_cursor *cursor; /* NULL: between runs */
	size_t strand, packet;	  /* the next that was not looked at */
	size_t run_end;		  /* packets behind are not wanted in this run */
	size_t at;		  /* packet of the last mark… */
	uint64_t nr_in;		  /* …and how many came in it */
	unsigned nr_steps;
};

struct fc_marks *fc_marks_create(struct fc_reader *reader, const struct fc_scan_want *want)
{
	struct fc_marks *marks = fc_alloc(sizeof(*marks));
	marks->reader = reader;
	marks->want = *want;
	marks->peek = fc_peek_create(reader);
	return marks;
}

void fc_marks_destroy(struct fc_marks *marks)
{
	if (!marks)
		return;
	fc_cursor_destroy(marks->cursor);
	fc_peek_destroy(marks->peek);
	free(marks);
}

static bool is_stopped(const struct fc_marks *marks)
{
	return marks->want.is_stopped && marks->want.is_stopped(marks->want.ctx);
}

static bool is_wanted_strand(const struct fc_marks *marks)
{
	return fc_scan_wants(&marks->want, marks->reader, marks->strand);
}

static bool has_gap_before(const struct fc_marks *marks, size_t packet)
{
	return fc_reader_has_gap(marks->reader, marks->strand, packet);
}

static bool is_in_time(const struct fc_marks *marks, size_t packet)
{
	const struct fc_events_head *head =
		fc_reader_packet(marks->reader, marks->strand, packet);
	unsigned shift = fc_reader_time_shift(marks->reader);
	return head->begin << shift <= marks->want.begin_max &&
	       head->end << shift >= marks->want.begin_min;
}

/* Has it marks, or is it damaged, or are there records missing before it? */
static bool is_needed(struct fc_marks *marks, size_t packet)
{
	return has_gap_before(marks, packet) ||
	       fc_peek_at(marks->peek, marks->strand, packet) ||
	       (fc_peek_has_marks(marks->peek) && is_in_time(marks, packet));
}

/*
 * A run of packets. One before it goes along: a cursor tells of a gap only when it knows what
 * was before.
 */
static bool run_begin(struct fc_marks *marks)
{
	size_t nr = fc_reader_nr_packets(marks->reader, marks->strand), first = marks->packet;

	while (first < nr && !is_stopped(marks) && !is_needed(marks, first))
		first++;
	if (first >= nr || is_stopped(marks))
		return false;
	marks->run_end = first + 1;
	while (marks->run_end < nr && is_needed(marks, marks->run_end))
		marks->run_end++;
	marks->packet = marks->run_end;
	while (first &&
	       (has_gap_before(marks, first) || fc_peek_at(marks->peek, marks->strand, first)))
		first--;
	marks->cursor = fc_cursor_create_strand(marks->reader, marks->strand, first);
	marks->at = SIZE_MAX;
	return true;
}

static void run_end(struct fc_marks *marks)
{
	fc_cursor_destroy(marks->cursor);
	marks->cursor = NULL;
}

static bool is_told(const struct fc_marks *marks, const struct fc_event *event)
{
	return event->kind == FC_MARK && event->tsc >= marks->want.begin_min &&
	       event->tsc <= marks->want.begin_max && fc_mark_word(event->mark);
}

static uint64_t number(struct fc_marks *marks, size_t packet)
{
	marks->nr_in = packet == marks->at ? marks->nr_in + 1 : 0;
	marks->at = packet;
	return (marks->strand + 1) << 39 | (packet & 0x3fffff) << 17 | (marks->nr_in & 0x1ffff);
}

/* The next mark of the run. False: the run is over. */
static bool run_next(struct fc_marks *marks, struct fc_marks_row *ret)
{
	while (fc_cursor_next(marks->cursor, &ret->event) == 1) {
		struct fc_cursor_place place = fc_cursor_place(marks->cursor);
		if (place.packets > marks->run_end ||
		    (++marks->nr_steps % 4096 == 0 && is_stopped(marks)))
			break;
		if (ret->event.kind == FC_MARK)
			ret->id = number(marks, place.packets);
		ret->is_recorded = place.is_record;
		if (is_told(marks, &ret->event))
			return true;
	}
	run_end(marks);
	return false;
}

int fc_marks_next(struct fc_marks *marks, struct fc_marks_row *ret)
{
	while (marks->strand < fc_reader_nr_strands(marks->reader)) {
		if (!marks->cursor && (!is_wanted_strand(marks) || !run_begin(marks))) {
			marks->strand++;
			marks->packet = 0;
		} else if (marks->cursor && run_next(marks, ret)) {
			return 1;
		}
		if (is_stopped(marks))
			return 0;
	}
	return 0;
}
