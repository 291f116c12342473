/* SPDX-License-Identifier: Apache-2.0 */
/* versus.c - both traces are read, their functions matched by name, and compared. */
#include "read/diff/versus.h"

#include <stdlib.h>

#include "base/memory.h"

struct fc_versus {
	struct fc_twins *twins;
	struct fc_costs *costs[2];
	struct fc_changes_run runs[2];
	struct fc_changes changes;
};

struct side {
	const struct fc_versus *versus;
	int nr;
};

static uint32_t number_of(void *ctx, uint32_t func)
{
	const struct side *side = ctx;

	return fc_twins_number(side->versus->twins, side->nr, 0, func);
}

static int read_side(struct fc_versus *versus, int nr, struct fc_reader *reader)
{
	const struct fc_report_opts by_function = { 0 };
	struct side side = { versus, nr };
	struct fc_changes_run *run = &versus->runs[nr];
	int err = fc_costs_crunch(reader, &by_function, &versus->costs[nr]);

	if (err)
		return err;
	run->costs = versus->costs[nr];
	fc_costs_settle(run->costs, run->clock, number_of, &side);
	for (uint32_t id = 1; id <= fc_reader_max_func(reader); id++)
		fc_report_add_counted(fc_costs_report(run->costs), id,
				      fc_reader_counted(reader, id));
	return 0;
}

int fc_versus_create(const struct fc_versus_side sides[2], struct fc_versus **ret)
{
	struct fc_versus *versus = fc_alloc(sizeof(*versus));
	struct fc_changes_opts opts = { .runs = { &versus->runs[0], &versus->runs[1] },
					.nr_runs = { 1, 1 } };
	int err = 0;

	versus->twins = fc_twins_create(
		(struct fc_twins_side[2]){ { &sides[0].reader, 1 }, { &sides[1].reader, 1 } });
	for (int i = 0; i < 2 && !err; i++) {
		versus->runs[i].clock = fc_reader_clock(sides[i].reader);
		versus->runs[i].namer = sides[i].namer;
		err = read_side(versus, i, sides[i].reader);
	}
	opts.twins = versus->twins;
	if (!err)
		err = fc_changes_find(&opts, &versus->changes);
	if (err) {
		fc_versus_destroy(versus);
		return err;
	}
	*ret = versus;
	return 0;
}

void fc_versus_destroy(struct fc_versus *versus)
{
	if (!versus)
		return;
	fc_changes_deinit(&versus->changes);
	for (int i = 0; i < 2; i++)
		fc_costs_destroy(versus->costs[i]);
	fc_twins_destroy(versus->twins);
	free(versus);
}

const struct fc_changes *fc_versus_changes(const struct fc_versus *versus)
{
	return &versus->changes;
}
