/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rehook.h - hooks taken out of functions while the program runs, and written again. Their
 * stubs stay mapped: calls that are open return by them.
 */
#ifndef FC_CAPTURE_USER_REHOOK_H
#define FC_CAPTURE_USER_REHOOK_H

#include "capture/user/session.h"

struct fc_known;

struct fc_rehooked {
	size_t nr_done; /* functions whose calls are recorded from now on, or no longer */
	size_t nr_same; /* were so before */
	size_t nr_kept; /* stay hooked: fctrace, or a neighbour's jump, needs their hooks */
	size_t nr_busy; /* stay unhooked: something will come back to their first instructions */
	size_t nr_failed; /* are as they were: somewhere they could not be written, */
	char why[256];	  /* with this sentence */
	uint64_t stop_ns; /* how long the threads stood */
};

/*
 * Hook functions again, or unhook them, by their ids: in all processes, and in those that are
 * born, or map their file, from now on. All threads are stopped meanwhile. -EBUSY with a
 * sentence: a thread cannot be stopped; nothing is changed, but the others stood for ret->stop_ns.
 */
int fc_tracer_rehook(struct fc_tracer *tracer, const uint32_t *funcs, size_t nr, bool hook,
		     struct fc_rehooked *ret);

/*
 * Write the hooks of a file again that are to be there, where its own bytes are: it was mapped anew,
 * or what was written over it was dropped. ret->nr_done: of how many functions. -EBUSY, as above, or
 * as something will come back to the first instructions of one.
 */
int fc_tracer_repair(struct fc_tracer *tracer, struct fc_space *space, struct fc_known *known,
		     struct fc_rehooked *ret);

#endif
