/* SPDX-License-Identifier: Apache-2.0 */
#include "user/ring.h"

#include <string.h>

#include "trace/record.h"

enum {
	AHEAD = 64,	 /* how far to look for words behind a hole */
	MAX_MARK = 256,	 /* words of the longest record */
	SLACK = MAX_MARK + 4 * FC_RING_HELD,
};

void fc_ring_init(struct fc_ring *ring, struct fca_ring *shared, uint64_t *words)
{
	*ring = (struct fc_ring){ .shared = shared, .words = words };
}

static uint64_t *word_at(const struct fc_ring *ring, uint64_t index)
{
	return &ring->words[index & (FC_RING_WORDS - 1)];
}

static uint64_t look(const struct fc_ring *ring, uint64_t index)
{
	return __atomic_load_n(word_at(ring, index), __ATOMIC_ACQUIRE);
}

/* Is a's time before b's? Both are of about the same time: less than half a turn apart. */
static bool is_before(uint64_t a, uint64_t b)
{
	return (int64_t)((a >> FC_RECORD_LOW_BITS << FC_RECORD_LOW_BITS) -
			 (b >> FC_RECORD_LOW_BITS << FC_RECORD_LOW_BITS)) < 0;
}

static void hold(struct fc_ring *ring, uint64_t word)
{
	uint32_t i = ring->nr_held++;
	for (; i && is_before(ring->held[i - 1], word); i--)
		ring->held[i] = ring->held[i - 1];
	ring->held[i] = word;
}

/* Give out the held records that are before word; all when word is 0. */
static size_t release(struct fc_ring *ring, uint64_t word, uint64_t *ret)
{
	size_t nr = 0;
	while (ring->nr_held && (!word || !is_before(word, ring->held[ring->nr_held - 1])))
		ret[nr++] = ring->held[--ring->nr_held];
	return nr;
}

/* A late word into what was taken: behind the last record that is not after it. */
static size_t insert(uint64_t *ret, size_t nr, uint64_t word)
{
	size_t at = nr;
	for (size_t i = 0; i < nr; i += 1 + fc_record_words(ret[i]))
		if (is_before(word, ret[i])) {
			at = i;
			break;
		}
	memmove(ret + at + 1, ret + at, (nr - at) * sizeof(*ret));
	ret[at] = word;
	return nr + 1;
}

/* Look again at words that were skipped: a full round later they belong to others. */
static size_t visit_holes(struct fc_ring *ring, uint64_t *ret, size_t nr)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < ring->nr_holes; i++) {
		uint64_t *word = word_at(ring, ring->hole[i]), late = look(ring, ring->hole[i]);
		bool is_over = ring->shared->tail - ring->hole[i] > FC_RING_WORDS / 2;
		if (late) {
			*word = 0;
			nr = insert(ret, nr, late);
		} else if (is_over) {
			uint64_t head = nr ? ret[nr - 1] : 0;
			ret[nr++] = fc_record(head >> FC_RECORD_LOW_BITS,
					      fc_mark_func(FC_MARK_LOST, 1), FC_MARK);
			ret[nr++] = 1;
		} else {
			ring->hole[kept++] = ring->hole[i];
		}
	}
	ring->nr_holes = kept;
	return nr;
}

static void advance(struct fc_ring *ring, uint64_t tail)
{
	__atomic_store_n(&ring->shared->tail, tail, __ATOMIC_RELEASE);
}

size_t fc_ring_take(struct fc_ring *ring, uint64_t *ret, size_t room)
{
	uint64_t tail = ring->shared->tail, head = look(ring, tail);
	size_t nr = 0;
	while (head && nr + SLACK < room) {
		uint32_t more = fc_record_words(head);
		*word_at(ring, tail++) = 0;
		uint64_t next = look(ring, tail + more);
		bool is_held = next && is_before(next, head) && next != FC_PAD && !more &&
			       head != FC_PAD && ring->nr_held < FC_RING_HELD;
		if (is_held) {
			hold(ring, head);
		} else if (head != FC_PAD) {
			if (ring->nr_held)
				nr += release(ring, head, ret + nr);
			ret[nr++] = head;
		}
		for (; more; more--) {
			ret[nr++] = *word_at(ring, tail);
			*word_at(ring, tail++) = 0;
		}
		head = next;
	}
	if (!head) /* what a held record waited for was written before it */
		nr += release(ring, 0, ret + nr);
	if (ring->nr_holes)
		nr = visit_holes(ring, ret, nr);
	if (tail != ring->shared->tail)
		advance(ring, tail);
	return nr;
}

bool fc_ring_skip_hole(struct fc_ring *ring)
{
	uint64_t tail = ring->shared->tail;
	if (look(ring, tail) || ring->nr_holes == FC_RING_HELD)
		return false;
	for (uint64_t n = 1; n < AHEAD; n++) {
		if (!look(ring, tail + n))
			continue;
		ring->hole[ring->nr_holes++] = tail;
		advance(ring, tail + 1);
		return true;
	}
	return false;
}

void fc_ring_clear(struct fc_ring *ring)
{
	if (ring->nr_holes)
		memset(ring->words, 0, FC_RING_WORDS * sizeof(*ring->words));
	ring->nr_holes = ring->nr_held = 0;
}
