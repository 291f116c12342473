/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/reading.h"

#include <errno.h>
#include <string.h>

#include "analyze/play.h"
#include "base/fail.h"
#include "cmd/output.h"
#include "cmd/say.h"

bool fc_reading_open(int argc, char **argv, struct fc_reader **ret, int *status)
{
	if (argc > 1) {
		fc_say("%s: one trace at a time", argv[1]);
		*status = FC_STATUS_USAGE;
		return false;
	}
	int err = fc_reader_open(argc ? argv[0] : FC_DEFAULT_TRACE, ret);
	if (!err)
		return true;
	fc_say("%s%s", fc_fail_text()[0] ? fc_fail_text() : strerror(-err),
	       !argc && err == -ENOENT ? "; fctrace record makes one" : "");
	*status = FC_STATUS_UNUSABLE;
	return false;
}

int fc_reading_close(struct fc_reader *reader)
{
	const char *trouble = fc_reader_trouble(reader);
	int status = trouble ? FC_STATUS_INCOMPLETE : FC_STATUS_OK;

	if (trouble)
		fc_say("%s", trouble);
	fc_reader_close(reader);
	return status;
}

static struct fc_name name_of(void *ctx, uint32_t func)
{
	struct fc_func_ref ref = fc_reader_func(ctx, func);
	return (struct fc_name){ ref.name, ref.module ? ref.module : "" };
}

struct fc_namer fc_reading_namer(struct fc_reader *reader)
{
	return (struct fc_namer){ .name_of = name_of, .ctx = reader };
}

static int play_filtered(const struct fc_settings *settings, struct fc_reader *reader,
			 const struct fc_play_opts *opts, struct fc_call_sink *sink)
{
	struct fc_namer namer = fc_reading_namer(reader);
	struct fc_filter_opts filter_opts =
		fc_settings_filter(settings, fc_reader_clock(reader), &namer);
	struct fc_filter *filter = fc_filter_create(&filter_opts, sink);
	int err = fc_play(reader, opts, fc_filter_sink(filter));

	if (!err && !fc_output_is_over())
		fc_settings_say_unmatched(settings, filter);
	fc_filter_destroy(filter);
	return err;
}

static bool has_thread(const struct fc_reader *reader, int tid)
{
	for (size_t i = 0; i < fc_reader_nr_strands(reader); i++) {
		if (fc_reader_strand(reader, i)->tid == tid)
			return true;
	}
	return false;
}

bool fc_reading_play(const struct fc_settings *settings, struct fc_reader *reader,
		     const struct fc_play_opts *opts, struct fc_call_sink *sink, int *status)
{
	if (settings->tid && !has_thread(reader, settings->tid)) {
		fc_say("--tid %d: no such thread made a call in this trace", settings->tid);
		*status = FC_STATUS_NO;
		return false;
	}
	int err = fc_settings_filter_anything(settings)
			  ? play_filtered(settings, reader, opts, sink)
			  : fc_play(reader, opts, sink);
	if (!err)
		return true;
	fc_say("%s", fc_fail_text());
	*status = FC_STATUS_UNUSABLE;
	return false;
}
