/* SPDX-License-Identifier: Apache-2.0 */
/*
 * queue.h - the tap before all others of a source with more than one thread: what the tracer
 * tells waits here, and the next tap hears of it on the thread that brings the records.
 *
 *   tracer: module() map() life() hooks() counts() filter() --> queue --.
 *   drain:  records() strand_end() tick() dump() ----------------------'--> next
 *
 * What was told before a record was made comes before it. Records are passed on as they are: of
 * what the tracer tells there is little, and none of it is told for a call.
 */
#ifndef FC_CAPTURE_DRAIN_QUEUE_H
#define FC_CAPTURE_DRAIN_QUEUE_H

#include "trace/source.h"

struct fc_queue;

/* next must outlive it. */
struct fc_queue *fc_queue_create(struct fc_tap *next);
/* The drain has ended: the next tap hears of the rest now, on this thread. */
void fc_queue_destroy(struct fc_queue *queue);
struct fc_tap *fc_queue_tap(struct fc_queue *queue);

#endif
