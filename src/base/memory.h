/* SPDX-License-Identifier: Apache-2.0 */
/* memory.h - allocation that never returns NULL: out of memory ends fctrace, not the target. */
#ifndef FC_BASE_MEMORY_H
#define FC_BASE_MEMORY_H

#include <stdarg.h>
#include <stddef.h>

void *fc_alloc(size_t size); /* zeroed */
void *fc_realloc(void *p, size_t size);
void *fc_memdup(const void *from, size_t size);
char *fc_strdup(const char *s);
__attribute__((format(printf, 1, 2))) char *fc_asprintf(const char *fmt, ...);
char *fc_vasprintf(const char *fmt, va_list ap);
/* Put more behind *text, which is malloc()ed and moves; NULL is an empty one. */
__attribute__((format(printf, 2, 3))) void fc_append(char **text, const char *fmt, ...);

#endif
