/* SPDX-License-Identifier: Apache-2.0 */
/* progress.c - counts work, and asks now and then whether to give it up. */
#include "base/progress.h"

#include <time.h>

static uint64_t now_ns(void)
{
	struct timespec ts;
	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

/* What is told of may be the wrong one for a moment, if two begin at once. */
void fc_progress_add(struct fc_progress *progress, const char *what, uint64_t amount)
{
	if (!progress)
		return;
	__atomic_fetch_add(&progress->all, amount, __ATOMIC_RELAXED);
	if (amount <= __atomic_load_n(&progress->largest, __ATOMIC_RELAXED))
		return;
	__atomic_store_n(&progress->largest, amount, __ATOMIC_RELAXED);
	__atomic_store_n(&progress->what, what, __ATOMIC_RELAXED);
}

void fc_progress_restart(struct fc_progress *progress, const char *what, uint64_t amount)
{
	if (!progress)
		return;
	__atomic_store_n(&progress->done, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&progress->all, amount, __ATOMIC_RELAXED);
	__atomic_store_n(&progress->largest, amount, __ATOMIC_RELAXED);
	bool is_again = what && what == progress->what;
	__atomic_store_n(&progress->nr_times, is_again ? progress->nr_times + 1 : 1,
			 __ATOMIC_RELAXED);
	__atomic_store_n(&progress->what, what, __ATOMIC_RELAXED);
	__atomic_store_n(&progress->begin_ns, now_ns(), __ATOMIC_RELAXED);
}

static void look(struct fc_progress *progress)
{
	uint64_t now = now_ns();
	if (now < __atomic_load_n(&progress->look_ns, __ATOMIC_RELAXED) ||
	    __atomic_exchange_n(&progress->is_looking, true, __ATOMIC_ACQUIRE))
		return;
	__atomic_store_n(&progress->look_ns, now + FC_PROGRESS_LOOK_NS, __ATOMIC_RELAXED);
	if (progress->look(progress->ctx, progress))
		__atomic_store_n(&progress->is_over, true, __ATOMIC_RELAXED);
	__atomic_store_n(&progress->is_looking, false, __ATOMIC_RELEASE);
}

bool fc_progress_did(struct fc_progress *progress, uint64_t amount)
{
	if (!progress)
		return false;
	__atomic_fetch_add(&progress->done, amount, __ATOMIC_RELAXED);
	if (progress->look && !fc_progress_is_over(progress))
		look(progress);
	return fc_progress_is_over(progress);
}

bool fc_progress_is_over(const struct fc_progress *progress)
{
	return progress && __atomic_load_n(&progress->is_over, __ATOMIC_RELAXED);
}

uint64_t fc_progress_left_ns(const struct fc_progress *progress, uint64_t now_ns)
{
	uint64_t done = __atomic_load_n(&progress->done, __ATOMIC_RELAXED);
	uint64_t all = __atomic_load_n(&progress->all, __ATOMIC_RELAXED);
	if (!done || done >= all || now_ns <= progress->begin_ns)
		return 0;
	return (double)(now_ns - progress->begin_ns) * (all - done) / done;
}
