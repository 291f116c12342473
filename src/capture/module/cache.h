/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cache.h - plans of large files, kept on disk from session to session.
 *
 * $XDG_CACHE_HOME/fctrace or ~/.cache/fctrace, a file for each file and scope. It is only a
 * cache: what cannot be read or written, or is not ours, is passed over without a word.
 */
#ifndef FC_CAPTURE_MODULE_CACHE_H
#define FC_CAPTURE_MODULE_CACHE_H

#include "capture/patch/plan.h"

struct fc_cache;

/* What a plan depends on; name is "" if it is not to be kept. */
struct fc_cache_key {
	char name[64]; /* of the cache's file */
	char text[192];
};

enum { FC_CACHE_LEAST = 2000 }; /* functions: fewer are planned as quickly */

/* NULL: there is none, and nothing is kept. All functions take that. */
struct fc_cache *fc_cache_open(void);
void fc_cache_close(struct fc_cache *cache);

/* elf's headers are open, and functions were not forgotten. */
void fc_cache_key(const struct fc_cache *cache, const struct fc_elf *elf,
		  const struct fc_plan_opts *opts, struct fc_cache_key *ret);

/* The plan that is kept for it; NULL: there is none. By several threads at once. */
struct fc_plan *fc_cache_get(const struct fc_cache *cache, const struct fc_cache_key *key,
			     const struct fc_elf *elf, const struct fc_plan_opts *opts);

/* Keep a plan. Those that were not used for longest go when all are more than 256 MiB. */
void fc_cache_put(const struct fc_cache *cache, const struct fc_cache_key *key,
		  const struct fc_plan *plan);

/*
 * Where in a cache's file the plan is (patch/saved.h). False: the file is damaged, or made for
 * another key.
 */
bool fc_cache_find(const uint8_t *bytes, size_t size, const struct fc_cache_key *key,
		   const uint8_t **ret, size_t *ret_size);

#endif
