/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *checked(void *p)
{
	if (!p) {
		fputs("fctrace: out of memory\n", stderr);
		abort();
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

char *fc_asprintf(const char *fmt, ...)
{
	char *s = NULL;
	va_list ap;
	va_start(ap, fmt);
	if (vasprintf(&s, fmt, ap) < 0)
		s = NULL;
	va_end(ap);
	return checked(s);
}
