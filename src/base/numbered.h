/* SPDX-License-Identifier: Apache-2.0 */
/*
 * numbered.h - records by a number that is not 0, as a thread's: each begins with it, as an int.
 *
 *	struct fc_numbered threads = { .size = sizeof(struct thread) };
 *	struct thread *thread = fc_numbered_get(&threads, tid);
 */
#ifndef FC_BASE_NUMBERED_H
#define FC_BASE_NUMBERED_H

#include <stddef.h>

/* Zeroed but for size: none. */
struct fc_numbered {
	size_t size; /* of a record */
	char *at;
	size_t nr, room; /* records, places */
};

/* One that is new is zeroed, but for its number. Valid until the next call. */
void *fc_numbered_get(struct fc_numbered *numbered, int number);

/* The next record behind one, or the first; NULL: none. In no order. */
void *fc_numbered_next(const struct fc_numbered *numbered, const void *record);
#define fc_numbered_each(numbered, type, record)                                               \
	for (type *record = fc_numbered_next(numbered, NULL); record;                          \
	     record = fc_numbered_next(numbered, record))

void fc_numbered_deinit(struct fc_numbered *numbered);

#endif
