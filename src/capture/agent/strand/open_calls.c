/* SPDX-License-Identifier: Apache-2.0 */
/* A ring that goes on with calls of another one begins with those that are open. */
#include "capture/agent/strand/open_calls.h"

#include "capture/agent/base/site.h"
#include "capture/agent/strand/entries.h"
#include "capture/agent/strand/pen.h"
#include "capture/agent/strand/record.h"

/* Only entries that are in place count: others were left by longjmp, or are half made. */
void strand_keep_live(struct strand *s)
{
	struct fca_shadow *kept = shadow_floor(s);
	for (struct fca_shadow *e = kept + 1; e <= shadow_top(s); e++) {
		uint64_t site;
		if (agent_is_site(e->ret) || shadow_is_armed(s, 0, e, &site)) {
			*++kept = *e;
			*shadow_truth(s, kept) = *shadow_truth(s, e);
		}
	}
	s->shadow = (uint64_t)kept;
}

/* What is open is told first: of entries with slots above this one, with a mark before them. */
void strand_tell_open(struct strand *s, const struct strand *of, uint64_t above,
		      enum fc_mark mark, uint64_t word)
{
	uint64_t nr = 0;
	for (struct fca_shadow *e = shadow_floor(of) + 1; e <= shadow_top(of); e++)
		nr += e->slot > above;
	while (strand_make_room(s, MARK_WORDS_2) && !strand_mark(s, mark, word, nr + 1, 2))
		;
	for (struct fca_shadow *e = shadow_floor(of) + 1; e <= shadow_top(of); e++) {
		uint64_t site;
		if (e->slot <= above)
			continue;
		if (!shadow_is_armed(of, 0, e, &site))
			site = e->ret;
		strand_record(s, agent_is_site(site) ? agent_site_func(site) : 0, FC_ENTRY);
	}
}
