/* SPDX-License-Identifier: Apache-2.0 */
/* lines.c - writes lines into a buffer, the usual ones with few copies. */
#include "show/lines/lines.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/decimal.h"
#include "base/memory.h"
#include "base/printable.h"
#include "base/tone.h"

#define INDENT_MAX FC_LINES_INDENT_MAX

const struct fc_fields fc_fields_tree = { 2, { FC_FIELD_DURATION, FC_FIELD_TID } };
const struct fc_fields fc_fields_flat = {
	3, { FC_FIELD_ELAPSED, FC_FIELD_DURATION, FC_FIELD_TID }
};

#define MODULE_WIDTH  18
#define SRCLINE_WIDTH 26
#define SOURCE_MAX    128 /* bytes of a source line that stands among the notes */
#define MARGIN_PIECE  128 /* copied at a time: most lines need one */

/* The title of each field; as wide as the field. */
static const char *const titles[FC_NR_FIELDS] = {
	[FC_FIELD_DURATION] = "  DURATION    ",
	[FC_FIELD_TID] = " TID     ",
	[FC_FIELD_PID] = " PID     ",
	[FC_FIELD_TIME] = "  TIME             ",
	[FC_FIELD_DELTA] = "  DELTA       ",
	[FC_FIELD_ELAPSED] = "  ELAPSED       ",
	[FC_FIELD_MODULE] = "  MODULE            ",
	[FC_FIELD_SRCLINE] = "  SRCLINE                   ",
};

/* All fields, their colours, marks around the name, notes: what a line takes besides texts. */
#define LINE_ROOM (640 + 2 * INDENT_MAX)

static const char tid_colors[][FC_TONE_ROOM] = {
	"\33[32m", "\33[34m", "\33[35m", "\33[36m", "\33[92m", "\33[94m",
};

#define NR_TID_COLORS (sizeof(tid_colors) / sizeof(tid_colors[0]))

/* ---- pieces; each returns where the next one goes ---- */

static inline char *put_text(char *at, const char *text, size_t len)
{
	memcpy(at, text, len);
	return at + len;
}

#define put_literal(at, text) put_text(at, text, sizeof(text) - 1)

static char *put_color(const struct fc_lines *lines, char *at, enum fc_tone tone)
{
	return lines->opts.is_colored ? stpcpy(at, fc_tone_text[tone]) : at;
}

/* There is room for more: what is short is written at once. */
static inline char *put_spaces(char *at, size_t nr)
{
	memset(at, ' ', 32);
	if (nr > 32)
		memset(at + 32, ' ', nr - 32);
	return at + nr;
}

static inline char *put_name(char *at, const struct fc_lines_name *name)
{
	memcpy(at, name->text, FC_LINES_NAME_ROOM);
	if (name->len > FC_LINES_NAME_ROOM)
		memcpy(at, name->text, name->len);
	return at + name->len;
}

/* Decimal digits of n, right-aligned in width. */
static char *put_number(char *at, uint64_t n, size_t width)
{
	char digits[FC_DECIMAL_MAX];
	size_t nr = fc_decimal(digits, n);

	if (nr < width)
		at = put_spaces(at, width - nr);
	return put_text(at, digits + FC_DECIMAL_MAX - nr, nr);
}

/* Exactly nr digits of n. */
static char *put_digits(char *at, uint64_t n, size_t nr)
{
	for (size_t i = nr; i-- > 0; n /= 10)
		at[i] = (char)('0' + n % 10);
	return at + nr;
}

/* Thousandths, as in "   191.046 us ", of a second or more. */
static __attribute__((noinline)) char *put_long_duration(char *at, uint64_t ns)
{
	static const char units[][4] = { " us ", " ms ", " s  " };
	size_t unit = 0;

	while (ns >= 1000000 && unit < 2) {
		ns /= 1000;
		unit++;
	}
	at = put_number(at, ns / 1000, 6);
	*at++ = '.';
	at = put_digits(at, ns % 1000, 3);
	return put_text(at, units[unit], 4);
}

/*
 * The same of any. How many digits there are can't be foretold, so up to a millisecond, as most
 * are, nothing branches on it.
 */
