/* SPDX-License-Identifier: Apache-2.0 */
/* test_mark.h - marks and their words, in tests. */
#ifndef FC_TEST_MARK_H
#define FC_TEST_MARK_H

#include <stdbool.h>
#include <string.h>

#include "trace/event.h"

/* Of a struct fc_event's initializer, within the block it is in. */
#define WORDS(...)                                                                             \
	.words = (const uint64_t[]){ __VA_ARGS__ },                                            \
	.nr_words = sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t)

static inline bool has_same_words(const struct fc_event *a, const struct fc_event *b)
{
	return a->nr_words == b->nr_words &&
	       (!a->nr_words || !memcmp(a->words, b->words, a->nr_words * sizeof(uint64_t)));
}

#endif
