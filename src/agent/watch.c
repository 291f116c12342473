/* SPDX-License-Identifier: Apache-2.0 */
/* Functions at whose calls the controller is to write what the rings hold (--dump-on). */
#include "agent/stages_x86_64.h"
#include "agent/strand.h"

uint32_t watch_of(uint64_t stub)
{
	return *(const uint8_t *)(stub + agent_config.body_off + FCA_LOOPS) >> FCA_WATCH_SHIFT;
}

/*
 * The controller copies the rings while this thread waits. That is not the time of the calls
 * that are open.
 */
static void tell(struct strand *s, uint32_t func, uint64_t ticks)
{
	struct fca_arena *arena = agent_arena();
	if (agent_config.is_quiet || arena->is_muted || arena->is_off || arena->no_dumps ||
	    agent_is_alone(arena))
		return;
	uint64_t since = read_clock();
	mail_send(arena, FCA_MAIL_DUMP, func, ticks);
	uint64_t waited = read_clock() - since;
	for (uint64_t i = 0; i < s->nr_watched; i++)
		s->watched[i].tsc += waited;
	strand_tell_waited(s, since);
}

/* Those that were left without a return. */
static void forget_left(struct strand *s, uint64_t slot)
{
	while (s->nr_watched && s->watched[s->nr_watched - 1].slot <= slot)
		s->nr_watched--;
}

/* Of calls within calls that are timed those beyond NR_WATCHED are not: they are shorter. */
void watch_entry(struct strand *s, uint32_t watch, uint32_t func, uint64_t slot)
{
	if (!agent_config.watch_ticks[watch - 1]) {
		tell(s, func, 0);
		return;
	}
	forget_left(s, slot);
	if (s->nr_watched < NR_WATCHED)
		s->watched[s->nr_watched++] =
			(struct watched){ .slot = slot, .tsc = read_clock() };
}

void watch_exit(struct strand *s, uint32_t watch, uint32_t func, uint64_t slot)
{
	uint64_t least = agent_config.watch_ticks[watch - 1];
	if (!least)
		return;
	forget_left(s, slot - 1);
	if (!s->nr_watched || s->watched[s->nr_watched - 1].slot != slot)
		return;
	uint64_t ticks = read_clock() - s->watched[--s->nr_watched].tsc;
	if (ticks >= least)
		tell(s, func, ticks);
}

/* How long such a call takes is not seen. */
void watch_entry_only(struct strand *s, uint64_t stub, uint32_t func)
{
	if (*(const uint8_t *)(stub + ONLY_LIMIT_BYTE) == ONLY_WATCHED_BYTE)
		tell(s, func, 0);
}
