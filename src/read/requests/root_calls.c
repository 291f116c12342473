/* SPDX-License-Identifier: Apache-2.0 */
/* root_calls.c - calls of the root are found in a trace, and the slowest kept. */
#include "read/requests/root_calls.h"

#include <math.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/order.h"
#include "calls/filter.h"
#include "calls/play.h"
#include "read/query/seek.h"

/* ---- finding ---- */

/* A bit for each function that matches; false: none does. */
static bool find_funcs(struct fc_reader *reader, const struct fc_requests_opts *opts,
		       uint8_t *bits)
{
	struct fc_namer namer = opts->namer;
	bool is_any = false;

	for (uint32_t func = 1; func <= fc_reader_max_func(reader); func++) {
		if (!fc_namer_match(&namer, func, opts->root))
			continue;
		bits[func / 8] |= (uint8_t)(1 << func % 8);
		is_any = true;
	}
	return is_any;
}

static bool is_whole(const struct fc_call *call)
{
	return fc_call_is_own_end(call) && call->left != FC_LEFT_UNSEEN &&
	       !call->is_inherited && !call->is_resumed && call->end_tsc >= call->begin_tsc;
}

static int by_begin(const void *a, const void *b)
{
	const struct fc_root_call *x = a, *y = b;

	return fc_order(x->strand, y->strand) ?: fc_order(x->begin_tsc, y->begin_tsc)
						 ?: fc_order(y->end_tsc, x->end_tsc);
}

/* Of the calls of a strand, in order of their begins, those that are within none before. */
static void drop_inner(struct fc_requests *requests)
{
	size_t kept = 0;

	for (size_t i = 0; i < requests->list.nr; i++) {
		const struct fc_root_call *request = &requests->list.at[i];
		const struct fc_root_call *last = kept ? &requests->list.at[kept - 1] : NULL;
		if (last && last->strand == request->strand &&
		    request->begin_tsc < last->end_tsc)
			continue;
		requests->list.at[kept++] = *request;
	}
	requests->list.nr = kept;
}

static int by_time(const void *a, const void *b)
{
	const struct fc_root_call *x = a, *y = b;

	return fc_order(x->begin_tsc, y->begin_tsc) ?: fc_order(x->strand, y->strand);
}

static int by_duration(const void *a, const void *b)
{
	const struct fc_root_call *x = a, *y = b;

	return fc_order(fc_request_ticks(y), fc_request_ticks(x)) ?: fc_order(x->nr, y->nr);
}

static void sort(struct fc_requests *requests, int (*compare)(const void *, const void *))
{
	if (requests->list.nr)
		qsort(requests->list.at, requests->list.nr, sizeof(*requests->list.at),
		      compare);
}

static void put_in_order(struct fc_requests *requests)
{
	sort(requests, by_begin);
	drop_inner(requests);
	sort(requests, by_time);
	for (size_t i = 0; i < requests->list.nr; i++)
		requests->list.at[i].nr = i + 1;
	sort(requests, by_duration);
}

bool fc_requests_find(struct fc_reader *reader, const struct fc_requests_opts *opts,
		      struct fc_requests *ret)
{
	size_t nr_funcs = (size_t)fc_reader_max_func(reader) + 1;
	fc_auto_free uint8_t *bits = fc_alloc(nr_funcs / 8 + 1);

	if (!find_funcs(reader, opts, bits))
		return false;
	struct fc_scan_want want = fc_scan_want_all();
	want.funcs = bits;
	want.nr_funcs = nr_funcs;
	want.is_stopped = opts->is_stopped;
	want.ctx = opts->ctx;
	struct fc_scan *scan = fc_scan_create(reader, &want);
	struct fc_scan_row row;
	while (fc_scan_next(scan, &row) == 1) {
		const struct fc_call *call = &row.call;
		if (is_whole(call))
			fc_vec_push(&ret->list,
				    (struct fc_root_call){ call->begin_tsc, call->end_tsc,
							   call->func, call->strand, call->pid,
							   call->tid, 0 });
	}
	fc_scan_destroy(scan);
	put_in_order(ret);
	return ret->list.nr > 0;
}

void fc_requests_deinit(struct fc_requests *requests)
{
	fc_vec_free(&requests->list);
}

const struct fc_root_call *fc_requests_at(const struct fc_requests *requests, double share)
{
	size_t nr = requests->list.nr, place = (size_t)ceil(share * (double)nr);

	if (place < 1)
		place = 1;
	return &requests->list.at[nr - (place < nr ? place : nr)];
}

size_t fc_requests_slower(const struct fc_requests *requests, uint64_t ticks)
{
	size_t nr = 0;

	while (nr < requests->list.nr && fc_request_ticks(&requests->list.at[nr]) > ticks)
		nr++;
	return nr;
}

struct fc_graph *fc_request_graph(struct fc_reader *reader, const struct fc_requests_opts *opts,
				  const struct fc_root_call *request)
{
	struct fc_graph *graph = fc_graph_create(FC_GRAPH_NODES);
	struct fc_namer namer = opts->namer;
	char *only[] = { (char *)opts->root, NULL };
	struct fc_filter_opts filter_opts = {
		.only = only, .is_ordered = true, .match = fc_namer_match, .ctx = &namer
	};
	struct fc_filter *filter = fc_filter_create(&filter_opts, fc_graph_sink(graph));
	struct fc_play_opts play_opts = { .no_values = true,
					  .choice = { .strand = request->strand },
					  .range = { request->begin_tsc,
						     request->end_tsc + 1 } };

	fc_play(reader, &play_opts, fc_filter_sink(filter));
	fc_filter_destroy(filter);
	return graph;
}
