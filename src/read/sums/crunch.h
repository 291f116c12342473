/* SPDX-License-Identifier: Apache-2.0 */
/*
 * crunch.h - sums over a whole trace, by all CPUs at once.
 *
 * fc_play() tells a sink of the calls of all strands in order of time, which is needed to
 * print them and not to sum them. Here each thread has a sink of its own, and these are merged
 * in the end; what comes out must be the same whoever was told what. Of call.h's sink
 *
 *   leave(call)   comes for each call that fc_play() would tell, with the same content, once
 *                 and to one of the sinks; in no order.
 *   event(event)  as well.
 *   enter(call)   does not come for each call.
 *   finish()      comes once, to the sink that all others were merged into.
 *
 * So a report is one file: a sink that sums, and how two of them are merged.
 */
#ifndef FC_READ_SUMS_CRUNCH_H
#define FC_READ_SUMS_CRUNCH_H

#include "calls/call.h"
#include "trace/reader.h"

/* For who waits on another thread: how far it is, and that it is to stop. Use __atomic_ loads. */
struct fc_crunch_watch {
	uint64_t done, whole; /* parts; whole 0: not known */
	bool is_cancelled;
};

struct fc_crunch_opts {
	struct fc_call_sink *(*create)(void *ctx);
	/* Add what `from` has to `into`; `from` is destroyed next. */
	void (*merge)(struct fc_call_sink *into, struct fc_call_sink *from);
	void (*destroy)(struct fc_call_sink *sink);
	void *ctx;
	/*
	 * What call->is_recursive means: that a call of the same group is open further out. By
	 * function id, of FC_FUNC_MAX + 1; NULL: each function is a group.
	 */
	const uint32_t *group;
	int tid;		       /* only this thread; 0: all */
	struct fc_crunch_watch *watch; /* may be NULL */
};

/*
 * Sum the whole trace; the sink is the caller's. -errno with a sentence: the reader's.
 * -ECANCELED without one: the watch said so.
 */
int fc_crunch(struct fc_reader *reader, const struct fc_crunch_opts *opts,
	      struct fc_call_sink **ret);

/* The same without playing in order when threads cannot: -EAGAIN then, and *ret is NULL. */
int fc_crunch_unordered(struct fc_reader *reader, const struct fc_crunch_opts *opts,
			struct fc_call_sink **ret);

#endif
