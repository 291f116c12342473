/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ahead.h - a cursor that runs ahead in a thread of its own: while one batch of events is being
 * told, the next ones are decoded. Where there is one CPU only, or no thread can be had, they
 * are decoded when they are asked for.
 */
#ifndef FC_CALLS_AHEAD_H
#define FC_CALLS_AHEAD_H

#include <stddef.h>

#include "trace/reader.h"

struct fc_ahead;

/* Until it is destroyed nothing may be asked of the reader's trouble; cursor is used by it alone. */
struct fc_ahead *fc_ahead_create(struct fc_cursor *cursor);
/* The next events, good until the next call. Returns how many; 0 at the end. */
size_t fc_ahead_next(struct fc_ahead *ahead, const struct fc_event **ret);
void fc_ahead_destroy(struct fc_ahead *ahead);

#endif
