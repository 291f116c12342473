/* SPDX-License-Identifier: Apache-2.0 */
/* shared_options.h - the options that several commands have. */
#ifndef FC_CMD_OPTIONS_SHARED_OPTIONS_H
#define FC_CMD_OPTIONS_SHARED_OPTIONS_H

#include "cmd/options/kernel_options.h"
#include "cmd/options/option.h"
#include "cmd/options/pids.h"

/* Groups that several commands share. */
#define FC_OPTIONS_FILTER &fc_option_only, &fc_option_except, &fc_option_depth, &fc_option_time
#define FC_OPTIONS_CALLS                                                                       \
	&fc_option_only, &fc_option_leading, &fc_option_except, &fc_option_depth,              \
		&fc_option_time
/* How text is shown. */
#define FC_OPTIONS_TEXT &fc_option_color, &fc_option_no_pager
/* The options that choose a part of a trace. */
#define FC_OPTIONS_PART                                                                        \
	FC_OPTIONS_CALLS, &fc_option_only_modules, &fc_option_range, &fc_option_around,        \
		&fc_option_pid, &fc_option_tid
#define FC_OPTIONS_TRACE                                                                       \
	&fc_option_pids, &fc_option_for, FC_OPTIONS_CALLS, &fc_option_modules,                 \
		&fc_option_libs, &fc_option_no_follow, &fc_option_budget, &fc_option_loss,     \
		&fc_option_ring, &fc_option_off, &fc_option_on, &fc_option_off_at,             \
		&fc_option_dry_run, &fc_option_no_cache, &fc_option_perf_map,                  \
		&fc_option_backend

extern const struct fc_option fc_option_only, fc_option_except, fc_option_depth, fc_option_time,
	fc_option_modules, fc_option_for, fc_option_libs, fc_option_no_follow,
	fc_option_no_cache, fc_option_perf_map, fc_option_off, fc_option_on, fc_option_off_at,
	fc_option_loss, fc_option_dump_on, fc_option_ring, fc_option_backend, fc_option_budget,
	fc_option_dry_run, fc_option_trace_file, fc_option_rows, fc_option_tid, fc_option_json,
	fc_option_color, fc_option_no_pager, fc_option_range, fc_option_around, fc_option_pid,
	fc_option_help, fc_option_leading, fc_option_only_modules, fc_option_than;

int fc_put_budget(const struct fc_option *option, void *at, const char *arg);

#endif
