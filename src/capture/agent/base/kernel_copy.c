/* SPDX-License-Identifier: Apache-2.0 */
/* Copies by the kernel, within this process: what faults there is told, and harms nobody. */
#include "capture/agent/base/kernel_copy.h"

#include "capture/agent/base/machine.h"

int peek_words(uint64_t at, uint64_t *ret, int nr)
{
	struct piece to = { (uint64_t)ret, nr * 8ull }, from = { at, nr * 8ull };
	long got = syscall6(NR_process_vm_readv, syscall1(NR_gettid, 0), (long)&to, 1,
			    (long)&from, 1, 0);
	return got > 0 ? (int)(got / 8) : 0;
}

bool peek_word(uint64_t at, uint64_t *ret)
{
	return peek_words(at, ret, 1) == 1;
}

long kernel_copy(long nr, int pid, const struct piece *here, const struct piece *there,
		 uint32_t count)
{
	enum { ESRCH = 3 };
	long got = syscall6(nr, pid, (long)here, count, (long)there, count, 0);
	/* A process whose first thread has ended is none to the kernel; this thread is there. */
	return got != -ESRCH ? got
			     : syscall6(nr, syscall1(NR_gettid, 0), (long)here, count,
					(long)there, count, 0);
}
