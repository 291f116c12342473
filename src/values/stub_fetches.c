/* SPDX-License-Identifier: Apache-2.0 */
/* stub_fetches.c - a plan of what is fetched, as a stub has it: texts share the room of a mark. */
#include "values/stub_fetches.h"

#include <string.h>

#include "base/memory.h"

enum { WORD = 8 };

bool fc_fetch_is_text(const struct fca_fetch *fetch)
{
	return fetch->how == FCA_FETCH_STRING || fetch->how == FCA_FETCH_ARRAY;
}

/* Words of a mark that a fetch takes, or may take: of "..." it is not known. */
static uint32_t words_of(const struct fca_fetch *fetch)
{
	enum { FORMAT = 64, ONE = 3 };
	uint32_t nr = (fetch->size + WORD - 1u) / WORD;
	if (fetch->how == FCA_FETCH_REST)
		return fetch->count_as == FCA_REST_ONE ? ONE : FORMAT;
	return fetch->how == FCA_FETCH_VALUE ? nr : 1 + nr;
}

/* May it go on behind the mark? What others are read by may not: they are read before that. */
static bool is_long(const struct fca_fetches *fetches, uint32_t i)
{
	enum { SHORT = 64 };
	if (!fc_fetch_is_text(&fetches->fetch[i]) || fetches->fetch[i].size <= SHORT)
		return false;
	for (uint32_t k = i + 1; k < fetches->nr; k++) {
		const struct fca_fetch *other = &fetches->fetch[k];
		if ((other->from == FCA_FROM_FETCH && other->reg == i) ||
		    (other->how == FCA_FETCH_ARRAY && other->count == i))
			return false;
	}
	return true;
}

/*
 * A mark has no room for all that may be long: each text of those has as much of it as the others, and
 * goes on behind it.
 */
static void share_room(struct fca_fetches *fetches)
{
	enum { LEAST = 8 };
	uint32_t all = 1, others = 1, nr = 0;
	for (uint32_t i = 0; i < fetches->nr; i++) {
		const struct fca_fetch *fetch = &fetches->fetch[i];
		bool goes_on = is_long(fetches, i);
		all += words_of(fetch);
		others += goes_on ? 1 : words_of(fetch);
		nr += goes_on;
	}
	if (all <= FCA_VALUE_WORDS || !nr)
		return;
	uint32_t share = others < FCA_VALUE_WORDS ? (FCA_VALUE_WORDS - others) / nr : 0;
	share = share > LEAST ? share : LEAST;
	for (uint32_t i = 0; i < fetches->nr; i++) {
		struct fca_fetch *fetch = &fetches->fetch[i];
		if (is_long(fetches, i) && fetch->size > share * WORD)
			fetch->words = (uint8_t)share;
	}
}

struct fca_fetches *fc_fetch_plan_make(const struct fc_fetch_plan *plan, uint32_t key)
{
	if (!plan->nr && !plan->nr_kept)
		return NULL;
	struct fca_fetches *ret = fc_alloc(fca_fetches_size(plan->nr));
	ret->format = plan->nr ? key : 0;
	ret->nr = (uint8_t)plan->nr;
	ret->nr_kept = plan->nr_kept;
	memcpy(ret->kept, plan->kept, sizeof(ret->kept));
	for (uint32_t i = 0; i < plan->nr; i++)
		ret->fetch[i] = plan->part[i].fetch;
	share_room(ret);
	return ret;
}
