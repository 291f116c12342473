/* SPDX-License-Identifier: Apache-2.0 */
/* What only the kernel tells of threads. */
#include "capture/agent/base/thread.h"

#include "capture/agent/base/kernel_copy.h"

uint64_t thread_asked(void)
{
	uint64_t base = ask_thread(), word;
	uint32_t unknown = FCA_WORD_UNKNOWN;
	if (base && !agent_config.thread_word && peek_word(base, &word) && word == base)
		__atomic_compare_exchange_n(&agent_config.thread_word, &unknown,
					    FCA_WORD_READABLE, 0, __ATOMIC_RELAXED,
					    __ATOMIC_RELAXED);
	return base;
}

bool thread_is_there(int pid, int tid)
{
	enum { ESRCH = 3 };
	return tid > 0 && syscall3(NR_tgkill, pid, tid, 0) != -ESRCH;
}
