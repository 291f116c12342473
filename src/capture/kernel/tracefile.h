/* SPDX-License-Identifier: Apache-2.0 */
/* tracefile.h - one file of tracefs, in a folder there: written to, appended to, read. */
#ifndef FC_CAPTURE_KERNEL_TRACEFILE_H
#define FC_CAPTURE_KERNEL_TRACEFILE_H

#include <stddef.h>

/* -errno with a sentence. What the file holds is replaced, where it is a list; "" leaves it empty. */
int fc_tracefile_write(const char *folder, const char *file, const char *text);
/* The same, and a list keeps what it has. */
int fc_tracefile_append(const char *folder, const char *file, const char *text);
/* All of it, and a zero byte behind it; the caller frees it. NULL: it cannot be read. */
char *fc_tracefile_read(const char *folder, const char *file, size_t *size);
/* The same of its first bytes, up to room with the zero; "" if it cannot be read. */
void fc_tracefile_read_begin(const char *folder, const char *file, char *ret, size_t room);
/* The first line alone. */
void fc_tracefile_read_line(const char *folder, const char *file, char *ret, size_t room);

#endif
