/* SPDX-License-Identifier: Apache-2.0 */
/* target_text.c - page by page, as the one behind a text may not be there. */
#include "capture/target/target_text.h"

#include <string.h>
#include <sys/uio.h>

#include "arch/arch.h"

bool fc_target_text(int tid, uint64_t taddr, char *ret, size_t size)
{
	size_t done = 0, most = size - 1;
	while (done < most) {
		uint64_t at = taddr + done,
			 left = fc_page_down(at) + fc_arch_here->page_size - at;
		size_t nr = most - done < left ? most - done : left;
		struct iovec to = { ret + done, nr }, from = { (void *)(uintptr_t)at, nr };
		if (process_vm_readv(tid, &to, 1, &from, 1, 0) != (ssize_t)nr)
			return false;
		if (memchr(ret + done, 0, nr))
			return true;
		done += nr;
	}
	ret[most] = 0;
	return true;
}
