/* SPDX-License-Identifier: Apache-2.0 */
/* tui.h - a trace to be looked at in a terminal. */
#ifndef FC_SHOW_TUI_TUI_H
#define FC_SHOW_TUI_TUI_H

#include "show/tui/opts.h"

/*
 * Until the user leaves. Returns 0; or the number of the signal that ended it. -errno with a
 * sentence: the terminal cannot be used. *missing: what of the trace was found missing, which the
 * reader may not know of; or NULL. The caller frees it.
 */
int fc_tui_run(const struct fc_tui_opts *opts, char **missing);

#endif
