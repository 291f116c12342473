/* SPDX-License-Identifier: Apache-2.0 */
/*
 * live.h - taps that show a program's calls: as a tree while it runs, or as a table when it
 * is over.
 *
 *	records -> merge by time -> calls -> filter -> tree -> lines, many in one write()
 *	                                            -> report, printed at the end
 *	                                            -> rates, an interval after the other
 *
 * Lines are written by the thread that drains the rings: while the terminal is slow nothing
 * is drained, the rings fill, and the program waits (or drops records, with --loss=drop).
 */
#ifndef FC_CMD_RUN_LIVE_H
#define FC_CMD_RUN_LIVE_H

#include "cmd/options/options.h"
#include "cmd/view/print_edges.h"
#include "read/sums/rates.h"

struct fc_live;

/* A tree on fd, or nothing but the sums. settings must outlive it. */
struct fc_live *fc_live_tree(const struct fc_settings *settings, int fd);
struct fc_live *fc_live_table(const struct fc_settings *settings);
/*
 * Or what functions did in each interval, which ends where counts are told (struct
 * fc_user_opts.tell_ns). taken() is called by the draining thread, and by fc_live_finish(); the
 * view becomes its own.
 */
typedef void (*fc_live_taken)(void *ctx, struct fc_rates_view *view);
struct fc_live *fc_live_rates(const struct fc_settings *settings, fc_live_taken taken,
			      void *ctx);
void fc_live_destroy(struct fc_live *live);
struct fc_tap *fc_live_tap(struct fc_live *live);

/* The program is over: show what is held. 0, or the -errno that ended the output early. */
int fc_live_finish(struct fc_live *live);

/* NULL: all calls are shown. */
const struct fc_filter *fc_live_filter(const struct fc_live *live);

/* For the table, after the finish; names and clock: for who is called by taken(), too. */
const struct fc_report *fc_live_report(const struct fc_live *live);
struct fc_edge_table *fc_live_edges(const struct fc_live *live);
struct fc_namer fc_live_namer(const struct fc_live *live);
const struct fc_clock *fc_live_clock(const struct fc_live *live);

#endif
