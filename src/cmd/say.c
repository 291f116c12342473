/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/say.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "base/printable.h"

void fc_say(const char *fmt, ...)
{
	char line[2048] = "fctrace: ";
	size_t head = sizeof("fctrace: ") - 1, room = sizeof(line) - head - 1;
	va_list ap;

	va_start(ap, fmt);
	int nr = vsnprintf(line + head, room, fmt, ap);
	va_end(ap);
	size_t len = nr < 0 ? 0 : (size_t)nr < room ? (size_t)nr : room - 1;
	/* Names come from anywhere. */
	fc_make_printable(line + head, len);
	line[head + len] = '\n';
	if (write(STDERR_FILENO, line, head + len + 1) < 0)
		return; /* nobody left to tell */
}