static inline char *put_duration(char *at, uint64_t ns)
{
	if (ns >= 1000000)
		return put_long_duration(at, ns);
	uint32_t whole = (uint32_t)ns / 1000, rest = (uint32_t)ns % 1000;
	const char *pair = fc_decimal_pairs + whole % 100 * 2;

	memcpy(at, "     0.000 us ", 14);
	at[3] = whole >= 100 ? (char)('0' + whole / 100) : ' ';
	at[4] = whole >= 10 ? pair[0] : ' ';
	at[5] = pair[1];
	at[7] = (char)('0' + rest / 100);
	memcpy(at + 8, fc_decimal_pairs + rest % 100 * 2, 2);
	return at + 14;
}

/* Text in a column: its head, or its tail, if it is too long. */
static char *put_column(char *at, const char *text, size_t len, size_t width, bool is_tail)
{
	size_t skip = len > width && is_tail ? len - width : 0;
	size_t nr = len > width ? width : len;

	memcpy(at, text + skip, nr);
	fc_make_printable(at, nr);
	return put_spaces(at + nr, width - nr);
}

/* ---- names ---- */

/* A copy without control characters: a name comes from a file that nobody vouches for. */
static char *harmless(const char *text, size_t len)
{
	size_t room = len + 1 > FC_LINES_NAME_ROOM ? len + 1 : FC_LINES_NAME_ROOM;
	char *copy = memcpy(fc_alloc(room), text, len);

	fc_make_printable(copy, len);
	return copy;
}

static struct fc_lines_name *ask_name(struct fc_lines *lines, uint32_t func)
{
	const struct fc_namer *namer = &lines->opts.namer;
	struct fc_name name = namer->name_of(namer->ctx, func);
	size_t len = strlen(name.name);

	struct fc_lines_name *kept = fc_vec_make(&lines->names, func);
	free(kept->text);
	*kept = (struct fc_lines_name){
		.text = harmless(name.name, len),
		.source = name.source ? name.source->text : NULL,
		.len = (uint32_t)len,
		.has_parens = *fc_name_parens(name),
	};
	return kept;
}

/* While a program runs, a name may become known later. */
static inline const struct fc_lines_name *name_of(struct fc_lines *lines, uint32_t func)
{
	if (func < lines->names.nr) {
		const struct fc_lines_name *name = &lines->names.at[func];
		if (name->text && (name->len != 1 || name->text[0] != '?'))
			return name;
	}
	return ask_name(lines, func);
}

/* ---- fields ---- */

static char *put_tid(struct fc_lines *lines, char *at, int tid)
{
	if (lines->tid != tid || !lines->tid_text[0]) {
		char *end = put_number(put_literal(lines->tid_text, "["),
				       (uint64_t)(unsigned int)tid, 6);
		memcpy(end, "] ", 3);
		lines->tid_len = (size_t)(end - lines->tid_text) + 2;
		lines->tid = tid;
		if (!tid) /* fctrace's own words */
			memset(lines->tid_text, ' ', lines->tid_len);
	}
	if (lines->opts.is_colored)
		at = stpcpy(at, tid_colors[(unsigned int)tid % NR_TID_COLORS]);
	memcpy(at, lines->tid_text, sizeof(lines->tid_text));
	at += lines->tid_len;
	return lines->opts.is_colored ? put_color(lines, at, FC_TONE_PLAIN) : at;
}

static char *put_time_of_day(struct fc_lines *lines, char *at, uint64_t tsc)
{
	uint64_t ns = lines->opts.clock->real0_ns + fc_clock_ns(lines->opts.clock, tsc);
	uint64_t s = ns / 1000000000;

	if (lines->day_s != s || !lines->day_text[0]) {
		time_t time = (time_t)s;
		struct tm tm = { 0 };
		localtime_r(&time, &tm);
		strftime(lines->day_text, sizeof(lines->day_text), "%H:%M:%S.", &tm);
		lines->day_s = s;
	}
	at = stpcpy(at, lines->day_text);
	at = put_digits(at, ns % 1000000000, 9);
	*at++ = ' ';
	return at;
}

