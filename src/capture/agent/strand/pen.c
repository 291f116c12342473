/* SPDX-License-Identifier: Apache-2.0 */
/* Words written to a strand's ring, below its limit: marks; and what could not be written, counted. */
#include "capture/agent/strand/pen.h"

#include "capture/agent/base/config.h"

/* Values that are drained get their time there (drain/ring.c): half of what a mark costs is the clock. */
static bool has_time(enum fc_mark type)
{
	return type != FC_MARK_VALUES || agent_arena()->is_ring;
}

/* The head is the last word to be written: where it is, the rest is there. */
bool strand_mark_all(struct strand *s, enum fc_mark type, const uint64_t *value,
		     uint32_t nr_values)
{
	uint32_t nr_parts = fc_mark_parts(nr_values);
	uint64_t tsc = 0, *at = pen_reserve(s, 1 + nr_parts, has_time(type) ? &tsc : NULL);
	if (!at)
		return false;
	fc_mark_pack(value, nr_values, at + 1);
	pen_put(at, fc_record(tsc, fc_mark_func(type, nr_values), FC_MARK));
	s->nr_mark_words += nr_parts;
	return true;
}

bool strand_mark(struct strand *s, enum fc_mark type, uint64_t a, uint64_t b,
		 uint32_t nr_values)
{
	return strand_mark_all(s, type, (const uint64_t[]){ a, b }, nr_values);
}

void strand_lose(struct strand *s, uint32_t nr)
{
	uint64_t *lost = s->ring ? &s->ring->lost : &agent_arena()->no_ring;
	__atomic_fetch_add(lost, nr, __ATOMIC_RELAXED);
	agent_lost(s->ring ? FCA_LOST_FULL : FCA_LOST_NO_RING, nr);
}

void strand_lose_without(uint32_t nr)
{
	__atomic_fetch_add(&agent_arena()->no_ring, nr, __ATOMIC_RELAXED);
	agent_lost(agent_config.is_blind   ? FCA_LOST_BLIND
		   : agent_config.is_quiet ? FCA_LOST_QUIET
					   : FCA_LOST_NO_RING,
		   nr);
}

void strand_count(struct strand *s, uint32_t func)
{
	if (s->counts && func < agent_config.nr_counters)
		count_local(&s->counts[func]);
	else
		strand_lose(s, 1);
}
