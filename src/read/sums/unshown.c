/* SPDX-License-Identifier: Apache-2.0 */
/* unshown.c - computes for how long each function was counted or unhooked. */
#include "read/sums/unshown.h"

#include <stdlib.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/order.h"
#include "base/vec.h"

struct state {
	struct fc_unshown unshown;
	uint64_t last_ns;
};

static void pass(struct state *state, uint64_t now_ns)
{
	uint64_t ns = now_ns > state->last_ns ? now_ns - state->last_ns : 0;
	if (state->unshown.state == FC_HOOK_COUNTED)
		state->unshown.count_ns += ns;
	else if (state->unshown.state == FC_HOOK_OUT)
		state->unshown.out_ns += ns;
	state->last_ns = now_ns;
}

static void change_state(struct state *state, const struct fc_hook_info *hook, uint64_t now_ns)
{
	pass(state, now_ns);
	if (!state->unshown.nr_changes++)
		state->unshown.since_ns = now_ns;
	state->unshown.state = hook->state;
}

static int most_first(const void *a, const void *b)
{
	const struct fc_unshown *x = a, *y = b;
	return fc_order(y->counted, x->counted) ?:
	       fc_order(y->out_ns, x->out_ns) ?:
	       fc_order(x->func, y->func);
}

size_t fc_unshown_find(struct fc_reader *reader, struct fc_unshown **ret)
{
	const struct fc_clock *clock = fc_reader_clock(reader);
	size_t nr_funcs = (size_t)fc_reader_max_func(reader) + 1;
	fc_auto_free struct state *states = fc_alloc(nr_funcs * sizeof(*states));
	FC_VEC(struct fc_unshown) found = { 0 };
	uint64_t duration_ns = fc_reader_duration_ns(reader);
	for (size_t i = 0; i < fc_reader_nr_hooks(reader); i++) {
		const struct fc_hook_info *hook = fc_reader_hook(reader, i);
		if (hook->func < nr_funcs)
			change_state(&states[hook->func], hook, fc_clock_ns(clock, hook->tsc));
	}
	for (uint32_t func = 1; func < nr_funcs; func++) {
		struct state *state = &states[func];
		state->unshown.func = func;
		state->unshown.counted = fc_reader_counted(reader, func);
		pass(state, duration_ns);
		if (state->unshown.nr_changes || state->unshown.counted)
			fc_vec_push(&found, state->unshown);
	}
	fc_vec_sort(&found, most_first);
	*ret = found.at;
	return found.nr;
}
