/* SPDX-License-Identifier: Apache-2.0 */
/* top_options.h - what `fctrace top` alone is asked for. */
#ifndef FC_CMD_OPTIONS_TOP_OPTIONS_H
#define FC_CMD_OPTIONS_TOP_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fc_top_key {
	FC_TOP_BY_SELF = 0,
	FC_TOP_BY_CALLS,
	FC_TOP_BY_TOTAL,
	FC_TOP_BY_AVG,
	FC_TOP_BY_MAX,
	FC_TOP_BY_NAME,
	FC_TOP_NR_KEYS,
};

struct fc_top_settings {
	uint64_t interval_ns; /* -d; 0: the default */
	size_t nr_intervals;  /* 0: until the end */
	size_t nr_rows;	      /* --rows; 0: the default */
	enum fc_top_key key;
	bool has_key;
	bool is_batch;
	bool by_thread;
};

struct fc_option;
extern const struct fc_option fc_option_top_interval, fc_option_top_intervals,
	fc_option_top_rows, fc_option_top_sort, fc_option_top_batch, fc_option_top_threads,
	fc_option_top_no_time, fc_option_top_json, fc_option_top_output, fc_option_top_budget;

#define FC_OPTIONS_TOP                                                                         \
	&fc_option_top_interval, &fc_option_top_intervals, &fc_option_top_sort,                \
		&fc_option_top_threads, &fc_option_top_batch, &fc_option_top_rows,             \
		&fc_option_top_json, &fc_option_top_output, &fc_option_top_no_time,            \
		&fc_option_top_budget

/* As -s and the screen call it. */
const char *fc_top_key_name(enum fc_top_key key);

#endif
