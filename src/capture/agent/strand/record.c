/* SPDX-License-Identifier: Apache-2.0 */
/* What a strand writes: records into its ring, and how room for them is made. */
#include "capture/agent/strand/record.h"

#include "capture/agent/base/bell.h"
#include "capture/agent/base/config.h"
#include "capture/agent/base/machine.h"
#include "capture/agent/base/signals.h"
#include "capture/agent/strand/claim.h"
#include "capture/agent/strand/entries.h"
#include "capture/agent/strand/pen.h"
#include "capture/agent/strand/segment.h"

void strand_record_if(struct strand *s, bool has_room, uint32_t func, enum fc_kind kind)
{
	if (has_room)
		strand_record(s, func, kind);
	else if (!agent_config.is_edges)
		strand_lose(s, 1);
}

static bool has_room(const struct strand *s, uint32_t nr)
{
	return cursor_of(s) + nr <= limit_of(s);
}

/* Say what was dropped, in its place, before anything that comes after. */
static void tell_lost(struct strand *s)
{
	struct fca_ring *ring = s->ring;
	uint64_t lost = ring->lost - ring->lost_told;
	if (lost && strand_mark(s, FC_MARK_LOST, lost, shadow_depth(s) + 1, 2))
		ring->lost_told += lost;
}

/* Another thread has gone on with the stack: what comes after is its own. */
static bool is_moved(const struct strand *s)
{
	return s->ring->told_tid != s->tid;
}

static void tell_moved(struct strand *s)
{
	int32_t tid = s->tid, *told = &s->ring->told_tid;
	if (strand_mark(s, FC_MARK_MOVED, (uint64_t)*told, (uint64_t)tid, 2))
		*told = tid;
}

/*
 * The target waited for fctrace since then: that is not the program's time. What a signal's
 * handler waited meanwhile it has told itself.
 */
static bool tell_waited(struct strand *s, uint64_t since)
{
	uint64_t now = read_clock();
	uint64_t from = since < s->waited_until ? s->waited_until : since;
	if (!strand_mark(s, FC_MARK_WAITED, now > from ? now - from : 0, 0, 1))
		return false;
	s->waited_until = now;
	return true;
}

static void wait_at_gate(struct fca_arena *arena, struct fca_ring *ring)
{
	uint32_t gate = __atomic_load_n(&ring->gate, __ATOMIC_ACQUIRE);
	__atomic_store_n(&ring->waiting, 1, __ATOMIC_SEQ_CST);
	agent_ring_bell(arena);
	futex_wait(&ring->gate, gate, 50);
}

/*
 * Words that may be written before the drain has taken more. One less than there are: in
 * front of a word that the drain comes to hold there is room for a filler.
 */
static uint64_t free_words(const struct strand *s)
{
	uint64_t tail = __atomic_load_n(&s->ring->tail, __ATOMIC_ACQUIRE);
	return tail + agent_config.ring_words - 1 - strand_words(s);
}

/* How many words from a place of the ring on are held in a row. */
static uint64_t held_from(const struct strand *s, uint64_t place)
{
	uint64_t mask = agent_config.ring_words - 1;
	for (int i = 0; i < FCA_NR_HELD; i++) {
		uint64_t held = __atomic_load_n(&s->ring->held[i], __ATOMIC_RELAXED);
		uint64_t at = (place - fca_held_place(held)) & mask;
		if (at < fca_held_nr(held))
			return fca_held_nr(held) - at;
	}
	return 0;
}

bool strand_is_held(const struct strand *s, uint64_t place)
{
	return held_from(s, place) != 0;
}

/*
 * Words from the cursor on that may be written in a row: up to the ring's end, or to a word
 * that is held. *over is how many must be stepped over otherwise.
 *
 *	cursor                 held
 *	  |  .  .  .  .  .  .  H  H  .
 *	  |--- in a row ---|                one is left for a filler
 *	  |------- *over --------|
 */
static uint64_t words_in_a_row(const struct strand *s, uint64_t *over)
{
	uint64_t mask = agent_config.ring_words - 1, place = cursor_of(s) - s->words;
	uint64_t nr = agent_config.ring_words - place;
	*over = nr;
	for (int i = 0; i < FCA_NR_HELD; i++) {
		uint64_t held = __atomic_load_n(&s->ring->held[i], __ATOMIC_RELAXED);
		uint64_t row = ((fca_held_place(held) - place) & mask) - 1;
		if (fca_held_nr(held) && row < nr) {
			nr = row;
			*over = nr + 1;
		}
	}
	uint64_t more = *over == nr + 1;
	/* What is held may lie behind each other. */
	for (int i = 0; i < FCA_NR_HELD && more; i++)
		*over += more = held_from(s, (place + *over) & mask);
	return nr;
}

/* A filler says that these words mean nothing: the ring's rest, or what is held. */
static void step_over(struct strand *s, uint64_t nr)
{
	uint64_t *at = cursor_of(s), place = at - s->words + nr;
	s->on_limit = NULL;
	*(uint64_t *volatile *)&s->limit = NULL; /* in quiet a handler's calls must come here */
	if (nr)
		pen_put(at, fc_record(0, nr - 1, FC_PAD));
	if (place >= agent_config.ring_words) {
		place -= agent_config.ring_words;
		s->words_before += agent_config.ring_words;
	}
	s->cursor = s->words + place;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	s->limit = s->cursor;
}

