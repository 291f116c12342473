/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sums.h - the errands of what is looked at: of the thread and the part of the time that are chosen.
 *
 * Those of the whole time are kept while a part is looked at: they may have taken long.
 */
#ifndef FC_SHOW_TUI_SUMS_H
#define FC_SHOW_TUI_SUMS_H

#include "show/tui/app.h"

/* Started if need be. It is there until the next call with another thread or part chosen. */
struct fc_errand *fc_sums_of(struct fc_app *app, enum fc_errand_kind kind);
/* Another thread was chosen. */
void fc_sums_drop(struct fc_app *app);
/* Waits for all that are stopped. */
void fc_sums_deinit(struct fc_app *app);

#endif
