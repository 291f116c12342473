/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Attics: entries that were given up while their slots still held return sites. A program that
 * copies stack frames away and back returns by them.
 *
 *      slot / 8, modulo the number of places   ->   one entry a place, the last that was kept
 *
 * A stack may be that of several strands in turn, as of coroutines whose stacks lie side by side. So each has an
 * attic, but what is kept of a slot is in one of them only: an older one would be another call's.
 */
#include "capture/agent/strand/attic.h"

#include "capture/agent/base/machine.h"
#include "capture/agent/base/site.h"
#include "capture/agent/strand/entries.h"
#include "capture/agent/strand/roll.h"

/* Indices of the strands that have one. */
static uint16_t attics[FCA_MAX_STRANDS];
static uint32_t nr_attics;

_Static_assert(FCA_MAX_STRANDS <= UINT16_MAX, "an index has room");

static struct fca_shadow *attic_place(const struct strand *s, uint64_t slot)
{
	return &s->attic[slot / 8 % (shadow_at_once() / sizeof(struct fca_shadow))];
}

/* Only words that look like these can be copies of such frames: capture/hook/copies.c. */
static void note_kept(uint64_t site)
{
	uint32_t bit = fca_kept_bit(site);
	__atomic_fetch_or(&agent_config.kept[bit / 64], 1ull << bit % 64, __ATOMIC_RELAXED);
}

/* Any site may be one of theirs. */
static void note_all(void)
{
	for (int i = 0; i < FCA_KEPT_WORDS; i++)
		__atomic_store_n(&agent_config.kept[i], ~0ull, __ATOMIC_RELAXED);
}

static void note_attic(const struct strand *s)
{
	if (s->index < FCA_MAX_STRANDS)
		attics[__atomic_fetch_add(&nr_attics, 1, __ATOMIC_RELAXED) % FCA_MAX_STRANDS] =
			(uint16_t)s->index;
}

static void forget_others(const struct strand *s, uint64_t slot)
{
	for (uint32_t i = 0; i < nr_attics && i < FCA_MAX_STRANDS; i++) {
		const struct strand *other = strands[attics[i]];
		if (!other || other == s || !other->attic)
			continue;
		uint64_t its = slot; /* it may be another one by now: that stays */
		__atomic_compare_exchange_n(&attic_place(other, slot)->slot, &its, 0, 0,
					    __ATOMIC_RELAXED, __ATOMIC_RELAXED);
	}
}

static void attic_put(struct strand *s, const struct fca_shadow *entry)
{
	if (!s->attic && agent_config.is_quiet)
		return;
	if (!s->attic) {
		long at = syscall6(NR_mmap, 0, shadow_at_once(), PROT_READ_WRITE,
				   MAP_PRIVATE_ANONYMOUS_NORESERVE, -1, 0);
		if (at < 0)
			return;
		s->attic = (struct fca_shadow *)at;
		note_attic(s);
	}
	struct fca_shadow *place = attic_place(s, entry->slot);
	if (place->slot != entry->slot) /* else it is in no other one */
		forget_others(s, entry->slot);
	*place = *entry;
}

bool attic_keep(struct strand *s, uint64_t slot, const struct fca_shadow *entry)
{
	uint64_t site;
	if (agent_is_site(entry->ret)) /* an unwinder was shown where it returns to */
		return false;
	if (shadow_is_armed(s, slot, entry, &site)) {
		attic_put(s, entry);
		note_kept(site);
		return true;
	}
	if (agent_config.is_quiet) { /* its slot may not have been looked at */
		attic_put(s, entry);
		note_all();
	}
	return false;
}

void attic_keep_all(struct strand *s)
{
	note_all(); /* their slots may not be there any more */
	for (const struct fca_shadow *e = shadow_top(s); e > shadow_floor(s); e--)
		if (!agent_is_site(e->ret))
			attic_put(s, e);
}

static uint64_t attic_look(const struct strand *s, uint64_t slot)
{
	const struct fca_shadow *e = s && s->attic ? attic_place(s, slot) : NULL;
	return e && e->slot == slot ? e->ret : 0;
}

/* One stack may be that of several strands, as behind a large frame. */
uint64_t attic_find(const struct strand *s, uint64_t slot)
{
	uint64_t ret = attic_look(s, slot);
	for (uint32_t i = 0; !ret && i < nr_strands && i < FCA_MAX_STRANDS; i++)
		ret = attic_look(strands[i], slot);
	return ret;
}
