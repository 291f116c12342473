/* SPDX-License-Identifier: Apache-2.0 */
/* print_changes.h - shows what became of each function: the first part of `diff`. */
#ifndef FC_CMD_VIEW_PRINT_CHANGES_H
#define FC_CMD_VIEW_PRINT_CHANGES_H

#include <stdio.h>

#include "cmd/options/options.h"
#include "cmd/out/json.h"
#include "read/diff/changes.h"

/* Are there percentiles among what is shown? */
bool fc_changes_need_hist(const struct fc_settings *settings);

/* Is this module one of -m's, or was none asked for? */
bool fc_changes_are_of_module(const struct fc_settings *settings, const char *module);

/* As settings say (-n -m --min --all -f). Each returns how many functions changed. */
size_t fc_changes_print(FILE *out, const struct fc_settings *settings,
			const struct fc_changes *changes);
size_t fc_changes_csv(FILE *out, const struct fc_settings *settings,
		      const struct fc_changes *changes);
size_t fc_changes_json(struct fc_json *json, const struct fc_settings *settings,
		       const struct fc_changes *changes);

#endif
