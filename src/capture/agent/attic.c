/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Attics: entries that were given up while their slots still held return sites. A program that
 * copies stack frames away and back returns by them.
 *
 *      slot / 8, modulo the number of places   ->   one entry a place, the last that was kept
 */
#include "capture/agent/strand.h"

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
	}
	*attic_place(s, entry->slot) = *entry;
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
