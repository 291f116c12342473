/* SPDX-License-Identifier: Apache-2.0 */
/* stacked.c - connects an exporter with the sums of stacks. */
#include "show/export/stacked.h"

#include <inttypes.h>

#include "base/memory.h"

static void stacked_life(struct fc_exporter *exporter, const struct fc_life_info *life)
{
	fc_stacks_life(((struct fc_stacked *)exporter)->stacks, life);
}

void fc_stacked_init(struct fc_stacked *stacked, const struct fc_export_opts *opts)
{
	struct fc_stacks_opts stacks_opts = { .max_nodes = FC_STACKS_NODES,
					      .max_levels = FC_STACKS_LEVELS,
					      .by_thread = opts->by_thread };

	stacked->stacks = fc_stacks_create(&stacks_opts);
	fc_summed_init(&stacked->summed, fc_stacks_sink(stacked->stacks));
	stacked->summed.exporter.life = stacked_life;
	stacked->summed.exporter.earlier = stacked_life;
}

void fc_stacked_deinit(struct fc_stacked *stacked)
{
	fc_stacks_destroy(stacked->stacks);
	fc_summed_deinit(&stacked->summed);
}

void fc_stacked_note(struct fc_stacked *stacked)
{
	uint64_t nr_other = fc_graph_nr_beyond(fc_stacks_graph(stacked->stacks));

	if (!nr_other)
		return;
	stacked->summed.note =
		fc_asprintf("there are more than %u stacks: %" PRIu64 " calls on others are "
			    "summed by function, below [other]; -F FUNC looks at fewer",
			    FC_STACKS_NODES, nr_other);
}
