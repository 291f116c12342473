/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lines.h - what lines of a tree are made of: columns, a name, notes; as text, many at a time.
 *
 *	# DURATION     TID     FUNCTION
 *	   191.046 us [   147] |   leaf(); and notes, as a comment
 *	   fields            depth name
 *
 * Names come from files and programs: what could steer a terminal is shown as '?'.
 */
#ifndef FC_SHOW_LINES_LINES_H
#define FC_SHOW_LINES_LINES_H

#include "base/vec.h"
#include "calls/call.h"
#include "calls/names.h"
#include "trace/clock.h"

/* The columns that may stand before a function, in the order asked for. */
enum fc_field {
	FC_FIELD_DURATION = 0,
	FC_FIELD_TID,
	FC_FIELD_PID,
	FC_FIELD_TIME,	  /* of day, where fctrace reads */
	FC_FIELD_DELTA,	  /* since the line before of the same thread */
	FC_FIELD_ELAPSED, /* since the session's start */
	FC_FIELD_MODULE,
	FC_FIELD_SRCLINE,
	FC_NR_FIELDS,
};

struct fc_fields {
	size_t nr;
	uint8_t at[FC_NR_FIELDS]; /* enum fc_field */
};

extern const struct fc_fields fc_fields_tree; /* duration, tid */
extern const struct fc_fields fc_fields_flat; /* elapsed, duration, tid */

struct fc_lines_opts {
	const struct fc_clock *clock; /* may become more exact on the way */
	struct fc_namer namer;
	const struct fc_fields *fields; /* NULL: fc_fields_tree */
	bool is_colored;
};

enum fc_line_kind {
	FC_LINE_LEAF,	 /* f(); */
	FC_LINE_OPENING, /* f() { */
	FC_LINE_CLOSING, /* } of f */
	FC_LINE_ENTER,	 /* flat: enter f */
	FC_LINE_LEAVE,	 /* flat: leave f */
};

enum { FC_LINE_NOTES = 4 };

struct fc_line {
	uint8_t kind; /* enum fc_line_kind */
	bool is_timed;
	bool has_source; /* where the function is follows the notes, if that is known */
	bool has_delta;
	uint32_t func;
	uint32_t depth;
	int pid, tid;
	uint64_t tsc;	      /* that of time and elapsed */
	uint64_t delta_ticks; /* if has_delta */
	uint64_t ticks;	      /* duration, if is_timed */
	bool has_notes;
	const char *notes[FC_LINE_NOTES]; /* NULL: none */
	const char *args;		  /* between the parentheses; NULL: not known */
	bool is_long;			  /* args are lines, each a line by itself */
	const char *result;		  /* NULL: not known, or none */
	const char
		*written; /* of a call that ends: "out = [42]"; NULL: nothing, or not known */
};

/* At least FC_LINES_NAME_ROOM bytes of text may be read, so that they can be copied at once. */
#define FC_LINES_NAME_ROOM 64

struct fc_lines_name {
	char *text;	    /* NULL: not asked yet */
	const char *source; /* "file.c:12", or NULL: not asked for, not known */
	uint32_t len;
	bool has_parens; /* to be put behind it */
};

#define FC_LINES_INDENT_MAX 256 /* levels; deeper calls stay at this column */

struct fc_lines {
	struct fc_lines_opts opts;
	FC_VEC(char) text;
	FC_VEC(struct fc_lines_name) names; /* by function id */
	char tid_text[48]; /* of the last line (numbers are written with room behind)... */
	size_t tid_len;
	int tid;				    /* ...for this tid */
	bool is_usual;				    /* fc_fields_tree, no colours */
	char margin[256 + 2 * FC_LINES_INDENT_MAX]; /* of such lines: tid, "| ", spaces... */
	size_t margin_len;			    /* ...from here on */
	int margin_tid;
	uint64_t day_s;	   /* seconds since 1970 of... */
	char day_text[16]; /* ...this time of day */
};

void fc_lines_init(struct fc_lines *lines, const struct fc_lines_opts *opts);
void fc_lines_deinit(struct fc_lines *lines);

/* The line above all others. */
void fc_lines_head(struct fc_lines *lines);
void fc_lines_put(struct fc_lines *lines, const struct fc_line *line);
/* line tells the fields; text is anybody's. */
void fc_lines_comment(struct fc_lines *lines, const struct fc_line *line, const char *text);

#endif
