/* SPDX-License-Identifier: Apache-2.0 */
/* tui.h - a trace to be looked at in a terminal. */
#ifndef FC_TUI_TUI_H
#define FC_TUI_TUI_H

#include "analyze/names.h"
#include "trace/reader.h"

struct fc_tui_opts {
	struct fc_reader *reader;
	struct fc_namer namer; /* any thread may ask it */
	const char *path;      /* of the trace */
};

/*
 * Until the user leaves. Returns 0; or the number of the signal that ended it. -errno with a
 * sentence: the terminal cannot be used.
 */
int fc_tui_run(const struct fc_tui_opts *opts);

#endif