static char *put_elapsed(const struct fc_lines *lines, char *at, uint64_t tsc)
{
	uint64_t ns = fc_clock_ns(lines->opts.clock, tsc);

	at = put_number(at, ns / 1000000000, 5);
	*at++ = '.';
	at = put_digits(at, ns % 1000000000, 9);
	*at++ = ' ';
	return at;
}

/* Long ones stand out. */
static char *put_took(const struct fc_lines *lines, char *at, uint64_t ticks)
{
	uint64_t ns = fc_clock_duration_ns(lines->opts.clock, ticks);

	if (!lines->opts.is_colored || ns < 1000000)
		return put_duration(at, ns);
	at = put_color(lines, at, fc_tone_of_ns(ns));
	return put_color(lines, put_duration(at, ns), FC_TONE_PLAIN);
}

static char *put_module(const struct fc_lines *lines, char *at, uint32_t func)
{
	const struct fc_namer *namer = &lines->opts.namer;
	const char *module = func ? namer->name_of(namer->ctx, func).module : "";

	at = put_literal(at, " ");
	at = put_column(at, module, strlen(module), MODULE_WIDTH, false);
	return put_literal(at, " ");
}

static char *put_srcline(struct fc_lines *lines, char *at, uint32_t func)
{
	const char *text = func ? name_of(lines, func)->source : NULL;

	if (!text)
		text = func ? "?" : "";
	at = put_literal(at, " ");
	at = put_column(at, text, strlen(text), SRCLINE_WIDTH, true);
	return put_literal(at, " ");
}

static char *put_field(struct fc_lines *lines, char *at, const struct fc_line *line,
		       uint8_t field)
{
	switch (field) {
	case FC_FIELD_DURATION:
		return line->is_timed ? put_took(lines, at, line->ticks) : put_spaces(at, 14);
	case FC_FIELD_TID:
		return put_tid(lines, at, line->tid);
	case FC_FIELD_PID:
		at = put_number(put_literal(at, "["), (uint64_t)(unsigned int)line->pid, 6);
		return put_literal(at, "] ");
	case FC_FIELD_TIME:
		return put_time_of_day(lines, at, line->tsc);
	case FC_FIELD_DELTA:
		return line->has_delta
			       ? put_duration(at, fc_clock_duration_ns(lines->opts.clock,
								       line->delta_ticks))
			       : put_spaces(at, 14);
	case FC_FIELD_ELAPSED:
		return put_elapsed(lines, at, line->tsc);
	case FC_FIELD_MODULE:
		return put_module(lines, at, line->func);
	default:
		return put_srcline(lines, at, line->func);
	}
}

static char *put_fields(struct fc_lines *lines, char *at, const struct fc_line *line)
{
	const struct fc_fields *fields = lines->opts.fields;

	for (size_t i = 0; i < fields->nr; i++)
		at = put_field(lines, at, line, fields->at[i]);
	if (!fields->nr)
		return at;
	if (!lines->opts.is_colored)
		return put_literal(at, "| ");
	at = put_color(lines, at, FC_TONE_DIM);
	return put_color(lines, put_literal(at, "| "), FC_TONE_PLAIN);
}

/* ---- lines ---- */

static inline char *room_for(struct fc_lines *lines, size_t len)
{
	if (lines->text.room - lines->text.nr < len)
		fc_vec_reserve(&lines->text, len);
	return lines->text.at + lines->text.nr;
}

static inline void end_line(struct fc_lines *lines, char *at)
{
	*at++ = '\n';
	lines->text.nr = (size_t)(at - lines->text.at);
}

/* The notes behind a name, as one comment, which has_begun already or not. */
static char *put_notes(const struct fc_lines *lines, char *at, const struct fc_line *line,
		       const struct fc_lines_name *name, bool has_begun)
{
	const char *source = line->has_source ? name->source : NULL;
	bool is_first = !has_begun;

	if (!line->has_notes && !source)
		return has_begun ? put_color(lines, put_literal(at, " */"), FC_TONE_PLAIN) : at;
	for (size_t i = 0; i < FC_LINE_NOTES; i++) {
		if (!line->notes[i])
			continue;
		if (is_first)
			at = put_color(lines, at, FC_TONE_YELLOW);
		at = is_first ? put_literal(at, " /* ") : put_literal(at, ", ");
		at = stpcpy(at, line->notes[i]);
		is_first = false;
	}
	if (source) {
		size_t len = strlen(source);
		if (is_first)
			at = put_color(lines, at, FC_TONE_YELLOW);
		at = is_first ? put_literal(at, " /* ") : put_literal(at, ", ");
		at = put_column(at, source, len, len < SOURCE_MAX ? len : SOURCE_MAX, true);
		is_first = false;
	}
	if (is_first)
		return at;
	return put_color(lines, put_literal(at, " */"), FC_TONE_PLAIN);
}

