/* SPDX-License-Identifier: Apache-2.0 */
/*
 * format.h - a foreign format that a trace can be written in: a record in a table, in a file of
 * its own.
 *
 * An exporter is a sink of calls (calls/call.h) that writes as it is told: its memory does
 * not grow with the trace. fctrace export plays the trace into it, through the filter that was
 * asked for, in order of time.
 *
 * With -r calls are cut to the range (calls/cut.h): a call that is_inherited may be one that
 * began before it.
 */
#ifndef FC_SHOW_EXPORT_FORMAT_H
#define FC_SHOW_EXPORT_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/stream.h"
#include "calls/call.h"
#include "calls/names.h"
#include "trace/reader.h"
#include "values/recorded.h"

struct fc_export_opts {
	struct fc_reader *reader;
	const struct fc_clock *clock; /* the reader's */
	struct fc_namer namer;
	const struct fc_values *values; /* what fetched values mean */
	struct fc_stream *out;		/* NULL for a format that is a folder */
	const char *folder;		/* its path, or NULL */
	bool is_part;			/* a range, a filter or a thread was asked for */
	bool by_calls;			/* weights are numbers of calls, not times */
	bool by_wait;			/* weights are times off the CPU; never both */
	bool by_thread;			/* stacks of threads stand apart */
	double min; /* a share, 0..1: what weighs less is summed. < 0: the format's own */
};

/* Begins with its sink. What it writes fails in opts->out, which is asked by others. */
struct fc_exporter {
	struct fc_call_sink sink;
	struct fc_call_sink *summing; /* calls go to this one instead; NULL: to sink */
	/* Processes and threads, between the calls. NULL: no matter. */
	void (*life)(struct fc_exporter *exporter, const struct fc_life_info *life);
	/* At first: those before the range that is told, for who wants to know which programs
	 * run then. NULL: no matter. */
	void (*earlier)(struct fc_exporter *exporter, const struct fc_life_info *life);
	/* Asked now and then; true: it cannot go on. NULL: opts->out->err tells all. */
	bool (*has_failed)(const struct fc_exporter *exporter);
	/*
	 * All was told: is it to be told once more, of what choice? For a format that has one
	 * thread behind the other. NULL: it is not.
	 */
	bool (*again)(struct fc_exporter *exporter, struct fc_choice *choice);
	/*
	 * All was told, the sink's finish() too, unless reading was stopped: write the rest.
	 * 0, or -errno with a sentence. NULL: nothing to do.
	 */
	int (*end)(struct fc_exporter *exporter);
	/* A sentence for the user when all is written; NULL: nothing to say, or never anything. */
	const char *(*note)(const struct fc_exporter *exporter);
	void (*destroy)(struct fc_exporter *exporter);
};

static inline struct fc_call_sink *fc_exporter_sink(struct fc_exporter *exporter)
{
	return exporter->summing ? exporter->summing : &exporter->sink;
}

struct fc_format {
	const char *name;	  /* --format NAME */
	const char *suffix;	  /* -o FILE.suffix means this format; NULL: none does */
	const char *other_suffix; /* means it, too; or NULL */
	unsigned
		bytes_per_call; /* about so many; 0: it has no place for each call, or a small one */
	const char *about;	/* what opens it */
	bool is_folder;
	bool is_binary; /* not for a terminal */
	/* Which of opts mean something: */
	bool can_by_calls;
	bool can_by_wait;
	bool can_by_thread;
	bool can_min;
	bool can_source; /* namer's sources */
	/* Can this fctrace write it? -errno with a sentence. NULL: yes. */
	int (*check)(void);
	/* NULL with a sentence: it cannot be. */
	struct fc_exporter *(*create)(const struct fc_export_opts *opts);
};

extern const struct fc_format *const fc_formats[]; /* NULL-terminated */

/* NULL: there is none of this name. */
const struct fc_format *fc_format_find(const char *name);
/* By the suffix of a file's name; the longest that fits. NULL: none does. */
const struct fc_format *fc_format_of_file(const char *path);

#endif
