/* SPDX-License-Identifier: Apache-2.0 */
/* prompt.h - a line that the user types. */
#ifndef FC_SHOW_TUI_PROMPT_H
#define FC_SHOW_TUI_PROMPT_H

#include "show/tui/app.h"

void fc_prompt_ask(struct fc_prompt *prompt, const char *label,
		   void (*done)(struct fc_app *app, const char *text));
/* Whatever is typed is for the prompt. */
void fc_prompt_key(struct fc_app *app, int key);

#endif
