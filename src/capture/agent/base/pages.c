/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies of pages that do not change: of loaded files, where these may not be written. The kernel
 * copies a page once; from then on it is read here, as nobody takes a copy away.
 *
 *   0 -> page | BUSY -> page | VALID -> 0       who makes a copy has its place until then
 *            page | BUSY | STALE -> 0           what was being copied counts no more
 */
#include "capture/agent/base/pages.h"

#include <stddef.h>

#include "capture/agent/base/config.h"
#include "capture/agent/base/kernel_copy.h"
#include "capture/agent/base/machine.h"

enum { NR_PAGES = 256, VALID = 1, BUSY = 2, STALE = 4 };

static uint64_t tags[NR_PAGES];
static __attribute__((aligned(FCA_PAGE))) uint8_t copies[NR_PAGES][FCA_PAGE];

static uint32_t place_of(uint64_t address)
{
	return address / FCA_PAGE % NR_PAGES;
}

static bool change(uint64_t *tag, uint64_t from, uint64_t to)
{
	return __atomic_compare_exchange_n(tag, &from, to, false, __ATOMIC_SEQ_CST,
					   __ATOMIC_SEQ_CST);
}

/* Is it of a loaded file, and not to be written? While the controller tells that anew: no. */
static bool is_fixed(uint64_t page)
{
	const struct fca_config *config = &agent_config;
	uint32_t turn = __atomic_load_n(&config->fixed_turn, __ATOMIC_SEQ_CST);
	uint32_t lo = 0, hi = __atomic_load_n(&config->nr_fixed, __ATOMIC_SEQ_CST);
	hi = hi < FCA_MAX_FIXED ? hi : FCA_MAX_FIXED;
	while (lo < hi) {
		uint32_t mid = (lo + hi) / 2;
		if (config->fixed[mid].hi <= page)
			lo = mid + 1;
		else
			hi = mid;
	}
	bool is_within = lo < FCA_MAX_FIXED && config->fixed[lo].lo <= page &&
			 page < config->fixed[lo].hi &&
			 lo < __atomic_load_n(&config->nr_fixed, __ATOMIC_SEQ_CST);
	return is_within && !(turn & 1) &&
	       turn == __atomic_load_n(&config->fixed_turn, __ATOMIC_SEQ_CST);
}

/* False: it is not to be had, or another makes a copy that has the same place. */
static bool make_copy(int pid, uint64_t page)
{
	struct piece to = { (uint64_t)copies[place_of(page)], FCA_PAGE };
	struct piece from = { page, FCA_PAGE };
	uint64_t *tag = &tags[place_of(page)];
	uint64_t old = __atomic_load_n(tag, __ATOMIC_RELAXED);
	if (old & BUSY || agent_config.is_quiet || !is_fixed(page) ||
	    !change(tag, old, page | BUSY))
		return false;
	/* Once more: who forgets has seen that it is busy, or is seen here. */
	bool is_copied = is_fixed(page) &&
			 kernel_copy(NR_process_vm_readv, pid, &to, &from, 1) == FCA_PAGE &&
			 change(tag, page | BUSY, page | VALID);
	if (!is_copied)
		__atomic_store_n(tag, 0, __ATOMIC_RELEASE);
	return is_copied;
}

bool pages_has(uint64_t at)
{
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return __atomic_load_n(&tags[place_of(at)], __ATOMIC_ACQUIRE) == (page_of(at) | VALID);
}

const uint8_t *pages_find(int pid, uint64_t at)
{
	return pages_has(at) || make_copy(pid, page_of(at))
		       ? copies[place_of(at)] + (at - page_of(at))
		       : NULL;
}

void pages_forget(void)
{
	__atomic_store_n(&agent_config.nr_fixed, 0, __ATOMIC_SEQ_CST);
	for (uint32_t i = 0; i < NR_PAGES; i++) {
		uint64_t tag = __atomic_load_n(&tags[i], __ATOMIC_SEQ_CST);
		while (tag && !change(&tags[i], tag, tag & BUSY ? tag | STALE : 0))
			tag = __atomic_load_n(&tags[i], __ATOMIC_SEQ_CST);
	}
}

void pages_written(uint64_t start, uint64_t end)
{
	for (uint32_t i = 0; i < agent_config.nr_fixed && i < FCA_MAX_FIXED; i++)
		if (agent_config.fixed[i].lo < end && start < agent_config.fixed[i].hi) {
			pages_forget();
			return;
		}
}
