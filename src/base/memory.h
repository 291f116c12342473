/* SPDX-License-Identifier: Apache-2.0 */
/* memory.h - allocation that never returns NULL: out of memory ends fctrace, not the target. */
#ifndef FC_BASE_MEMORY_H
#define FC_BASE_MEMORY_H

#include <stddef.h>

void *fc_alloc(size_t size); /* zeroed */
void *fc_realloc(void *p, size_t size);
void *fc_memdup(const void *from, size_t size);
char *fc_strdup(const char *s);
__attribute__((format(printf, 1, 2))) char *fc_asprintf(const char *fmt, ...);

#endif
