/* SPDX-License-Identifier: Apache-2.0 */
/*
 * root_calls.h - the calls of a function that repeats, one by one: a server's requests, say.
 *
 * A call within another one of these functions is part of that, and none of its own. A call whose begin
 * or end was not seen is left out.
 */
#ifndef FC_READ_REQUESTS_ROOT_CALLS_H
#define FC_READ_REQUESTS_ROOT_CALLS_H

#include "base/vec.h"
#include "calls/names.h"
#include "read/sums/graph.h"
#include "trace/reader.h"

struct fc_root_call {
	uint64_t begin_tsc, end_tsc;
	uint32_t func, strand;
	int pid, tid;
	uint64_t nr; /* from 1 on, in order of their begins */
};

struct fc_requests {
	FC_VEC(struct fc_root_call) list; /* the slowest first */
};

struct fc_requests_opts {
	const char *root; /* a glob, as in names.h */
	struct fc_namer namer;
	bool (*is_stopped)(void *ctx); /* may be NULL */
	void *ctx;
};

/* False: no function that matches was called. */
bool fc_requests_find(struct fc_reader *reader, const struct fc_requests_opts *opts,
		      struct fc_requests *ret);
void fc_requests_deinit(struct fc_requests *requests);

static inline uint64_t fc_request_ticks(const struct fc_root_call *request)
{
	return request->end_tsc - request->begin_tsc;
}

/* The one that a share (0.5: half) of them do not exceed; there is at least one. */
const struct fc_root_call *fc_requests_at(const struct fc_requests *requests, double share);
/* How many took longer than so many ticks. */
size_t fc_requests_slower(const struct fc_requests *requests, uint64_t ticks);

/* The calls of one of them, by their paths from there on; the caller destroys it. */
struct fc_graph *fc_request_graph(struct fc_reader *reader, const struct fc_requests_opts *opts,
				  const struct fc_root_call *request);

#endif
