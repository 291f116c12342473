/* SPDX-License-Identifier: Apache-2.0 */
/* step_values.h - what the call of a step was given and returned, as text. */
#ifndef FC_SHOW_TUI_STEP_VALUES_H
#define FC_SHOW_TUI_STEP_VALUES_H

#include "show/tui/walk.h"
#include "values/recorded.h"

struct fc_step_text {
	char *args;   /* as between the parentheses; NULL: not known */
	char *result; /* as behind the "="; NULL: not known, or none */
};

struct fc_step_values;
/* values: what they mean. */
struct fc_step_values *fc_step_values_create(struct fc_reader *reader,
					     const struct fc_values *values);
void fc_step_values_destroy(struct fc_step_values *values);

/* Its packets are read for it. Nothing is told of a run, which is of many calls. */
struct fc_step_text fc_step_values_tell(struct fc_step_values *values,
					const struct fc_step *step);
void fc_step_text_deinit(struct fc_step_text *text);

#endif
