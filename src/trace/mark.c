/* SPDX-License-Identifier: Apache-2.0 */
/* mark.c - the table of marks. */
#include "trace/mark.h"

#include <stddef.h>

enum {
	IS_ASIDE = 1 << 0,
	HAS_COUNT = 1 << 1,
	IS_MADE_UP = 1 << 2, /* by a reader: never recorded */
	IS_TIME = 1 << 3,    /* the first word is in ticks */
	ANNOUNCES = 1 << 4,
};

struct row {
	const char *word, *value;
	unsigned is;
	bool is_there;
};

static const struct row *row_of(uint64_t mark)
{
	static const struct row none, rows[] = {
		[FC_MARK_LOST] = { "lost", "records", HAS_COUNT, true },
		[FC_MARK_FORK] = { "fork", "parent", ANNOUNCES | HAS_COUNT, true },
		[FC_MARK_SYNC] = { NULL, NULL, IS_ASIDE, true },
		[FC_MARK_END] = { NULL, NULL, IS_MADE_UP, true },
		[FC_MARK_RESUME] = { "resume", "records", ANNOUNCES | HAS_COUNT, true },
		[FC_MARK_WAITED] = { "waited", "waited_ns", IS_ASIDE | IS_TIME, true },
		[FC_MARK_BEGIN] = { NULL, NULL, IS_MADE_UP | ANNOUNCES, true },
		[FC_MARK_MOVED] = { NULL, NULL, IS_ASIDE, true },
		[FC_MARK_VALUES] = { NULL, NULL, IS_ASIDE, true },
		[FC_MARK_MORE] = { NULL, NULL, IS_ASIDE, true },
	};
	return mark < sizeof(rows) / sizeof(rows[0]) ? &rows[mark] : &none;
}

bool fc_mark_is_recorded(uint64_t mark)
{
	return row_of(mark)->is_there && !(row_of(mark)->is & IS_MADE_UP);
}

bool fc_mark_is_aside(uint64_t mark)
{
	return row_of(mark)->is & IS_ASIDE || mark >= FC_MARK_ASIDE;
}

bool fc_mark_announces(uint64_t mark)
{
	return row_of(mark)->is & ANNOUNCES;
}

bool fc_mark_has_count(uint64_t mark)
{
	return row_of(mark)->is & HAS_COUNT;
}

const char *fc_mark_word(uint64_t mark)
{
	return row_of(mark)->word;
}

const char *fc_mark_value_word(uint64_t mark)
{
	return row_of(mark)->value;
}

uint64_t fc_mark_shown_value(const struct fc_event *mark, const struct fc_clock *clock)
{
	uint64_t value = fc_event_word(mark, 0);
	return row_of(mark->mark)->is & IS_TIME ? fc_clock_duration_ns(clock, value) : value;
}

uint64_t fc_mark_waited(const struct fc_event *mark)
{
	return mark->mark == FC_MARK_WAITED ? fc_event_word(mark, 0) : 0;
}

uint64_t fc_mark_lost(const struct fc_event *mark)
{
	return mark->mark == FC_MARK_LOST ? fc_event_word(mark, 0) : 0;
}
