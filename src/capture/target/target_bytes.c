/* SPDX-License-Identifier: Apache-2.0 */
/* target_bytes.c - all at once, and where that fails page by page. */
#include "capture/target/target_bytes.h"

#include <sys/uio.h>

#include "arch/arch.h"

static size_t copy(int tid, uint64_t taddr, char *ret, size_t size)
{
	struct iovec to = { ret, size }, from = { (void *)(uintptr_t)taddr, size };
	ssize_t got = process_vm_readv(tid, &to, 1, &from, 1, 0);
	return got > 0 ? (size_t)got : 0;
}

size_t fc_target_bytes(int tid, uint64_t taddr, void *ret, size_t size)
{
	size_t done = 0;
	if (copy(tid, taddr, ret, size) == size)
		return size;
	while (done < size) {
		uint64_t at = taddr + done,
			 left = fc_page_down(at) + fc_arch_here->page_size - at;
		size_t nr = size - done < left ? size - done : left;
		if (copy(tid, at, (char *)ret + done, nr) != nr)
			break;
		done += nr;
	}
	return done;
}
