/* SPDX-License-Identifier: Apache-2.0 */
/*
 * deferred.h - calls of which it is known only when they end whether they are asked for: they wait
 * with all that happens beneath them in their strand.
 *
 *	read   begin ............ end        told then, in this order, with all that is known of
 *	  a          begin  end              each as it begins
 *	  b                   begin end
 *
 * What waits has a bound. Of what a call does that goes beyond, only what is open is kept; the
 * rest is forgotten and counted.
 */
#ifndef FC_CALLS_DEFERRED_H
#define FC_CALLS_DEFERRED_H

#include "calls/call.h"

/* Who is told. in_the_end: of a call that begins, what is known of it when it has ended. */
struct fc_deferred_out {
	void (*enter)(void *ctx, const struct fc_call *call,
		      const struct fc_call_values *in_the_end);
	void (*leave)(void *ctx, const struct fc_call *call);
	void (*event)(void *ctx, const struct fc_event *event);
	void *ctx;
};

struct fc_deferred;
struct fc_deferred *fc_deferred_create(const struct fc_deferred_out *out);
void fc_deferred_destroy(struct fc_deferred *deferred);

/* This call and what is beneath it is to wait. */
void fc_deferred_begin(struct fc_deferred *deferred, const struct fc_call *call);
/* Each false: nothing waits in this strand. */
bool fc_deferred_enter(struct fc_deferred *deferred, const struct fc_call *call);
bool fc_deferred_leave(struct fc_deferred *deferred, const struct fc_call *call);
bool fc_deferred_event(struct fc_deferred *deferred, const struct fc_event *event);

/* How many calls were forgotten. */
uint64_t fc_deferred_nr_forgotten(const struct fc_deferred *deferred);

#endif