/* ---- duration, tid, a name and no notes, as most lines are: few copies of fixed size ---- */

/* The texts before and behind a name; 8 bytes of each are copied. */
struct around {
	char before[8], behind[8];
	uint8_t before_len, behind_len;
};

#define AROUND(before, behind)                                                                 \
	{                                                                                      \
		before, behind, sizeof(before) - 1, sizeof(behind) - 1                         \
	}

/* By kind of line; for a name without and with parentheses. */
static const struct around arounds[][2] = {
	[FC_LINE_LEAF] = { AROUND("", ";\n"), AROUND("", "();\n") },
	[FC_LINE_OPENING] = { AROUND("", " {\n"), AROUND("", "() {\n") },
	[FC_LINE_CLOSING] = { AROUND("} /* ", " */\n"), AROUND("} /* ", " */\n") },
	[FC_LINE_ENTER] = { AROUND("enter ", "\n"), AROUND("enter ", "\n") },
	[FC_LINE_LEAVE] = { AROUND("leave ", "\n"), AROUND("leave ", "\n") },
};

/* The tid, and the blanks up to the deepest name. */
static void make_margin(struct fc_lines *lines, int tid)
{
	memset(lines->margin, ' ', sizeof(lines->margin));
	char *end = put_literal(put_tid(lines, lines->margin, tid), "| ");
	lines->margin_len = (size_t)(end - lines->margin);
	lines->margin_tid = tid;
	memset(end, ' ', (size_t)(lines->margin + sizeof(lines->margin) - end));
}

static inline char *put_margin(struct fc_lines *lines, char *at, int tid, size_t depth)
{
	if (lines->margin_tid != tid || !lines->margin_len)
		make_margin(lines, tid);
	size_t len = lines->margin_len + 2 * depth;
	for (size_t i = 0; i < len; i += MARGIN_PIECE)
		memcpy(at + i, lines->margin + i, MARGIN_PIECE);
	return at + len;
}

static void put_usual(struct fc_lines *lines, char *at, const struct fc_line *line,
		      const struct fc_lines_name *name, size_t depth)
{
	const struct around *around = &arounds[line->kind][name->has_parens];

	at = line->is_timed
		     ? put_duration(at, fc_clock_duration_ns(lines->opts.clock, line->ticks))
		     : put_spaces(at, 14);
	at = put_margin(lines, at, line->tid, depth);
	memcpy(at, around->before, sizeof(around->before));
	at = put_name(at + around->before_len, name);
	memcpy(at, around->behind, sizeof(around->behind));
	lines->text.nr = (size_t)(at + around->behind_len - lines->text.at);
}

static char *put_result(char *at, const char *result, size_t len)
{
	return put_text(put_literal(at, " = "), result, len);
}

/* The begin of a line that belongs to the one before. */
static char *go_on(struct fc_lines *lines, char *at, const struct fc_line *line, size_t room)
{
	struct fc_line further = *line;

	further.is_timed = further.has_delta = false;
	end_line(lines, at);
	return put_fields(lines, room_for(lines, LINE_ROOM + room), &further);
}

/* Each a line, and what comes behind them all. */
static char *put_lines(struct fc_lines *lines, char *at, const struct fc_line *line,
		       size_t depth, size_t room)
{
	for (const char *arg = line->args; *arg;) {
		size_t len = strcspn(arg, "\n"), is_more = arg[len] != 0;
		at = put_spaces(go_on(lines, at, line, len), 2 * depth + 4);
		at = put_text(at, arg, len);
		if (is_more)
			at = put_literal(at, ",");
		arg += len + is_more;
	}
	return put_spaces(go_on(lines, at, line, room), 2 * depth);
}

