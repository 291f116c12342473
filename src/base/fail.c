/* SPDX-License-Identifier: Apache-2.0 */
/* fail.c - stores a thread's last sentence. */
#include "base/fail.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static __thread char sentence[1024];

int fc_fail(int err, const char *fmt, ...)
{
	char text[sizeof(sentence)]; /* an argument may be the old sentence */
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	memcpy(sentence, text, sizeof(sentence));
	return -err;
}

int fc_fail_at(const char *text, const char *at, const char *fmt, va_list ap)
{
	char why[sizeof(sentence)];
	vsnprintf(why, sizeof(why), fmt, ap);
	return fc_fail(EINVAL, "%s: column %td: %s", text, at - text + 1, why);
}

int fc_fail_while(int ret, const char *fmt, ...)
{
	char tail[sizeof(sentence)];
	memcpy(tail, sentence, sizeof(tail));

	va_list ap;
	va_start(ap, fmt);
	int n = vsnprintf(sentence, sizeof(sentence), fmt, ap);
	va_end(ap);
	size_t used = n < 0 ? 0 : strlen(sentence);
	strncat(sentence, ": ", sizeof(sentence) - 1 - used);
	strncat(sentence, tail[0] ? tail : strerror(-ret),
		sizeof(sentence) - 1 - strlen(sentence));
	return ret;
}

const char *fc_fail_text(void)
{
	return sentence;
}

void fc_fail_clear(void)
{
	sentence[0] = 0;
}