/* How far the limit is raised at a time. A small ring has several such steps, too. */
static uint64_t segment_words(void)
{
	uint64_t quarter = agent_config.ring_words / 4;
	return quarter < FCA_SEGMENT_WORDS ? quarter : FCA_SEGMENT_WORDS;
}

static void raise_limit(struct strand *s, uint32_t nr, uint64_t most)
{
	s->on_limit = NULL;
	bool is_single = s->unwind_slot || s->is_off || strand_is_shut(s);
	uint64_t step = is_single ? nr : segment_words();
	s->limit = cursor_of(s) + (step < most ? step : most);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	if (agent_arena()->is_off) /* the controller sets that, then the limit */
		s->limit = cursor_of(s) + nr;
}

/* Raise the limit by at least nr words, if there are want free words; signals are blocked. */
static bool extend(struct strand *s, uint32_t nr, uint64_t want)
{
	for (int i = 0; i < FCA_NR_HELD + 2; i++) {
		uint64_t over, room = free_words(s), row = words_in_a_row(s, &over);
		if (row >= nr && room >= want) {
			raise_limit(s, nr, row < room ? row : room);
			return true;
		}
		if (row >= nr || room < over + want)
			return false;
		step_over(s, over);
	}
	return false;
}

/* Nobody reads any more, or dropping goes on: known without blocking signals. */
static bool is_vain(const struct strand *s, const struct fca_arena *arena, uint32_t nr)
{
	if (agent_is_alone(arena))
		return true;
	bool is_losing = s->ring->lost != s->ring->lost_told;
	return arena->is_drop && free_words(s) < (is_losing ? segment_words() : nr);
}

/* since: when the wait for room began, 0: there was none. */
static bool try_extend(struct strand *s, uint32_t nr, uint64_t since)
{
	struct fca_ring *ring = s->ring;
	uint64_t mask = signals_block();
	bool is_losing = ring->lost != ring->lost_told;
	bool has_moved = is_moved(s);
	if (since)
		nr += MARK_WORDS_1;
	if (has_moved)
		nr += MARK_WORDS_2;
	/* After a loss wait for a good deal of room: few gaps rather than many. */
	bool ok = is_losing ? extend(s, nr + MARK_WORDS_2, segment_words()) : extend(s, nr, nr);
	if (ok && since)
		tell_waited(s, since);
	if (ok && is_losing)
		tell_lost(s);
	if (ok && has_moved)
		tell_moved(s);
	signals_restore(mask);
	return ok;
}

/*
 * The oldest records make room for the newest, with a controller or without: there is no wait
 * and no filler in a flight recorder's ring.
 */
static bool overwrite(struct strand *s, uint32_t nr)
{
	uint64_t mask = signals_block();
	bool is_losing = s->ring->lost != s->ring->lost_told;
	bool has_moved = is_moved(s);
	segment_extend(s, nr + (is_losing + has_moved) * MARK_WORDS_2);
	if (is_losing)
		tell_lost(s);
	if (has_moved)
		tell_moved(s);
	signals_restore(mask);
	return has_room(s, nr);
}

/*
 * True: there is room for nr words now. A signal's handler may take it again: stubs then
 * come back here.
 */
bool strand_make_room(struct strand *s, uint32_t nr)
{
	struct fca_arena *arena = agent_arena();
	struct fca_ring *ring = s->ring;
	claim_as_told();
	if (!ring || agent_config.is_edges)
		return false;
	claim_unlocked();
	if (has_room(s, nr))
		return true;
	if (arena->is_ring)
		return overwrite(s, nr);
	uint64_t since = 0;
	while (is_vain(s, arena, nr) || !try_extend(s, nr, since)) {
		if (arena->is_drop || agent_is_alone(arena))
			return false;
		if (!since)
			since = read_clock();
		wait_at_gate(arena, ring);
	}
	if (arena->asleep && free_words(s) < agent_config.ring_words / 4 * 3)
		agent_ring_bell(arena);
	return true;
}

bool strand_tell(struct strand *s, enum fc_mark type, const uint64_t *value, uint32_t nr_values)
{
	while (strand_make_room(s, 1 + fc_mark_parts(nr_values)))
		if (strand_mark_all(s, type, value, nr_values))
			return true;
	return false;
}

void strand_tell_waited(struct strand *s, uint64_t since)
{
	while (strand_make_room(s, MARK_WORDS_1))
		if (tell_waited(s, since))
			return;
}

void strand_record(struct strand *s, uint32_t func, enum fc_kind kind)
{
	uint64_t tsc, *at;
	while (!(at = pen_reserve(s, 1, &tsc)))
		if (!strand_make_room(s, 1)) {
			strand_lose(s, 1);
			return;
		}
	pen_put(at, fc_record(tsc, func, kind));
}
