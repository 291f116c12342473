/* SPDX-License-Identifier: Apache-2.0 */
/* Entries of shadow stacks: looked for, and compared with what their slots hold. */
#include "capture/agent/strand/entries.h"

#include "capture/agent/strand/roll.h"
#include "capture/agent/strand/slot.h"

/* An entry that a signal handler left by longjmp half written may name any slot. */
bool shadow_is_armed(const struct strand *s, uint64_t slot, const struct fca_shadow *entry,
		     uint64_t *site)
{
	return entry->slot >= s->low && entry->slot < s->high &&
	       slot_is_armed(s, slot, entry->slot, site);
}

struct fca_shadow *shadow_find(struct strand *s, uint64_t slot)
{
	for (struct fca_shadow *e = shadow_top(s); e > shadow_floor(s); e--)
		if (e->slot == slot)
			return e;
	return NULL;
}

struct fca_shadow *strand_find_slot(uint64_t slot)
{
	for (uint32_t i = 0; i < nr_strands && i < FCA_MAX_STRANDS; i++) {
		struct strand *s = strands[i];
		struct fca_shadow *e = s && s->shadow ? shadow_find(s, slot) : NULL;
		if (e)
			return e;
	}
	return NULL;
}

const struct strand *strand_of_entry(const struct fca_shadow *entry)
{
	for (uint32_t i = 0, nr = count_strands(); i < nr; i++) {
		const struct strand *s = strands[i];
		if (s && entry >= s->shadow_base && entry < s->shadow_end)
			return s;
	}
	return NULL;
}
