/* SPDX-License-Identifier: Apache-2.0 */
/* replaying.h - from call to call in order of time, by itself. */
#ifndef FC_SHOW_TUI_REPLAYING_H
#define FC_SHOW_TUI_REPLAYING_H

#include "show/tui/app.h"

/* From the call that the user is on; what was on before is over. */
void fc_replaying_start(struct fc_app *app);
void fc_replaying_stop(struct fc_app *app);

/* False: the key is not for it. */
bool fc_replaying_key(struct fc_app *app, int key);
/* The next call, if its time has come. */
void fc_replaying_work(struct fc_app *app);
/* Until then there is nothing to do; -1: for ever. */
int fc_replaying_wait_ms(const struct fc_app *app);

#endif
