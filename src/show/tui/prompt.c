/* SPDX-License-Identifier: Apache-2.0 */
/* prompt.c - edits a line at the bottom of the screen. */
#include "show/tui/prompt.h"

void fc_prompt_ask(struct fc_prompt *prompt, const char *label,
		   void (*done)(struct fc_app *app, const char *text))
{
	*prompt = (struct fc_prompt){ .label = label, .done = done };
}

static void add(struct fc_prompt *prompt, unsigned c)
{
	char bytes[4];
	size_t nr = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;

	if (prompt->len + nr >= sizeof(prompt->text))
		return;
	for (size_t i = nr; i-- > 1; c >>= 6)
		bytes[i] = (char)(0x80 | (c & 0x3f));
	bytes[0] = (char)(nr == 1 ? c : (0xf00 >> nr & 0xff) | c);
	for (size_t i = 0; i < nr; i++)
		prompt->text[prompt->len++] = bytes[i];
	prompt->text[prompt->len] = 0;
}

static void erase_last(struct fc_prompt *prompt)
{
	while (prompt->len && (prompt->text[prompt->len - 1] & 0xc0) == 0x80)
		prompt->len--;
	prompt->len -= prompt->len > 0;
	prompt->text[prompt->len] = 0;
}

void fc_prompt_key(struct fc_app *app, int key)
{
	struct fc_prompt *prompt = &app->prompt;

	if (key == FC_KEY_ENTER) {
		struct fc_prompt was = *prompt;
		prompt->label = NULL;
		if (was.len)
			was.done(app, was.text);
	} else if (key == FC_KEY_ESCAPE) {
		prompt->label = NULL;
	} else if (key == FC_KEY_BACKSPACE) {
		if (!prompt->len)
			prompt->label = NULL;
		erase_last(prompt);
	} else if (key >= ' ' && key < FC_KEY_UP) {
		add(prompt, (unsigned)key);
	}
}
