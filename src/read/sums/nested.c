/* SPDX-License-Identifier: Apache-2.0 */
/* nested.c - keeps, for each open call, the times by row of the calls within it. */
#include "read/sums/nested.h"

#include "base/memory.h"
#include "base/paged.h"
#include "base/pairs.h"
#include "base/vec.h"

/* Time of calls that have ended, by row. */
struct times {
	struct fc_pairs rows;
	FC_VEC(struct fc_within) sums; /* by number of the row, from 0 */
};

struct frame {
	uint32_t func;
	uint32_t outer; /* the next call of the same function further out, from 1; 0: none */
	struct times within; /* of calls of the same function */
};

struct strand {
	FC_VEC(struct frame) stack;
	struct fc_paged innermost; /* by function: its innermost open call, from 1; 0: none */
};

static void add(struct times *times, uint32_t row, struct fc_within more)
{
	uint32_t number = fc_pairs_number(&times->rows, row);
	if (number > times->sums.nr)
		fc_vec_push(&times->sums, (struct fc_within){ 0 });
	struct fc_within *sum = &times->sums.at[number - 1];
	sum->ticks += more.ticks;
	sum->wait_ticks += more.wait_ticks;
}

/* Take the time of this row away, and return it. */
static struct fc_within take_sum(struct times *times, uint32_t row)
{
	uint32_t number = fc_pairs_find(&times->rows, row);
	if (!number)
		return (struct fc_within){ 0 };
	struct fc_within ret = times->sums.at[number - 1];
	times->sums.at[number - 1] = (struct fc_within){ 0 };
	return ret;
}

static void drop(struct times *times)
{
	fc_pairs_deinit(&times->rows);
	fc_vec_free(&times->sums);
}

/* The smaller one is added to the larger one: each row moves seldom. */
static void move(struct times *into, struct times *from)
{
	if (from->sums.nr > into->sums.nr) {
		struct times swap = *into;
		*into = *from;
		*from = swap;
	}
	for (uint32_t i = 1; i <= from->sums.nr; i++)
		add(into, fc_pair_second(fc_pairs_get(&from->rows, i)), from->sums.at[i - 1]);
	drop(from);
}

void fc_nested_init(struct fc_nested *nested)
{
	*nested = (struct fc_nested){ .strands = { .size = sizeof(struct strand) } };
}

void fc_nested_deinit(struct fc_nested *nested)
{
	struct strand *strand;

	fc_strands_each (&nested->strands, strand) {
		fc_vec_each (&strand->stack, frame)
			drop(&frame->within);
		fc_vec_free(&strand->stack);
		fc_paged_deinit(&strand->innermost);
	}
	fc_strands_deinit(&nested->strands);
}

void fc_nested_enter(struct fc_nested *nested, const struct fc_call *call)
{
	struct strand *strand = fc_strands_make(&nested->strands, call->strand);
	if (!strand)
		return;
	uint32_t *innermost = fc_paged_at(&strand->innermost, call->func);
	fc_vec_push(&strand->stack, (struct frame){ .func = call->func, .outer = *innermost });
	*innermost = (uint32_t)strand->stack.nr;
}

struct fc_within fc_nested_leave(struct fc_nested *nested, const struct fc_call *call,
				 uint32_t row)
{
	struct strand *strand = fc_strands_find(&nested->strands, call->strand);
	if (!strand || !strand->stack.nr)
		return (struct fc_within){ 0 };
	struct frame *frame = &strand->stack.at[--strand->stack.nr];
	struct fc_within ret = take_sum(&frame->within, row);
	*fc_paged_at(&strand->innermost, frame->func) = frame->outer;
	if (!frame->outer) {
		drop(&frame->within);
		return ret;
	}
	struct frame *outer = &strand->stack.at[frame->outer - 1];
	move(&outer->within, &frame->within);
	add(&outer->within, row, (struct fc_within){ fc_call_ticks(call), call->wait_ticks });
	return ret;
}
