/* SPDX-License-Identifier: Apache-2.0 */
/*
 * html.c - a page to look at: flame graph, time line, table, search; a file that needs no other.
 *
 *	<!doctype html> ... <script type="application/json" id="data"> DATA </script> ...
 *
 * The page is made of web/ when fctrace is built, and comes with it. All but DATA is the same in
 * each export.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "calls/kinds.h"
#include "calls/programs.h"
#include "calls/tee.h"
#include "show/export/format.h"
#include "show/export/html/html_data.h"
#include "trace/mark.h"

#define DATA_MARK "@fctrace-data@"

#define MAX_SPANS   60000
#define MAX_TRACKS  1000
#define MAX_LEVELS  64
#define MAX_STACK   250 /* levels of the flame graph */
#define MAX_MOMENTS 300

/* Empty when it was built without npm. */
static const char page[] = {
#include "html_page.h"
};

struct html {
	struct fc_exporter exporter;
	struct fc_stream *out;
	struct fc_tee tees[2];
	struct fc_call_sink *sums; /* by them data's report, stacks and timeline */
	struct fc_html_data data;
	struct fc_programs programs;
	uint32_t last_strand; /* that was entered */
	bool has_last;
};

static struct html *html_of(struct fc_call_sink *sink)
{
	return (struct html *)sink;
}

/* ---- told ---- */

/* A process may run other programs later, on stacks of their own. */
static void note_program(struct html *html, const struct fc_call *call)
{
	if (html->last_strand == call->strand && html->has_last)
		return;
	html->last_strand = call->strand;
	html->has_last = true;
	uint32_t *program = fc_strands_make(&html->data.programs_of, call->strand);
	if (program && !*program)
		*program = fc_programs_of(&html->programs, call->pid);
}

static void html_enter(struct fc_call_sink *sink, const struct fc_call *call)
{
	struct html *html = html_of(sink);

	note_program(html, call);
	html->sums->enter(html->sums, call);
}

static void html_leave(struct fc_call_sink *sink, const struct fc_call *call)
{
	struct html *html = html_of(sink);

	html->data.nr_told++;
	html->sums->leave(html->sums, call);
}

static void add_moment(struct html *html, const struct fc_html_moment *moment, const char *text)
{
	struct fc_html_moment kept = *moment;

	html->data.nr_moments++;
	if (html->data.moments.nr >= MAX_MOMENTS)
		return;
	kept.text = text && *text ? fc_strdup(text) : NULL;
	fc_vec_push(&html->data.moments, kept);
}

static void html_event(struct fc_call_sink *sink, const struct fc_event *event)
{
	struct html *html = html_of(sink);

	html->sums->event(html->sums, event);
	if (event->mark != FC_MARK_LOST)
		return;
	struct fc_html_moment moment = { .tsc = event->tsc,
					 .what = fc_mark_word(event->mark),
					 .pid = event->pid,
					 .tid = event->tid,
					 .value = (int64_t)fc_mark_lost(event) };
	add_moment(html, &moment, NULL);
}

static void html_earlier(struct fc_exporter *exporter, const struct fc_life_info *life)
{
	struct html *html = html_of(&exporter->sink);

	fc_programs_life(&html->programs, life);
	fc_stacks_life(html->data.stacks, life);
}

static void html_life(struct fc_exporter *exporter, const struct fc_life_info *life)
{
	struct html *html = html_of(&exporter->sink);
	const char *word = fc_life_word(life->life);

	html_earlier(exporter, life);
	if (fc_life_is_of_thread(life) || !word)
		return;
	struct fc_html_moment moment = {
		.tsc = life->tsc,
		.what = word,
		.pid = life->pid,
		.tid = life->tid,
		.value = life->life == FC_LIFE_EXIT ? life->status : life->other,
	};
	add_moment(html, &moment, life->text);
}

static void html_finish(struct fc_call_sink *sink)
{
	struct html *html = html_of(sink);

	html->sums->finish(html->sums);
}

