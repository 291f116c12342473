/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_crunch.c - any bytes are safe to be summed by threads, and the sums are those of playing
 * the same trace in order.
 */
#include "base/fail.h"
#include "calls/play.h"
#include "read/sums/report.h"
#include "trace/reader.h"

#include "dress.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define RECORDS_MAX 300000 /* a forged packet may tell 64 Ki records in a few bytes */

static struct fc_name name_of(void *ctx, uint32_t func)
{
	return (struct fc_name){ .name = "f", .module = "m" };
}

static const struct fc_namer namer = { name_of, NULL };
static const struct fc_clock ticks = { .tsc1 = 1000, .mono1_ns = 1000 };

static bool is_small(struct fc_reader *reader)
{
	uint64_t records = 0;
	for (size_t i = 0; i < fc_reader_nr_strands(reader); i++) {
		struct fc_strand_totals sums;
		fc_reader_strand_totals(reader, i, &sums);
		records += sums.records;
	}
	return records <= RECORDS_MAX;
}

static struct fc_report *sum(struct fc_reader *reader, bool by_threads)
{
	static const struct fc_report_opts opts = { .has_hist = true };
	static const struct fc_play_opts play = { 0 };
	struct fc_report *report = NULL;
	if (by_threads) {
		if (fc_report_crunch(reader, &opts, 0, &report))
			abort();
		return report;
	}
	report = fc_report_create_as(&opts);
	fc_play(reader, &play, fc_report_sink(report));
	return report;
}

static struct fc_report_row *rows_of(struct fc_report *report, size_t *nr)
{
	struct fc_report_row *rows = NULL;
	if (fc_report_rows(report, "calls", &ticks, &namer, &rows, nr))
		abort();
	for (size_t i = 0; i < *nr; i++)
		rows[i].hist = NULL;
	return rows;
}

static void compare(struct fc_report *a, struct fc_report *b)
{
	size_t nr_a, nr_b;
	struct fc_report_row *x = rows_of(a, &nr_a), *y = rows_of(b, &nr_b);
	if (nr_a != nr_b || (nr_a && memcmp(x, y, nr_a * sizeof(*x))) ||
	    fc_report_waited(a) != fc_report_waited(b))
		abort();
	free(x);
	free(y);
	fc_report_destroy(a);
	fc_report_destroy(b);
}

/* A reader leaves out what it once found damaged: each way has its own. */
static void sum_both_ways(const uint8_t *bytes, size_t size)
{
	struct fc_reader *a = NULL, *b = NULL;
	if (fc_reader_open_memory(bytes, size, "fuzz", &a))
		return;
	if (is_small(a) && !fc_reader_open_memory(bytes, size, "fuzz", &b)) {
		compare(sum(a, true), sum(b, false));
		fc_reader_close(b);
	}
	fc_reader_close(a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fc_fail_clear();
	with_trace(data, size, sum_both_ways);
	return 0;
}
