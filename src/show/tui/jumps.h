/* SPDX-License-Identifier: Apache-2.0 */
/* jumps.h - from one place of the tree to another: by name, time, duration; what it is cut to. */
#ifndef FC_SHOW_TUI_JUMPS_H
#define FC_SHOW_TUI_JUMPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "show/tui/app.h"

void fc_jumps_deinit(struct fc_jumps *jumps);

/* Calls of functions whose names have this text in them, or match it if it is a glob. */
void fc_jump_search(struct fc_app *app, const char *pattern);
void fc_jump_again(struct fc_app *app, bool is_back);
void fc_jump_call_of(struct fc_app *app, uint32_t func, bool is_back);
void fc_jump_gap(struct fc_app *app, bool is_back);
void fc_jump_longest(struct fc_app *app, uint32_t func);
/* The first call of main(), if there is one: what comes before is the loader's. */
void fc_jump_main(struct fc_app *app);
/* The first call that begins then or later. */
void fc_jump_time(struct fc_app *app, uint64_t tsc);

/* Only what lasts into this time; and as it was before. */
void fc_zoom_in(struct fc_app *app, uint64_t from_tsc, uint64_t to_tsc);
void fc_zoom_out(struct fc_app *app);

/* Returns whether there is more to do. */
bool fc_jumps_work(struct fc_app *app, uint64_t mono_ns);
/* Is something on that Esc stops? */
bool fc_jumps_are_busy(const struct fc_app *app);
void fc_jumps_stop(struct fc_app *app);

/* The function of the row that the user is on; 0: none. */
uint32_t fc_app_func(const struct fc_app *app);

/* Does the name have the text in it? */
bool fc_jump_matches(const struct fc_app *app, uint32_t func, const char *pattern);

#endif
