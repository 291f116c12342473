/* SPDX-License-Identifier: Apache-2.0 */
/*
 * html_data.h - what the page of html.c shows, as the JSON object that its script reads.
 *
 * All of it is bounded, whatever the trace holds: what there is no room for is summed, and the
 * page says so. web/data.js tells the object's members.
 */
#ifndef FC_SHOW_EXPORT_HTML_HTML_DATA_H
#define FC_SHOW_EXPORT_HTML_HTML_DATA_H

#include "base/stream.h"
#include "calls/strands.h"
#include "read/sums/report.h"
#include "read/sums/stacks.h"
#include "read/sums/timeline.h"
#include "trace/reader.h"
#include "values/recorded.h"

/* Something that happened between the calls. */
struct fc_html_moment {
	uint64_t tsc;
	const char *what; /* as in kinds.h */
	int pid, tid;
	int64_t value;
	char *text; /* NULL: none */
};

struct fc_html_data {
	struct fc_reader *reader;
	struct fc_namer namer;
	const struct fc_values *values; /* NULL: the trace has none */
	bool is_part;			/* not all calls were asked for */
	bool by_calls;			/* what is shown first */
	struct fc_report *report;
	struct fc_stacks *stacks;
	struct fc_timeline *timeline;
	uint64_t nr_told; /* calls, with those that a forked child inherited */
	const struct fc_programs *programs;
	struct fc_strands programs_of; /* uint32_t: which ran when a strand began */
	FC_VEC(struct fc_html_moment) moments;
	uint64_t nr_moments; /* told and left out */
};

/* Written once all is summed. 0, or -errno with a sentence. */
int fc_html_data_put(struct fc_html_data *data, struct fc_stream *out);

/* ---- what its parts share ---- */

/* Functions by their number in the page; and words that stand in place of one. */
struct fc_html_names {
	struct fc_html_data *data;
	struct fc_report_row *rows;
	size_t nr_rows, nr_shown;
	uint32_t *number; /* by function id: its number + 1, 0: it is in no row that is shown */
	uint32_t nr_numbers;
	FC_VEC(const char *) words; /* word i has the number -1 - i */
	char **values; /* by span of the time line: behind its name; NULL, or entries: none */
	size_t nr_valueless; /* spans whose values there is no room for */
};

/* The number of a function, or an enum fc_graph_pseudo. */
int64_t fc_html_number(struct fc_html_names *names, uint32_t func);
/* The number of a word, which must outlive names. */
int64_t fc_html_word(struct fc_html_names *names, const char *word);

/* A JSON string of no more than a line; what is longer is cut. */
void fc_html_string(struct fc_stream *out, const char *text);

/* Arguments and results for the time line: of the longest calls, as far as there is room. */
void fc_html_values_init(struct fc_html_names *names);
void fc_html_values_deinit(struct fc_html_names *names);

/* Members of the object, each followed by a comma. */
void fc_html_tree_put(struct fc_html_names *names, struct fc_stream *out);
void fc_html_tracks_put(struct fc_html_names *names, struct fc_stream *out);

#endif
