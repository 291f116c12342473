/* SPDX-License-Identifier: Apache-2.0 */
/*
 * html_values.c - what the calls of the page's time line were given and returned: a text behind a
 * span's name, as in `open("/etc/passwd", O_RDONLY) = 3`.
 *
 * There is room for so many bytes: the longest calls come first.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/order.h"
#include "base/printable.h"
#include "calls/call_text.h"
#include "show/export/html/html_data.h"

#define MAX_BYTES  (1 << 20) /* of all of them */
#define MAX_ARGS   160	     /* bytes of one, so that a result can be seen */
#define MAX_RESULT 80

struct long_span {
	uint64_t longest;
	size_t i;
};

static int compare(const void *a, const void *b)
{
	const struct long_span *x = a, *y = b;

	return fc_order(y->longest, x->longest) ?: fc_order(x->i, y->i);
}

/* How much of a text is shown: not within a character. */
static int fit(const char *text, size_t most)
{
	size_t len = strlen(text), end = 0;

	if (len <= most)
		return (int)len;
	for (;;) {
		size_t nr = fc_utf8_len(text + end, len - end);
		nr = nr ? nr : 1;
		if (end + nr > most)
			return (int)end;
		end += nr;
	}
}

static const char *dots(const char *text, int nr)
{
	return text[nr] ? "…" : "";
}

static char *text_of(const struct fc_html_data *data, const struct fc_timeline_span *span)
{
	struct fc_value_text args, result;
	bool has_args = fc_call_args_text(data->values, span->values, &args);
	bool has_result = fc_call_result_text(data->values, span->values, &result);

	if (!has_args && !has_result)
		return NULL;
	int nr_args = fit(args.at, MAX_ARGS), nr_result = fit(result.at, MAX_RESULT);
	const char *parens = fc_name_parens(data->namer.name_of(data->namer.ctx, span->func));
	return fc_asprintf("%s%.*s%s%s%s%.*s%s", has_args ? "(" : parens, nr_args, args.at,
			   dots(args.at, nr_args), has_args ? ")" : "", has_result ? " = " : "",
			   nr_result, result.at, dots(result.at, nr_result));
}

void fc_html_values_init(struct fc_html_names *names)
{
	const struct fc_timeline *timeline = names->data->timeline;
	size_t nr = fc_timeline_nr(timeline), nr_long = 0, bytes = 0;

	if (!names->data->values)
		return;
	struct long_span *spans = fc_alloc((nr + 1) * sizeof(*spans));
	names->values = fc_alloc((nr + 1) * sizeof(*names->values));
	for (size_t i = 0; i < nr; i++)
		if (fc_timeline_span(timeline, i)->values)
			spans[nr_long++] =
				(struct long_span){ fc_timeline_span(timeline, i)->longest, i };
	qsort(spans, nr_long, sizeof(*spans), compare);
	for (size_t i = 0; i < nr_long; i++) {
		char *text = text_of(names->data, fc_timeline_span(timeline, spans[i].i));
		bytes += text ? strlen(text) : 0;
		if (bytes <= MAX_BYTES) {
			names->values[spans[i].i] = text;
		} else {
			names->nr_valueless += text != NULL;
			free(text);
		}
	}
	free(spans);
}

void fc_html_values_deinit(struct fc_html_names *names)
{
	size_t nr = fc_timeline_nr(names->data->timeline);

	for (size_t i = 0; names->values && i < nr; i++)
		free(names->values[i]);
	free(names->values);
}
