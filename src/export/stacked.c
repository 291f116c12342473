/* SPDX-License-Identifier: Apache-2.0 */
#include "export/stacked.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/memory.h"

static struct fc_stacked *stacked_of(struct fc_call_sink *sink)
{
	return (struct fc_stacked *)sink;
}

static void stacked_enter(struct fc_call_sink *sink, const struct fc_call *call)
{
	struct fc_call_sink *inner = fc_stacks_sink(stacked_of(sink)->stacks);

	inner->enter(inner, call);
}

static void stacked_leave(struct fc_call_sink *sink, const struct fc_call *call)
{
	struct fc_call_sink *inner = fc_stacks_sink(stacked_of(sink)->stacks);

	inner->leave(inner, call);
}

static void stacked_event(struct fc_call_sink *sink, const struct fc_event *event)
{
}

static void stacked_finish(struct fc_call_sink *sink)
{
	struct fc_stacked *stacked = stacked_of(sink);
	struct fc_call_sink *inner = fc_stacks_sink(stacked->stacks);

	inner->finish(inner);
	uint64_t nr_other = fc_stacks_nr_other(stacked->stacks);
	if (nr_other)
		stacked->note = fc_asprintf("there are more than %u stacks: %" PRIu64
					    " calls on others are summed by function, below "
					    "[other]; -F FUNC looks at fewer",
					    FC_STACKS_NODES, nr_other);
}

static void stacked_life(struct fc_exporter *exporter, const struct fc_life_info *life)
{
	fc_stacks_life(stacked_of(&exporter->sink)->stacks, life);
}

static const char *stacked_note(const struct fc_exporter *exporter)
{
	return ((const struct fc_stacked *)exporter)->note;
}

void fc_stacked_init(struct fc_stacked *stacked, const struct fc_export_opts *opts)
{
	struct fc_stacks_opts stacks_opts = { .max_nodes = FC_STACKS_NODES,
					      .max_levels = FC_STACKS_LEVELS,
					      .by_thread = opts->by_thread };

	stacked->exporter = (struct fc_exporter){
		.sink = { stacked_enter, stacked_leave, stacked_event, stacked_finish },
		.life = stacked_life,
		.note = stacked_note,
	};
	stacked->stacks = fc_stacks_create(&stacks_opts);
}

void fc_stacked_deinit(struct fc_stacked *stacked)
{
	fc_stacks_destroy(stacked->stacks);
	free(stacked->note);
}
