/* SPDX-License-Identifier: Apache-2.0 */
/* Functions at whose calls the controller is to write what the rings hold (--dump-on). */
#include "capture/agent/watch.h"

#include "capture/agent/base/bell.h"
#include "capture/agent/base/config.h"
#include "capture/agent/base/machine.h"
#include "capture/agent/base/mail.h"
#include "capture/agent/strand/record.h"

uint32_t watch_of(uint64_t stub)
{
	return *(const uint8_t *)(stub + agent_config.place[FCA_PLACE_LOOPS]) >>
	       FCA_WATCH_SHIFT;
}

/*
 * The controller copies the rings while this thread waits. That is not the time of the calls
 * that are open.
 */
static void tell(struct strand *s, uint32_t watch, uint32_t func, uint64_t ticks)
{
	struct fca_arena *arena = agent_arena();
	if (agent_config.is_quiet || arena->is_off || arena->no_dumps || agent_is_alone(arena))
		return;
	uint64_t since = read_clock();
	mail_send(arena, FCA_LETTER_DUMP, func | (uint64_t)watch << FCA_DUMP_WATCH_SHIFT,
		  ticks);
	uint64_t waited = read_clock() - since;
	for (uint64_t i = 0; i < s->nr_watched; i++)
		s->watched[i].tsc += waited;
	strand_tell_waited(s, since);
}

/* A call of a watch's functions, or one that took long enough: is it to be told of? */
static bool is_due(uint32_t watch)
{
	uint64_t nth = agent_config.watch_nth[watch - 1];
	return !nth || __atomic_add_fetch(&agent_arena()->watch_calls[watch - 1], 1,
					  __ATOMIC_RELAXED) == nth;
}

/* Of a function's watches that tell of entries: the first for which it is time; 0: none. */
static uint32_t due_at_entry(uint32_t watch)
{
	uint32_t due = 0;
	for (; watch; watch = agent_config.watch_next[watch - 1])
		if (!agent_config.watch_ticks[watch - 1] && is_due(watch) && !due)
			due = watch;
	return due;
}

/* The same of those that tell of calls that took long. */
static uint32_t due_after(uint32_t watch, uint64_t ticks)
{
	uint32_t due = 0;
	for (; watch; watch = agent_config.watch_next[watch - 1]) {
		uint64_t least = agent_config.watch_ticks[watch - 1];
		if (least && ticks >= least && is_due(watch) && !due)
			due = watch;
	}
	return due;
}

static bool is_timed(uint32_t watch)
{
	while (watch && !agent_config.watch_ticks[watch - 1])
		watch = agent_config.watch_next[watch - 1];
	return watch;
}

/* Those that were left without a return. */
static void forget_left(struct strand *s, uint64_t slot)
{
	while (s->nr_watched && s->watched[s->nr_watched - 1].slot <= slot)
		s->nr_watched--;
}

/* Of calls within calls that are timed those beyond NR_WATCHED are not: they are shorter. */
static void start_clock(struct strand *s, uint64_t slot)
{
	forget_left(s, slot);
	if (s->nr_watched < NR_WATCHED)
		s->watched[s->nr_watched++] =
			(struct watched){ .slot = slot, .tsc = read_clock() };
}

void watch_entry(struct strand *s, uint32_t watch, uint32_t func, uint64_t slot)
{
	uint32_t due = due_at_entry(watch);
	if (is_timed(watch))
		start_clock(s, slot);
	if (due)
		tell(s, due, func, 0);
}

void watch_exit(struct strand *s, uint32_t watch, uint32_t func, uint64_t slot)
{
	if (!is_timed(watch))
		return;
	forget_left(s, slot - 1);
	if (!s->nr_watched || s->watched[s->nr_watched - 1].slot != slot)
		return;
	uint64_t ticks = read_clock() - s->watched[--s->nr_watched].tsc;
	uint32_t due = due_after(watch, ticks);
	if (due)
		tell(s, due, func, ticks);
}

/* How long such a call takes is not seen. */
void watch_entry_only(struct strand *s, uint64_t stub, uint32_t func)
{
	uint32_t due = due_at_entry(watch_of_entry_only(stub));
	if (due)
		tell(s, due, func, 0);
}
