/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wanted.h - a filter that is asked for while calls pass: it waits until what was recorded before
 * has come.
 */
#ifndef FC_CALLS_WANTED_H
#define FC_CALLS_WANTED_H

#include <stdbool.h>

#include "trace/clock.h"
#include "trace/source.h"

/* *to gets globs of its own. */
void fc_filter_info_copy(struct fc_filter_info *to, const struct fc_filter_info *from);
void fc_filter_info_deinit(struct fc_filter_info *info);

/* How many there are in a list that ends with NULL; 0 of NULL. */
size_t fc_globs_nr(char *const *list);
/* One more text to a list of them. */
void fc_globs_push(char ***list, const char *text);
/* The same of a glob; -EINVAL with a sentence: it is none. */
int fc_globs_add(char ***list, const char *glob);
void fc_globs_free(char **list);

/* As options that ask for it; "" for all calls. malloc()ed. */
char *fc_filter_info_text(const struct fc_filter_info *info);

/* The least number of ticks that takes ns; clock is calibrated. */
uint64_t fc_clock_ticks_of(const struct fc_clock *clock, uint64_t ns);

/*
 *   put ... tick ................. tick
 *   T1      from here on it waits  what was recorded before T1 has come by now, it is in force
 */
/* Zeroed: nothing is asked for. */
struct fc_wanted {
	struct fc_filter_info info;
	bool is_new, is_waiting;
	bool is_pending; /* not in force yet; atomic */
};

void fc_wanted_deinit(struct fc_wanted *wanted);
/* The last one counts. */
void fc_wanted_put(struct fc_wanted *wanted, const struct fc_filter_info *info);
/*
 * At each tick, when all that came since the last one was passed on. True, with *ret the
 * taker's: it is to be in force now.
 */
bool fc_wanted_take(struct fc_wanted *wanted, struct fc_filter_info *ret);
/* Is the filter in force? Any thread may ask. */
bool fc_wanted_is_done(const struct fc_wanted *wanted);

#endif
