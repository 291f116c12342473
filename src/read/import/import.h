/* SPDX-License-Identifier: Apache-2.0 */
/*
 * import.h - what uftrace recorded becomes a trace of fctrace.
 *
 * The threads' records are read side by side in order of time, so that memory grows with what
 * runs at a time and not with how long.
 */
#ifndef FC_READ_IMPORT_IMPORT_H
#define FC_READ_IMPORT_IMPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fc_import;
struct fc_progress;

/* A folder that `uftrace record` wrote. -ENOENT…, -EBADMSG: it is none; with a sentence. */
int fc_import_open(const char *folder, struct fc_import **ret);
void fc_import_close(struct fc_import *import);

struct fc_import_opts {
	const char *output;  /* the trace to write; an earlier one becomes output.old */
	const char *options; /* as typed */
	/* What of the recording is left out, in sentences. */
	void (*say)(void *ctx, const char *sentence);
	void *ctx;
	struct fc_progress *progress; /* NULL: nobody waits */
};

struct fc_import_sums {
	uint64_t nr_records;
	size_t nr_threads;
	bool is_partial; /* something was damaged, and is missing */
};

/*
 * -EINVAL: output lies in the folder; -ENODATA: there is nothing to import; or it cannot be
 * written. With a sentence, and no file is left.
 */
int fc_import_write(struct fc_import *import, const struct fc_import_opts *opts,
		    struct fc_import_sums *ret);

#endif
