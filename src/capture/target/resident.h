/* SPDX-License-Identifier: Apache-2.0 */
/* resident.h - the pages of a range that were ever written: a large one may have few. */
#ifndef FC_CAPTURE_TARGET_RESIDENT_H
#define FC_CAPTURE_TARGET_RESIDENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * fn sees the words from start to end that are in memory or swapped out, a run of them at a
 * time, until it returns false. start and end are page-aligned.
 */
void fc_resident_each(int pid, int mem_fd, uint64_t start, uint64_t end,
		      bool (*fn)(void *ctx, uint64_t taddr, const uint64_t *words, size_t nr),
		      void *ctx);

/* The same of all that can be read, whether it was ever written or not. */
void fc_memory_each(int mem_fd, uint64_t start, uint64_t end,
		    bool (*fn)(void *ctx, uint64_t taddr, const uint64_t *words, size_t nr),
		    void *ctx);

/*
 * How many of these pages, of a file's private mapping, are copies of the process' own, in memory
 * or swapped out: those that were written to. UINT64_MAX: the kernel does not tell.
 */
uint64_t fc_resident_own(int pid, uint64_t start, uint64_t end);

#endif
