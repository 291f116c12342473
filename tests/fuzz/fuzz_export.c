/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_export.c - any bytes are safe to be exported, in each format that is one file. */
#include "base/fail.h"
#include "calls/play.h"
#include "show/export/format.h"
#include "trace/reader.h"

#include "dress.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define RECORDS_MAX 20000 /* a forged packet may tell 64 Ki records in a few bytes */

static struct fc_name name_of(void *ctx, uint32_t func)
{
	struct fc_func_ref ref = fc_reader_func(ctx, func);

	return (struct fc_name){ .name = ref.name, .module = ref.module ? ref.module : "" };
}

static int drop(void *ctx, const void *data, size_t len)
{
	return 0;
}

static void on_life(void *ctx, const struct fc_life_info *life)
{
	struct fc_exporter *exporter = ctx;

	if (exporter->life)
		exporter->life(exporter, life);
}

static void export_as(const struct fc_format *format, struct fc_reader *reader, bool is_odd)
{
	struct fc_stream out;
	struct fc_export_opts opts = { .reader = reader,
				       .clock = fc_reader_clock(reader),
				       .namer = { name_of, reader },
				       .out = &out,
				       .by_calls = is_odd,
				       .by_wait = !is_odd && format->can_by_wait &&
						  fc_reader_off_funcs(reader),
				       .by_thread = is_odd,
				       .min = is_odd ? 0 : -1 };

	fc_stream_init(&out, drop, NULL);
	struct fc_exporter *exporter = format->create(&opts);
	if (exporter) {
		struct fc_play_opts play = { .life = on_life, .ctx = exporter };
		fc_play(reader, &play, fc_exporter_sink(exporter));
		if (exporter->end)
			exporter->end(exporter);
		exporter->destroy(exporter);
	}
	fc_stream_deinit(&out);
}

static bool is_small(struct fc_reader *reader)
{
	struct fc_totals totals;

	fc_reader_totals(reader, &totals);
	return totals.records <= RECORDS_MAX;
}

static void export_all(const uint8_t *bytes, size_t size)
{
	struct fc_reader *reader = NULL;

	if (fc_reader_open_memory(bytes, size, "fuzz", &reader))
		return;
	for (size_t i = 0; fc_formats[i] && is_small(reader); i++) {
		if (!fc_formats[i]->is_folder)
			export_as(fc_formats[i], reader, size % 2);
	}
	fc_reader_close(reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fc_fail_clear();
	with_trace(data, size, export_all);
	return 0;
}
