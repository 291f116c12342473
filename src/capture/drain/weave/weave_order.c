/* SPDX-License-Identifier: Apache-2.0 */
/* weave_order.c - which of what waits is next, and what it does to the calls that are open. */
#include "capture/drain/weave/weave_private.h"
#include "trace/words.h"

static void tell(struct fc_weave *weave, const struct fc_weave_strand *strand,
		 const uint64_t *words, size_t nr, uint64_t now_tsc)
{
	struct fc_tap *next = weave->pass.next;
	int ret = nr ? next->records(next, &strand->info, words, nr, now_tsc) : 0;
	if (ret && !weave->error)
		weave->error = ret;
}

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* The same record, at another time. */
static uint64_t timed(uint64_t word, uint64_t tsc)
{
	return fc_record(tsc, fc_record_func(word), fc_record_kind(word));
}

/* ---- the program's own words ---- */

/* The program's code goes on: what the other source has not told the end of is over. */
static void close_beside(struct fc_weave *weave, struct fc_weave_strand *strand, uint64_t tsc)
{
	if (!strand->beside)
		return;
	uint64_t pop = fc_record(tsc, (uint32_t)strand->depth, FC_POP);
	strand->beside = 0;
	tell(weave, strand, &pop, 1, tsc);
}

/* A record's effect on the strand's own calls. Returns its words; 0: it is not whole. */
static size_t count(struct fc_weave_strand *strand, const uint64_t *words, size_t nr)
{
	struct fc_event event;
	size_t taken = fc_words_decode(words, nr, &strand->info, 0, &event);
	if (!taken)
		return 0;
	struct fc_effect effect = fc_effect_of(&event, strand->depth);
	fc_announced_next(&strand->announced, &event);
	strand->depth = fc_effect_depth(&effect);
	return taken;
}

/*
 * As many of the next piece's words as were written before until, and what must follow them at
 * once: the calls that a mark announces. *last is the time of the last.
 */
static size_t count_before(struct fc_weave_strand *strand, uint64_t until, uint64_t *last)
{
	struct fc_weave_words *waiting = &strand->waiting;
	const struct fc_weave_piece *piece = fc_weave_next_piece(waiting);
	uint64_t *words = waiting->words.at + waiting->word;
	size_t nr = 0;
	while (nr < piece->nr) {
		uint64_t tsc = fc_weave_tsc(words + nr, piece->nr - nr, piece->now_tsc);
		enum fc_kind kind = fc_record_kind(words[nr]);
		if (tsc >= until && !strand->announced.nr)
			break;
		*last = later(*last, tsc);
		if (fc_record_is_values(words[nr]))
			words[nr] = timed(words[nr], tsc);
		if (kind == FC_ENTRY && !strand->announced.nr) {
			strand->depth++;
			nr++;
		} else if (kind == FC_EXIT && !strand->announced.nr) {
			strand->depth -= strand->depth > 0;
			nr++;
		} else {
			size_t taken = count(strand, words + nr, piece->nr - nr);
			nr = taken ? nr + taken : piece->nr;
		}
	}
	return nr;
}

/*
 * A handler's stack on which nothing is open: its thread is about to go on where it was. And
 * somebody else has a strand that has moved.
 */
static void settle(struct fc_weave *weave, struct fc_weave_thread *thread,
		   struct fc_weave_strand *strand, int passed_tid)
{
	struct fc_weave_thread *other =
		passed_tid == thread->tid ? NULL : fc_weave_thread_find(weave, passed_tid);
	if (other && other->now == strand)
		other->now = NULL;
	if (thread->now && thread->now != strand && strand->info.kind == FC_STRAND_SIGNAL &&
	    thread->now->info.kind != FC_STRAND_SIGNAL)
		thread->before = thread->now;
	thread->now = strand;
	if (strand->info.kind == FC_STRAND_SIGNAL && !strand->depth && thread->before) {
		thread->now = thread->before;
		thread->before = NULL;
	}
}

/* Words of the strand that its thread wrote before until. */
static void pass_strand(struct fc_weave *weave, struct fc_weave_thread *thread,
			struct fc_weave_strand *strand, uint64_t until)
{
	struct fc_weave_words *waiting = &strand->waiting;
	struct fc_weave_piece piece = *fc_weave_next_piece(waiting);
	const uint64_t *words = waiting->words.at + waiting->word;
	int passed_tid = strand->info.tid;
	close_beside(weave, strand, later(fc_weave_next_tsc(waiting), strand->last_tsc));
	strand->info.tid = piece.tid;
	strand->info.kind = piece.kind;
	size_t nr = count_before(strand, until, &strand->last_tsc);
	tell(weave, strand, words, nr, strand->last_tsc);
	fc_weave_words_drop(waiting, nr);
	settle(weave, thread, strand, passed_tid);
}

/* ---- the other source's ---- */

/* Does the record do anything there? Its depths become the strand's. */
static bool adopt(struct fc_weave_strand *strand, uint64_t *word)
{
	uint64_t stay = fc_record_func(*word);
	switch (fc_record_kind(*word)) {
	case FC_ENTRY:
		strand->beside++;
		return true;
	case FC_EXIT: /* without one it was entered before anything was told, or was given up */
		if (!strand->beside)
			return false;
		strand->beside--;
		return true;
	case FC_POP:
		if (stay >= strand->beside)
			return false;
		strand->beside = stay;
		*word += (uint64_t)strand->depth << FC_RECORD_KIND_BITS;
		return true;
	default:
		return true;
	}
}

