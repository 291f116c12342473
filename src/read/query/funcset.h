/* SPDX-License-Identifier: Apache-2.0 */
/* funcset.h - a set of functions: those that a WHERE leaves. */
#ifndef FC_READ_QUERY_FUNCSET_H
#define FC_READ_QUERY_FUNCSET_H

#include "read/query/opts.h"
#include "read/query/values.h"

struct fc_funcset {
	uint8_t *bits; /* a bit for each id; NULL: all functions */
	size_t nr;     /* ids that there are bits for: no others are in the set */
};

void fc_funcset_deinit(struct fc_funcset *funcs);

/* Only this id is left, or none. */
void fc_funcset_keep_ids(struct fc_funcset *funcs, const struct fc_reader *reader,
			 const struct fc_bounds *bounds);
/* Only those are left whose name (is_module: whose module) is, or with letter 'G' matches, value. */
void fc_funcset_keep_named(struct fc_funcset *funcs, const struct fc_query *query,
			   bool is_module, char letter, sqlite3_value *value);

#endif