/* As much may follow as there is room for. */
static char *put_args(struct fc_lines *lines, char *at, const struct fc_line *line, size_t len,
		      size_t depth, size_t room)
{
	at = put_literal(at, "(");
	at = line->is_long && len ? put_lines(lines, at, line, depth, room)
				  : put_text(at, line->args, len);
	return put_literal(at, ")");
}

void fc_lines_put(struct fc_lines *lines, const struct fc_line *line)
{
	const struct fc_lines_name *name = name_of(lines, line->func);
	size_t args_len = line->args ? strlen(line->args) : 0;
	size_t result_len = line->result ? strlen(line->result) : 0;
	size_t written_len = line->written ? strlen(line->written) : 0;
	char *at = room_for(lines, LINE_ROOM + name->len + args_len + result_len + written_len);
	size_t depth = line->depth < INDENT_MAX ? line->depth : INDENT_MAX;

	if (lines->is_usual && !line->has_notes && !line->args && !line->result &&
	    !(line->has_source && name->source)) {
		put_usual(lines, at, line, name, depth);
		return;
	}
	at = put_fields(lines, at, line);
	at = put_spaces(at, 2 * depth);
	switch (line->kind) {
	case FC_LINE_CLOSING:
		at = put_literal(at, "}");
		if (line->result)
			at = put_literal(put_result(at, line->result, result_len), ";");
		at = put_color(lines, at, FC_TONE_DIM);
		at = put_name(put_literal(at, " /* "), name);
		if (line->written)
			at = put_text(put_literal(at, ": "), line->written, written_len);
		end_line(lines, put_notes(lines, at, line, name, true));
		return;
	case FC_LINE_ENTER:
		at = put_literal(at, "enter ");
		break;
	case FC_LINE_LEAVE:
		at = put_literal(at, "leave ");
		break;
	default:
		break;
	}
	at = put_name(at, name);
	if (line->args)
		at = put_args(lines, at, line, args_len, depth, name->len + result_len);
	else if (name->has_parens && line->kind <= FC_LINE_OPENING)
		at = put_literal(at, "()");
	if (line->result)
		at = put_result(at, line->result, result_len);
	if (line->kind == FC_LINE_LEAF)
		at = put_literal(at, ";");
	else if (line->kind == FC_LINE_OPENING)
		at = put_literal(at, " {");
	if (line->written)
		at = put_text(put_literal(put_color(lines, at, FC_TONE_DIM), " /* "),
			      line->written, written_len);
	end_line(lines, put_notes(lines, at, line, name, line->written));
}

void fc_lines_comment(struct fc_lines *lines, const struct fc_line *line, const char *text)
{
	size_t len = strlen(text);
	char *at = put_fields(lines, room_for(lines, LINE_ROOM + len), line);

	at = put_literal(put_color(lines, at, FC_TONE_DIM), "/* ");
	at = put_column(at, text, len, len, false);
	end_line(lines, put_color(lines, put_literal(at, " */"), FC_TONE_PLAIN));
}

void fc_lines_head(struct fc_lines *lines)
{
	const struct fc_fields *fields = lines->opts.fields;
	char *begin = room_for(lines, LINE_ROOM), *at = begin;

	for (size_t i = 0; i < fields->nr; i++)
		at = stpcpy(at, titles[fields->at[i]]);
	if (!fields->nr)
		at = put_literal(at, "# ");
	*begin = '#';
	end_line(lines, put_literal(at, "FUNCTION"));
}

void fc_lines_init(struct fc_lines *lines, const struct fc_lines_opts *opts)
{
	*lines = (struct fc_lines){ .opts = *opts };
	if (!opts->fields)
		lines->opts.fields = &fc_fields_tree;
	lines->is_usual = lines->opts.fields == &fc_fields_tree && !opts->is_colored;
}

void fc_lines_deinit(struct fc_lines *lines)
{
	fc_vec_each (&lines->names, name)
		free(name->text);
	fc_vec_free(&lines->names);
	fc_vec_free(&lines->text);
}
