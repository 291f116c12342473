/* SPDX-License-Identifier: Apache-2.0 */
/* memory.c - allocates, or prints a sentence and exits. */
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FAILED = 125 }; /* as of cmd/, where fctrace itself fails */

static void *checked(void *p)
{
	if (!p) {
		fputs("fctrace: out of memory; is it limited (ulimit -v, ulimit -d)?\n",
		      stderr);
		_exit(FAILED);
	}
	return p;
}

void *fc_alloc(size_t size)
{
	return checked(calloc(1, size ? size : 1));
}

void *fc_realloc(void *p, size_t size)
{
	return checked(realloc(p, size ? size : 1));
}

void *fc_memdup(const void *from, size_t size)
{
	void *ret = fc_alloc(size);
	return size ? memcpy(ret, from, size) : ret;
}

char *fc_strdup(const char *s)
{
	return checked(strdup(s));
}

char *fc_vasprintf(const char *fmt, va_list ap)
{
	char *s = NULL;
	return checked(vasprintf(&s, fmt, ap) < 0 ? NULL : s);
}

char *fc_asprintf(const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	char *s = fc_vasprintf(fmt, ap);
	va_end(ap);
	return s;
}

void fc_append(char **text, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	char *more = fc_vasprintf(fmt, ap), *before = *text;
	va_end(ap);
	*text = fc_asprintf("%s%s", before ? before : "", more);
	free(before);
	free(more);
}
