/* SPDX-License-Identifier: Apache-2.0 */
/*
 * guard.h - files that are mapped to be read, and may become shorter meanwhile.
 *
 * Where the file is gone, zeros are read: who reads is not killed by SIGBUS. Behind the file there
 * is a page of zeros, so that every text in it ends.
 */
#ifndef FC_BASE_GUARD_H
#define FC_BASE_GUARD_H

#include <stdbool.h>
#include <stddef.h>

/* size bytes of fd, from its start, at most; NULL with errno. Of 0 bytes it is the zeros. */
void *fc_guard_map(int fd, size_t size);
/* The same, of no file: zeros, of which the caller opens what it fills, and seals all then. */
void *fc_guard_make(size_t size);
int fc_guard_open(void *at, size_t off, size_t size); /* -errno */
void fc_guard_seal(void *at, size_t size);
void fc_guard_unmap(void *at, size_t size);

/* Were there bytes that could not be read? */
bool fc_guard_is_torn(const void *at);

/* For handlers of SIGBUS: true if it came from such a file, and may go on. */
bool fc_guard_mend(const void *fault);

/* In threads that take no signals: but for this one, which is their own. */
void fc_guard_unblock(void);

#endif
