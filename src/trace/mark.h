/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mark.h - the kinds of marks: what they are called, and who gets to see them.
 *
 * A new mark is a number in record.h and a row in mark.c; if it does something to the open
 * calls, a case in effect.c, too. Everybody else goes by what these tell of it, and hands on all
 * of its words.
 */
#ifndef FC_TRACE_MARK_H
#define FC_TRACE_MARK_H

#include <stdbool.h>

#include "trace/clock.h"
#include "trace/event.h"

/* May records hold a mark of this number? One that readers make up does not belong there. */
bool fc_mark_is_recorded(uint64_t mark);
/* Does it say something beside the calls? It does nothing to them and announces none. */
bool fc_mark_is_aside(uint64_t mark);
/* Does it announce records of calls that are open already? */
bool fc_mark_announces(uint64_t mark);
/*
 * Is its second word a number of calls + 1, of those that are open behind it or of those that it
 * announces? Who passes on only some calls counts anew.
 */
bool fc_mark_has_count(uint64_t mark);

/* The name of a mark in queries and exports: "lost"…; NULL: they leave it out. */
const char *fc_mark_word(uint64_t mark);
/* The name of its first word: "records", "parent", "waited_ns"; NULL as above. */
const char *fc_mark_value_word(uint64_t mark);
/* Its first word, as it is shown: times in nanoseconds. */
uint64_t fc_mark_shown_value(const struct fc_event *mark, const struct fc_clock *clock);

/* Ticks that it says were waited, records that it says were lost; 0: it says something else. */
uint64_t fc_mark_waited(const struct fc_event *mark);
uint64_t fc_mark_lost(const struct fc_event *mark);

#endif
