/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernel_copy.h - memory that may not be there, copied by the kernel, which tells what cannot be read. Not in
 * quiet: these are system calls.
 */
#ifndef FC_CAPTURE_AGENT_BASE_KERNEL_COPY_H
#define FC_CAPTURE_AGENT_BASE_KERNEL_COPY_H

#include <stdbool.h>
#include <stdint.h>

/* A piece of memory: the kernel's struct iovec. */
struct piece {
	uint64_t at, size; /* in bytes */
};

/* A word. False: it is not there. */
bool peek_word(uint64_t at, uint64_t *ret);
/* nr words. Returns how many of them, from the first on, could be read. */
int peek_words(uint64_t at, uint64_t *ret, int nr);
/* process_vm_readv() or _writev() of count pieces; pid: this process. Returns bytes, or a negative errno. */
long kernel_copy(long nr, int pid, const struct piece *here, const struct piece *there,
		 uint32_t count);

#endif
