/* SPDX-License-Identifier: Apache-2.0 */
/* figure.c - columns of a row become figures, and a sentence is written with them. */
#include "read/why/figure.h"

#include <assert.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"

/* ---- a row ---- */

static struct fc_figure take_column(sqlite3_stmt *stmt, int column)
{
	struct fc_figure figure = { .name = fc_strdup(sqlite3_column_name(stmt, column)) };

	switch (sqlite3_column_type(stmt, column)) {
	case SQLITE_INTEGER:
		figure.kind = FC_FIGURE_INT;
		figure.number = sqlite3_column_int64(stmt, column);
		break;
	case SQLITE_FLOAT:
		figure.kind = FC_FIGURE_REAL;
		figure.real = sqlite3_column_double(stmt, column);
		break;
	case SQLITE_NULL:
		break;
	default:
		figure.kind = FC_FIGURE_TEXT;
		figure.text = fc_strdup((const char *)sqlite3_column_text(stmt, column));
	}
	return figure;
}

void fc_figures_take(struct fc_figures *figures, sqlite3_stmt *stmt)
{
	for (int i = 0; i < sqlite3_column_count(stmt); i++)
		fc_vec_push(&figures->list, take_column(stmt, i));
}

void fc_figures_deinit(struct fc_figures *figures)
{
	fc_vec_each (&figures->list, figure) {
		free(figure->name);
		free(figure->text);
	}
	fc_vec_free(&figures->list);
}

const struct fc_figure *fc_figures_find(const struct fc_figures *figures, const char *name,
					size_t len)
{
	fc_vec_each (&figures->list, figure)
		if (strlen(figure->name) == len && !memcmp(figure->name, name, len))
			return figure;
	return NULL;
}

static double number_of(const struct fc_figure *figure)
{
	return figure->kind == FC_FIGURE_INT ? (double)figure->number : figure->real;
}

double fc_figures_number(const struct fc_figures *figures, const char *name)
{
	const struct fc_figure *figure = fc_figures_find(figures, name, strlen(name));

	return figure ? number_of(figure) : 0;
}

/* ---- numbers as people write them ---- */

static void append_time(char **text, double ns)
{
	static const struct {
		double ns;
		const char *unit;
	} units[] = { { 1e9, "s" }, { 1e6, "ms" }, { 1e3, "us" }, { 1, "ns" } };
	size_t i = 0;

	while (i < 3 && ns < units[i].ns * 0.9995)
		i++;
	double value = ns / units[i].ns;
	int digits = i == 3 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
	fc_append(text, "%.*f %s", digits, value, units[i].unit);
}

static void append_share(char **text, double share)
{
	double percent = share * 100;

	if (percent > 0 && percent < 0.05) {
		fc_append(text, "less than 0.1 %%");
		return;
	}
	fc_append(text, "%.*f %%", percent >= 9.95 ? 0 : 1, percent);
}

/* "40 000"; four digits stay together. */
static void append_grouped(char **text, int64_t number)
{
	char digits[32];
	int len = snprintf(digits, sizeof(digits), "%" PRId64, number);
	int first = *digits == '-';

	for (int i = 0; i < len; i++) {
		bool is_group = i > first && (len - i) % 3 == 0 && len - first > 4;
		fc_append(text, "%s%c", is_group ? " " : "", digits[i]);
	}
}

static void append_real(char **text, double number)
{
	if (number >= 99.95)
		append_grouped(text, (int64_t)(number + 0.5));
	else
		fc_append(text, "%.*f", number >= 9.995 ? 0 : 1, number);
}

static bool ends_with(const char *name, size_t len, const char *end)
{
	size_t nr = strlen(end);
	return len >= nr && !memcmp(name + len - nr, end, nr);
}

static void append_figure(char **text, const struct fc_figure *figure)
{
	size_t len = strlen(figure->name);

	if (figure->kind == FC_FIGURE_TEXT)
		fc_append(text, "%s", figure->text);
	else if (ends_with(figure->name, len, "_ns"))
		append_time(text, number_of(figure));
	else if (ends_with(figure->name, len, "share"))
		append_share(text, number_of(figure));
	else if (figure->kind == FC_FIGURE_INT)
		append_grouped(text, figure->number);
	else
		append_real(text, figure->real);
}

static void append_quoted(char **text, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_-+=./:,@%";

	if (*word && !word[strspn(word, plain)]) {
		fc_append(text, "%s", word);
		return;
	}
	fc_append(text, "'");
	for (; *word; word++)
		fc_append(text, *word == '\'' ? "'\\''" : "%c", *word);
	fc_append(text, "'");
}

/* ---- templates ---- */

struct place {
	const struct fc_figure *figure;
	char how;	 /* 's', 'q', or 0 */
	const char *end; /* behind its } */
};

static struct place find_place(const struct fc_figures *figures, const char *at)
{
	size_t len = strcspn(at + 1, ":}");
	const char *end = at + 1 + len;
	struct place place = { .figure = fc_figures_find(figures, at + 1, len),
			       .how = *end == ':' ? end[1] : 0 };

	assert(place.figure);
	place.end = strchr(end, '}') + 1;
	return place;
}

/* Is a figure between here and ] NULL? */
static bool has_null(const struct fc_figures *figures, const char *at)
{
	for (; *at != ']'; at++)
		if (*at == '{' && find_place(figures, at).figure->kind == FC_FIGURE_NULL)
			return true;
	return false;
}

static void fill(char **text, const struct place *place)
{
	const struct fc_figure *figure = place->figure;

	if (place->how == 's')
		fc_append(text, "%s", number_of(figure) == 1 ? "" : "s");
	else if (place->how == 'q')
		append_quoted(text, figure->kind == FC_FIGURE_TEXT ? figure->text : "");
	else
		append_figure(text, figure);
}

char *fc_figures_sentence(const struct fc_figures *figures, const char *template)
{
	char *text = fc_strdup("");

	for (const char *at = template; *at;) {
		if (*at == '{') {
			struct place place = find_place(figures, at);
			fill(&text, &place);
			at = place.end;
			if (!strncmp(at, "()", 2) && ends_with(text, strlen(text), ")"))
				at += 2;
		} else if (*at == '[') {
			at = has_null(figures, at) ? strchr(at, ']') + 1 : at + 1;
		} else {
			if (*at != ']')
				fc_append(&text, "%c", *at);
			at++;
		}
	}
	return text;
}
