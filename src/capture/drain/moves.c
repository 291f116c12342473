/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/drain/moves.h"

#include "trace/record.h"

enum { MOVED_WORDS = 3 }; /* of a mark */

static bool is_moved(uint64_t word)
{
	return fc_record_kind(word) == FC_MARK && fc_record_mark(word) == FC_MARK_MOVED &&
	       fc_record_words(word) == MOVED_WORDS - 1;
}

/* Where the next mark is, from i on; nr: there is none. */
static size_t next_of(const uint64_t *words, size_t i, size_t nr)
{
	while (i < nr && !is_moved(words[i]))
		i += 1 + fc_record_words(words[i]);
	return i + MOVED_WORDS <= nr ? i : nr;
}

static int tid_of(const struct fc_moves *moves, int pid, uint64_t own_tid)
{
	int tid = (int)own_tid;
	if (moves->number)
		fc_ids_find(moves->ids, moves->number, &pid, &tid);
	return tid;
}

void fc_moves_begin(const struct fc_moves *moves, const uint64_t *words, size_t nr, int pid,
		    int *tid)
{
	size_t i = next_of(words, 0, nr);
	if (i < nr)
		*tid = tid_of(moves, pid, words[i + 1]);
}

int fc_moves_tell(const struct fc_moves *moves, struct fc_tap *tap,
		  struct fc_strand_info *strand, const uint64_t *words, size_t nr,
		  uint64_t now_tsc)
{
	int ret = 0;
	for (size_t i = 0; i < nr && !ret;) {
		size_t mark = next_of(words, i, nr);
		if (mark < nr) /* also behind a gap, with marks in it */
			strand->tid = tid_of(moves, strand->pid, words[mark + 1]);
		if (mark > i)
			ret = tap->records(tap, strand, words + i, mark - i, now_tsc);
		if (mark < nr)
			strand->tid = tid_of(moves, strand->pid, words[mark + 2]);
		i = mark < nr ? mark + MOVED_WORDS : nr;
	}
	return ret;
}