/* ---- written ---- */

/*
 * In JSON a < stands within strings only, where it may be written so; with none in it, nothing of
 * the data can end the script that it stands in, or begin another.
 */
static int write_escaped(void *ctx, const void *data, size_t len)
{
	struct fc_stream *out = ctx;
	const char *text = data, *end = text + len;

	while (text < end) {
		const char *next = memchr(text, '<', (size_t)(end - text));
		fc_stream_put(out, text, (size_t)((next ? next : end) - text));
		if (!next)
			break;
		fc_stream_text(out, "\\u003c");
		text = next + 1;
	}
	return out->err;
}

static int put_data(struct html *html)
{
	struct fc_stream escaped;

	fc_stream_init(&escaped, write_escaped, html->out);
	int err = fc_html_data_put(&html->data, &escaped);
	fc_stream_flush(&escaped);
	fc_stream_deinit(&escaped);
	return err;
}

static int html_end(struct fc_exporter *exporter)
{
	struct html *html = html_of(&exporter->sink);
	const char *mark = strstr(page, DATA_MARK);

	fc_stream_put(html->out, page, (size_t)(mark - page));
	int err = put_data(html);
	fc_stream_text(html->out, mark + strlen(DATA_MARK));
	return err;
}

/* ---- */

static void html_destroy(struct fc_exporter *exporter)
{
	struct html *html = html_of(&exporter->sink);

	fc_report_destroy(html->data.report);
	fc_stacks_destroy(html->data.stacks);
	fc_timeline_destroy(html->data.timeline);
	fc_programs_deinit(&html->programs);
	fc_strands_deinit(&html->data.programs_of);
	fc_vec_each (&html->data.moments, moment)
		free(moment->text);
	fc_vec_free(&html->data.moments);
	free(html);
}

static int html_check(void)
{
	return *page ? 0
		     : fc_fail(ENOTSUP,
			       "html: this fctrace was built without the page; install "
			       "npm and build again with meson's option -Dhtml=enabled");
}

static struct fc_exporter *html_create(const struct fc_export_opts *opts)
{
	if (html_check())
		return NULL;
	const struct fc_stacks_opts stacks_opts = { .max_nodes = FC_STACKS_NODES,
						    .max_levels = MAX_STACK,
						    .by_thread = opts->by_thread };
	bool has_values = opts->values && fc_reader_nr_values(opts->reader);
	const struct fc_timeline_opts timeline_opts = { MAX_SPANS, MAX_TRACKS, MAX_LEVELS,
							has_values };

	struct html *html = fc_alloc(sizeof(*html));
	html->exporter = (struct fc_exporter){
		.sink = { html_enter, html_leave, html_event, html_finish },
		.life = html_life,
		.earlier = html_earlier,
		.end = html_end,
		.destroy = html_destroy,
	};
	html->out = opts->out;
	html->data = (struct fc_html_data){
		.reader = opts->reader,
		.namer = opts->namer,
		.values = has_values ? opts->values : NULL,
		.is_part = opts->is_part,
		.by_calls = opts->by_calls,
		.report = fc_report_create(),
		.stacks = fc_stacks_create(&stacks_opts),
		.timeline = fc_timeline_create(&timeline_opts),
		.programs = &html->programs,
		.programs_of = { .size = sizeof(uint32_t) },
	};
	fc_tee_init(&html->tees[0], fc_stacks_sink(html->data.stacks),
		    fc_timeline_sink(html->data.timeline));
	fc_tee_init(&html->tees[1], fc_report_sink(html->data.report), &html->tees[0].sink);
	html->sums = &html->tees[1].sink;
	return &html->exporter;
}

const struct fc_format fc_format_html = {
	.name = "html",
	.suffix = "html",
	.about = "a page for any browser: flame graph, time line, table, search",
	.can_by_calls = true,
	.can_by_thread = true,
	.check = html_check,
	.create = html_create,
};
