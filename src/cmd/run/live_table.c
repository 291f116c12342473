/* SPDX-License-Identifier: Apache-2.0 */
/* live_table.c - the sums of a program's calls, for when it is over. */
#include "cmd/run/live_private.h"
#include "read/sums/report.h"

struct live_table {
	struct fc_live live;
	struct fc_report *report;
	struct fc_edge_table *edges;
	FC_VEC(uint64_t) counted; /* calls that were told to have been counted, by function */
};

static struct live_table *table_of(struct fc_live *live)
{
	return (struct live_table *)live;
}

static int table_counts(struct fc_tap *tap, uint64_t tsc, const uint64_t *calls, uint32_t nr)
{
	struct live_table *table = (struct live_table *)tap;

	for (uint32_t func = 1; func < nr; func++) {
		uint64_t *counted = fc_vec_make(&table->counted, func);
		if (calls[func] <= *counted)
			continue;
		fc_report_add_counted(table->report, func, calls[func] - *counted);
		*counted = calls[func];
	}
	return 0;
}

static int table_edges(struct fc_tap *tap, const struct fc_edge *edges, size_t nr,
		       uint64_t nr_lost)
{
	fc_edge_table_add(((struct live_table *)tap)->edges, edges, nr, nr_lost);
	return 0;
}

static void table_deinit(struct fc_live *live)
{
	struct live_table *table = table_of(live);

	fc_report_destroy(table->report);
	fc_edge_table_destroy(table->edges);
	fc_vec_free(&table->counted);
}

struct fc_live *fc_live_table(const struct fc_settings *settings)
{
	static const struct fc_live_show show = { .deinit = table_deinit };
	struct fc_live *live = fc_live_create(settings, &show, sizeof(struct live_table));
	struct live_table *table = table_of(live);

	live->tap.counts = table_counts;
	live->tap.edges = table_edges;
	table->report =
		fc_report_create_as(&(struct fc_report_opts){ .off_funcs = &live->off_funcs });
	table->edges = fc_edge_table_create();
	fc_live_connect(live, settings, fc_report_sink(table->report));
	return live;
}

const struct fc_report *fc_live_report(const struct fc_live *live)
{
	return ((const struct live_table *)live)->report;
}

struct fc_edge_table *fc_live_edges(const struct fc_live *live)
{
	return ((const struct live_table *)live)->edges;
}
