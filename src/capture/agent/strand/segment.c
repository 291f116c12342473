/* SPDX-License-Identifier: Apache-2.0 */
/* The flight recorder's ring, which nobody drains: segments, each begun over the oldest one. */
#include "capture/agent/strand/segment.h"

#include "capture/agent/base/config.h"
#include "capture/agent/base/site.h"
#include "capture/agent/strand/entries.h"
#include "capture/agent/strand/pen.h"

enum {
	/* The controller sees to it that a strand comes here at least so often: drain/flight.h. */
	STALE_BITS = FC_RECORD_TICK_BITS - 3,
};

/* The function of an open call; 0: its stub is just beginning, or its frame was left. */
static uint32_t open_func(const struct strand *s, const struct fca_shadow *entry)
{
	uint64_t site;
	if (agent_is_site(entry->ret))
		return agent_site_func(entry->ret);
	return shadow_is_armed(s, 0, entry, &site) ? agent_site_func(site) : 0;
}

static void tell_open(const struct strand *s, struct fca_segment *segment, uint32_t max)
{
	segment->depth = shadow_depth(s);
	segment->nr_told = segment->depth < max ? segment->depth : max;
	for (uint32_t i = 0; i < segment->nr_told; i++)
		segment->func[i] = open_func(s, shadow_top(s) - i);
}

/* What is not zero behind the head is written: so a reader knows how far it goes. */
static void begin(struct strand *s)
{
	uint64_t nr_words = fca_segment_words(agent_config.ring_words);
	uint64_t i = s->nr_segments % (agent_config.ring_words / nr_words);
	uint64_t *words = s->words + i * nr_words;
	struct fca_segment *segment = (struct fca_segment *)words;
	uint64_t written = strand_words(s);

	*(uint64_t *volatile *)&s->limit = NULL; /* in quiet a handler's calls must come here */
	for (uint64_t at = 0; at < nr_words; at++)
		__atomic_store_n(&words[at], 0, __ATOMIC_RELEASE);
	segment->before = written - s->nr_mark_words;
	segment->tsc = s->synced = read_clock();
	tell_open(s, segment, fca_segment_told_max(nr_words));
	segment->sum = fca_segment_sum(segment, ++s->nr_segments);
	__atomic_store_n(&segment->seq, s->nr_segments, __ATOMIC_RELEASE);

	s->cursor = words + fca_segment_head(segment->nr_told);
	s->words_before = written - (uint64_t)(s->cursor - s->words);
	s->segment_end = words + nr_words;
}

bool segment_is_stale(const struct strand *s)
{
	return read_clock() - s->synced >= 1ull << STALE_BITS;
}

/*
 * A record tells the lower bits of its time. After a pause, before they might turn over
 * unseen, the full time is told first.
 */
void segment_extend(struct strand *s, uint32_t nr)
{
	bool must_sync = s->nr_segments && segment_is_stale(s);
	uint32_t want = must_sync ? nr + MARK_WORDS_1 : nr;
	s->on_limit = NULL; /* it may be another segment's end */
	if (s->cursor + want > s->segment_end) {
		begin(s);
		must_sync = false;
	}
	s->limit = s->segment_end;
	if (must_sync) {
		s->synced = read_clock();
		strand_mark(s, FC_MARK_SYNC, s->synced, 0, 1);
	}
	if (s->unwind_slot || s->is_off || strand_is_shut(s))
		s->limit = s->cursor + nr;
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	if (agent_arena()->is_off) /* the controller sets that, then the limit */
		s->limit = s->cursor + nr;
}
