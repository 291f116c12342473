/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hops.h - finds places for the hops of puns (patch/pun.c) in a target, and puts them there.
 *
 *   f: jmp hop, part of it f's neighbour's bytes      a page of hops       stub pool
 *      ------------------------------------------->   hop: jmp *stub --->  stub of f
 */
#ifndef FC_CAPTURE_HOOK_HOPS_H
#define FC_CAPTURE_HOOK_HOPS_H

#include "base/vec.h"
#include "capture/patch/plan.h"
#include "capture/target/maps.h"
#include "capture/target/remote.h"

/* Mapped in the target, r-x. */
struct fc_hop_pages {
	FC_VEC(struct fca_pool) list;
};

/*
 * Place the puns of stubs; those that find no place have no patch. Nothing is mapped in
 * [keep_start, keep_end), where a heap grows. Pages are told of in the target before they are
 * there, in the FCA_NR_HOPS of struct fca_config, which are at told. Adds what was mapped to maps
 * and pages; returns how many were not placed, or -errno with a sentence if the target cannot be
 * written.
 */
int fc_puns_place(struct fc_caller *caller, int mem_fd, uint64_t told, struct fc_maps *maps,
		  struct fc_stubs *stubs, uint64_t keep_start, uint64_t keep_end,
		  struct fc_hop_pages *pages);

#endif
