/* SPDX-License-Identifier: Apache-2.0 */
/*
 * top_screen.h - fctrace top on a terminal (terminal.h): draws frames, reads keys. One thread
 * only.
 */
#ifndef FC_CMD_VIEW_TOP_SCREEN_H
#define FC_CMD_VIEW_TOP_SCREEN_H

#include <stdbool.h>

#include "cmd/view/top_frame.h"

struct fc_top_screen;

/* what: is watched, for the head. NULL with a sentence. */
struct fc_top_screen *fc_top_screen_create(const struct fc_top_settings *settings,
					   const char *what, bool has_times);
/* The terminal is as it was. */
void fc_top_screen_destroy(struct fc_top_screen *screen);

/* Show this frame from now on, unless the screen is paused. The screen owns it. */
void fc_top_screen_give(struct fc_top_screen *screen, struct fc_top_frame *frame);
/* The newest that it was given, also while it is paused; NULL: none. It stays the screen's. */
struct fc_top_frame *fc_top_screen_last(const struct fc_top_screen *screen);
/* How it is sorted now, and what it shows. */
enum fc_top_key fc_top_screen_key(const struct fc_top_screen *screen);
bool fc_top_screen_is_by_thread(const struct fc_top_screen *screen);

/* Draw, and wait for a key a short while. note: last line, or "". False: no more is wanted. */
bool fc_top_screen_run(struct fc_top_screen *screen, const char *note);

#endif
