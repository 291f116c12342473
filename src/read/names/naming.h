/* SPDX-License-Identifier: Apache-2.0 */
/*
 * naming.h - names for the functions of a trace that have none, from debug files of the same
 * build-id.
 */
#ifndef FC_READ_NAMES_NAMING_H
#define FC_READ_NAMES_NAMING_H

#include "base/vec.h"
#include "trace/postscript.h"
#include "trace/reader.h"

struct fc_fetching;
struct fc_naming_opts {
	char *const *debug; /* files and folders to look at first, NULL-terminated; or NULL */
	void (*say)(const char *sentence);  /* of files that are passed over; or NULL */
	const struct fc_fetching *fetching; /* servers are asked last; NULL: they are not */
};

/* A file of the trace of which functions without a name were called, or could be named. */
struct fc_named_module {
	const struct fc_module_info *of;
	size_t nr_called;	/* functions that were called and had no name */
	size_t nr_called_named; /* of these, those that have one now */
	size_t nr_named;	/* with those that were not called */
	char *from;		/* the debug file; NULL: none was found */
};

/* What was found; what it points to lives as long as the reader. */
struct fc_naming {
	FC_VEC(struct fc_named_module) modules; /* in the order of the trace */
	FC_VEC(struct fc_told_name) names;
};

/*
 * Look at what opts names, then where debug files are on this machine: by build-id below
 * /usr/lib/debug, and beside and inside the file itself, if it still is the one that was traced; then
 * ask servers. The first file that names a function that was called is taken.
 * -EINVAL: a file of opts belongs to no file of the trace; -errno: it, or the trace, cannot be
 * read. Each with a sentence.
 */
int fc_naming_find(struct fc_reader *reader, const struct fc_naming_opts *opts,
		   struct fc_naming *ret);
void fc_naming_deinit(struct fc_naming *naming);

#endif
