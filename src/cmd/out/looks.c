/* SPDX-License-Identifier: Apache-2.0 */
/* looks.c - looks at stdout, and writes tones. */
#include "cmd/out/looks.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static struct {
	int width;
	bool has_colors;
} looks;

bool fc_looks_want_colors(uint32_t when, int fd)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

	if (when != FC_WHEN_AUTO)
		return when == FC_WHEN_ALWAYS;
	return isatty(fd) && !(no_color && *no_color) && term && strcmp(term, "dumb") != 0;
}

void fc_looks_begin(uint32_t when)
{
	struct winsize size;
	bool has_size = isatty(STDOUT_FILENO) && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);

	looks.width = has_size ? size.ws_col : 0;
	looks.has_colors = fc_looks_want_colors(when, STDOUT_FILENO);
}

int fc_looks_width(void)
{
	return looks.width;
}

void fc_put_tone(FILE *out, enum fc_tone tone)
{
	if (looks.has_colors)
		fputs(fc_tone_text[tone], out);
}
