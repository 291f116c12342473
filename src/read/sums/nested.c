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
	FC_VEC(uint64_t) ticks; /* by number of the row, from 0 */
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

static void add(struct times *times, uint32_t row, uint64_t ticks)
{
	uint32_t number = fc_pairs_number(&times->rows, row);
	if (number > times->ticks.nr)
		fc_vec_push(&times->ticks, 0);
	times->ticks.at[number - 1] += ticks;
}

/* Take the time of this row away, and return it. */
static uint64_t take_ticks(struct times *times, uint32_t row)
{
	uint32_t number = fc_pairs_find(&times->rows, row);
	uint64_t ret = number ? times->ticks.at[number - 1] : 0;
	if (number)
		times->ticks.at[number - 1] = 0;
	return ret;
}

static void drop(struct times *times)
{
	fc_pairs_deinit(&times->rows);
	fc_vec_free(&times->ticks);
}

/* The smaller one is added to the larger one: each row moves seldom. */
static void move(struct times *into, struct times *from)
{
	if (from->ticks.nr > into->ticks.nr) {
		struct times swap = *into;
		*into = *from;
		*from = swap;
	}
	for (uint32_t i = 1; i <= from->ticks.nr; i++)
		add(into, fc_pair_second(fc_pairs_get(&from->rows, i)), from->ticks.at[i - 1]);
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

uint64_t fc_nested_leave(struct fc_nested *nested, const struct fc_call *call, uint32_t row)
{
	struct strand *strand = fc_strands_find(&nested->strands, call->strand);
	if (!strand || !strand->stack.nr)
		return 0;
	struct frame *frame = &strand->stack.at[--strand->stack.nr];
	uint64_t ret = take_ticks(&frame->within, row);
	*fc_paged_at(&strand->innermost, frame->func) = frame->outer;
	if (!frame->outer) {
		drop(&frame->within);
		return ret;
	}
	struct frame *outer = &strand->stack.at[frame->outer - 1];
	move(&outer->within, &frame->within);
	add(&outer->within, row, fc_call_ticks(call));
	return ret;
}
