/* SPDX-License-Identifier: Apache-2.0 */
/* A strand's stack grows as calls are seen on it; where somebody knows its bounds, they count until it is split. */
#include "capture/agent/strand/extent.h"

#include "capture/agent/base/bounds.h"
#include "capture/agent/base/config.h"
#include "capture/agent/strand/claim.h"
#include "capture/agent/strand/entries.h"
#include "capture/agent/strand/roll.h"

enum {
	GROWTH = 16 * 1024, /* a stack pointer this near to a strand is the same stack's */
};

void strand_put_bounds(struct strand *s, const struct bounds *bounds)
{
	s->bounds = *bounds;
	s->is_split = false;
	s->room = bounds->high ? bounds_room(bounds) : ~0ull;
}

/* Of stacks whose bounds nobody knows a step that is not too large is one on the same stack. */
bool strand_is_near(const struct strand *s, uint64_t slot)
{
	return slot + GROWTH >= s->low && slot < s->high + GROWTH;
}

/* Of this strand's stack, as far as that was followed below what it records. */
bool strand_is_spilled(const struct strand *s, uint64_t slot)
{
	return s->spill_low < s->low && slot < s->low && slot + GROWTH >= s->spill_low;
}

void strand_spill(struct strand *s, uint64_t slot)
{
	if (page_of(slot) < s->spill_low)
		s->spill_low = page_of(slot);
}

/* The stack was seen to reach slot: its page is this strand's. */
void strand_grow(struct strand *s, uint64_t slot)
{
	uint64_t low = page_of(slot) < s->low ? page_of(slot) : s->low;
	uint64_t high = page_of(slot) + FCA_PAGE > s->high ? page_of(slot) + FCA_PAGE : s->high;
	uint64_t depth = (high - low) / 8 + 2; /* entries there can be: 8 bytes each */
	if (!open_shadow(s, depth)) {
		strand_spill(s, slot);
		return;
	}
	/* Where the bounds are known, what is above slot is the same stack. */
	if (s->bounds.high && !s->is_split && slot < s->room)
		s->room = slot;
	/* Upwards, too: who was attached to far down comes up, and goes down again with hooks. */
	shadow_floor(s)->slot = s->high = high;
	s->low = s->hot_low = low;
	s->spill_low = s->spill_low < low ? s->spill_low : low;
}

void strand_split(struct strand *s)
{
	s->is_split = true;
	s->room = ~0ull;
}

void strands_split(uint64_t start, uint64_t end)
{
	for (uint32_t i = 0, nr = count_strands(); i < nr; i++) {
		struct strand *s = strands[i];
		if (s && s->bounds.high && start < s->bounds.high && end > s->low)
			strand_split(s);
	}
}
