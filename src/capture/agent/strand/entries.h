/* SPDX-License-Identifier: Apache-2.0 */
/* entries.h - a strand's shadow stack: an entry for each open call, the outermost lowest. */
#ifndef FC_CAPTURE_AGENT_STRAND_ENTRIES_H
#define FC_CAPTURE_AGENT_STRAND_ENTRIES_H

#include "capture/agent/strand/strand.h"

static inline struct fca_shadow *shadow_top(const struct strand *s)
{
	return (struct fca_shadow *)*(volatile const uint64_t *)&s->shadow;
}

/* The entry below all: its slot is above every slot of this stack. */
static inline struct fca_shadow *shadow_floor(const struct strand *s)
{
	return s->shadow_base;
}

/* While an entry is disarmed: the return address that its slot was given. */
static inline uint64_t *shadow_truth(const struct strand *s, const struct fca_shadow *entry)
{
	return (uint64_t *)s - 1 - (entry - s->shadow_base);
}

/* Calls that are open. */
static inline uint32_t shadow_depth(const struct strand *s)
{
	return (uint32_t)(shadow_top(s) - shadow_floor(s));
}

/* Bytes of a shadow stack where no more can be opened later, and of an attic. */
static inline uint64_t shadow_at_once(void)
{
	return FCA_SHADOW_AT_ONCE(agent_config.shadow_size);
}

/* An entry's ret whose stub was interrupted and may begin anew (in_stub_x86_64.c). */
#define SHADOW_RESTARTED(stub) FCA_SHADOW_RESTARTED(stub)

/* Does the entry's slot hold a stub's return site? Then that is *site. slot: as load_word() has it. */
bool shadow_is_armed(const struct strand *s, uint64_t slot, const struct fca_shadow *entry,
		     uint64_t *site);
/* The innermost entry of this slot; NULL: there is none. */
struct fca_shadow *shadow_find(struct strand *s, uint64_t slot);
/* The same of any strand. */
struct fca_shadow *strand_find_slot(uint64_t slot);
/* The strand that an entry is of; NULL. */
const struct strand *strand_of_entry(const struct fca_shadow *entry);

#endif
