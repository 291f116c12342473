/* SPDX-License-Identifier: Apache-2.0 */
/* diff_options.h - the options that only `fctrace diff` has. */
#ifndef FC_CMD_OPTIONS_DIFF_OPTIONS_H
#define FC_CMD_OPTIONS_DIFF_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fc_diff_settings {
	const char *sort;     /* -s */
	const char *fields;   /* -f */
	char **modules;	      /* -m */
	uint64_t min_ns;      /* --min */
	bool all;	      /* --all */
	bool functions, flow; /* only this part */
	bool csv;
	bool has_context, has_places, has_lines;
	size_t context, places, lines; /* --context, --changes, --lines; 0 is not the default */
	uint64_t memory;	       /* --memory: bytes; 0: default */
};

#define FC_DIFF_CONTEXT 2
#define FC_DIFF_PLACES	100
#define FC_DIFF_LINES	20
#define FC_DIFF_MEMORY	(512ull << 20)

extern const struct fc_option fc_option_diff_sort, fc_option_diff_fields,
	fc_option_diff_modules, fc_option_diff_min, fc_option_diff_all,
	fc_option_diff_functions, fc_option_diff_flow, fc_option_diff_csv,
	fc_option_diff_context, fc_option_diff_places, fc_option_diff_lines,
	fc_option_diff_memory;

/* -f: is this a list of fields? -EINVAL with a sentence: changes.c's. */
int fc_diff_check_fields(const char *fields);

#endif
