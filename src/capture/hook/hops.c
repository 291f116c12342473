/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/hook/hops.h"

#include <errno.h>

enum { MAX_TRIES = 4 };

struct placing {
	struct fc_caller *caller;
	int mem_fd;
	uint64_t told;
	struct fc_maps *maps;
	struct fc_stubs *stubs;
	uint64_t keep_start, keep_end;
	struct fc_hop_pages *pages;
};

/* The end of a hop of ours in [at, at + size); 0: these bytes are free. */
static uint64_t taken_up_to(const struct fc_stubs *stubs, uint64_t at)
{
	for (size_t i = 0; i < stubs->nr_puns; i++) {
		uint64_t hop = stubs->puns[i].hop_taddr;
		if (hop && hop < at + FC_HOP_MAX && at < hop + FC_HOP_MAX)
			return hop + FC_HOP_MAX;
	}
	return 0;
}

/* A free place in a page that is there already. 0: none. */
static uint64_t share_page(const struct placing *p, const struct fca_pool *page, uint64_t first,
			   uint64_t last)
{
	uint64_t at = first > page->lo ? first : page->lo;
	uint64_t next;
	while ((next = taken_up_to(p->stubs, at)))
		at = next;
	return at <= last && at + FC_HOP_MAX <= page->hi ? at : 0;
}

/* What is not known cannot be removed by another. */
static int announce(const struct placing *p, const struct fca_pool *page)
{
	size_t i = p->pages->list.nr % FCA_NR_HOPS;
	return fc_remote_write(p->mem_fd, p->told + i * sizeof(*page), page, sizeof(*page));
}

/* -errno as the kernel gives it. */
static int map_pages(struct placing *p, uint64_t at)
{
	struct fca_pool page = { fc_page_down(at), fc_page_up(at + FC_HOP_MAX) };
	static const struct fca_pool none;
	if (announce(p, &page))
		return -ESRCH;
	int64_t got = fc_remote_map_code(p->caller, page.lo, page.hi - page.lo);
	if (got == (int64_t)page.lo || got == -EEXIST)
		fc_maps_add(p->maps, page.lo, page.hi);
	if (got != (int64_t)page.lo) {
		announce(p, &none);
		return got < 0 ? (int)got : -EINVAL;
	}
	fc_vec_push(&p->pages->list, page);
	return 0;
}

/* Where a hop of [first, last] is mapped. 0: nowhere. */
static uint64_t find_place(struct placing *p, uint64_t first, uint64_t last)
{
	fc_vec_each (&p->pages->list, page) {
		uint64_t at = share_page(p, page, first, last);
		if (at)
			return at;
	}
	for (int tries = 0; tries < MAX_TRIES; tries++) {
		uint64_t at = fc_maps_find(p->maps, first, last, FC_HOP_MAX, p->keep_start,
					   p->keep_end);
		int ret = at ? map_pages(p, at) : -ENOMEM;
		if (!ret)
			return at;
		if (ret != -EEXIST)
			break;
	}
	return 0;
}

int fc_puns_place(struct fc_caller *caller, int mem_fd, uint64_t told, struct fc_maps *maps,
		  struct fc_stubs *stubs, uint64_t keep_start, uint64_t keep_end,
		  struct fc_hop_pages *pages)
{
	struct placing placing = { caller, mem_fd,     told,	 maps,
				   stubs,  keep_start, keep_end, pages };
	int nr_left = 0;
	for (size_t i = stubs->nr_puns; i--;) {
		uint64_t first, last;
		uint8_t hop[FC_HOP_MAX];
		fc_stubs_pun_range(stubs, i, &first, &last);
		uint64_t at = find_place(&placing, first, last);
		if (!at) {
			nr_left++;
			continue;
		}
		size_t size = fc_stubs_place_pun(stubs, i, at, hop);
		int ret = fc_remote_write(mem_fd, at, hop, size);
		if (ret)
			return ret;
	}
	return nr_left;
}
