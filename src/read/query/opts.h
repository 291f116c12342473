/* SPDX-License-Identifier: Apache-2.0 */
/* opts.h - what is asked of a query besides its statement. */
#ifndef FC_READ_QUERY_OPTS_H
#define FC_READ_QUERY_OPTS_H

#include <sqlite3.h>

#include "calls/names.h"
#include "trace/reader.h"
#include "values/recorded.h"

/* Of a trace that is open. */
struct fc_query;

struct fc_query_opts {
	struct fc_namer namer;
	/* Another trace, an older one, to compare it with; NULL: none. It outlives the query. */
	struct fc_reader *than;
	struct fc_namer than_namer;
	const struct fc_values *values; /* what fetched values mean */
	/* Asked now and then; true ends what is running. May be NULL. */
	bool (*is_stopped)(void *ctx);
	void *ctx;
};

#endif