/* What the thread's other source told of it before until. */
static void pass_beside(struct fc_weave *weave, struct fc_weave_thread *thread, uint64_t until)
{
	struct fc_weave_words *waiting = &thread->beside;
	struct fc_weave_piece piece = *fc_weave_next_piece(waiting);
	const uint64_t *words = waiting->words.at + waiting->word;
	struct fc_weave_strand *strand =
		thread->now ? thread->now : fc_weave_strand_own(weave, thread);
	size_t nr = 0, kept = 0; /* kept: of out, without values of a record that is none */
	weave->out.nr = 0;
	while (nr < piece.nr) {
		uint64_t head = words[nr], tsc = fc_record_tsc(head, piece.now_tsc);
		size_t taken = 1 + fc_record_words(head);
		if (tsc >= until)
			break;
		strand->last_tsc = later(strand->last_tsc, tsc);
		head = timed(head, strand->last_tsc);
		bool is_mark = fc_record_kind(head) == FC_MARK;
		if (adopt(strand, &head)) {
			fc_vec_push(&weave->out, head);
			for (size_t i = 1; i < taken; i++)
				fc_vec_push(&weave->out, words[nr + i]);
			kept = is_mark ? kept : weave->out.nr;
		} else {
			weave->out.nr = kept;
		}
		nr += taken;
	}
	tell(weave, strand, weave->out.at, weave->out.nr, strand->last_tsc);
	fc_weave_words_drop(waiting, nr);
}

/* ---- which is next ---- */

/* It was stopped in the middle of a stub, say, and may stay so. */
static bool is_silent(const struct fc_weave *weave, const struct fc_weave_strand *strand)
{
	return weave->patience && weave->listened - strand->heard > weave->patience;
}

/* Up to when the thread's program has told all that it did, and it has been passed on. */
static uint64_t told_until(const struct fc_weave *weave, const struct fc_weave_thread *thread)
{
	if (weave->is_over)
		return UINT64_MAX;
	uint64_t ret = weave->round_tsc;
	fc_vec_each (&thread->strands, at) {
		const struct fc_weave_strand *strand = *at;
		uint64_t next = fc_weave_next_tsc_of(&strand->waiting, thread->tid);
		if (next != UINT64_MAX)
			ret = earlier(ret, later(next, strand->last_tsc));
		else if (!strand->end_tsc && strand->told_tid == thread->tid &&
			 !is_silent(weave, strand))
			ret = earlier(ret, strand->told_tsc);
	}
	return ret;
}

/* Up to when the program's words may be passed on. */
static uint64_t known_until(const struct fc_weave *weave)
{
	return weave->is_over ? UINT64_MAX : weave->beside_tsc;
}

/* The strand with the earliest words of the thread, and when those of the second one are. */
static struct fc_weave_strand *earliest(const struct fc_weave_thread *thread, uint64_t *tsc,
					uint64_t *second)
{
	struct fc_weave_strand *ret = NULL;
	*tsc = *second = UINT64_MAX;
	fc_vec_each (&thread->strands, at) {
		struct fc_weave_strand *strand = *at;
		if (!fc_weave_has_words(&strand->waiting) ||
		    fc_weave_next_piece(&strand->waiting)->tid != thread->tid)
			continue;
		uint64_t next = later(fc_weave_next_tsc(&strand->waiting), strand->last_tsc);
		if (!ret || next < *tsc) {
			*second = *tsc;
			*tsc = next;
			ret = strand;
		} else {
			*second = earlier(*second, next);
		}
	}
	return ret;
}

/* Another thread had the strand until now: what is told beside of it comes first. */
static bool is_left(struct fc_weave *weave, const struct fc_weave_thread *thread,
		    const struct fc_weave_strand *strand, uint64_t tsc)
{
	const struct fc_weave_thread *other =
		strand->info.tid == thread->tid ? NULL
						: fc_weave_thread_find(weave, strand->info.tid);
	return !other || other->now != strand || fc_weave_next_tsc(&other->beside) >= tsc;
}

static bool pass_one(struct fc_weave *weave, struct fc_weave_thread *thread)
{
	uint64_t tsc, second, beside = fc_weave_next_tsc(&thread->beside);
	struct fc_weave_strand *strand = earliest(thread, &tsc, &second);
	if (strand && tsc <= beside) {
		uint64_t until = known_until(weave);
		if (tsc >= until || !is_left(weave, thread, strand, tsc))
			return false;
		/* At least one, of those with the same time. */
		until = earlier(until, later(earlier(beside, second), tsc + 1));
		pass_strand(weave, thread, strand, until);
		return true;
	}
	uint64_t until = earlier(tsc, told_until(weave, thread));
	if (thread->now) /* another thread may be about to go on with it */
		until = earlier(until, fc_weave_next_tsc(&thread->now->waiting));
	if (beside >= until)
		return false;
	pass_beside(weave, thread, until);
	return true;
}

void fc_weave_pass_on(struct fc_weave *weave)
{
	bool is_any = true;
	while (is_any) {
		is_any = false;
		fc_vec_each (&weave->busy, thread)
			while (pass_one(weave, *thread))
				is_any = true;
	}
}
