/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/options/summed_options.h"

#include "cmd/options/parse.h"
#include "cmd/options/srclines.h"
#include "cmd/out/say.h"
#include "show/export/format.h"

static int set_by_calls(struct fc_settings *settings, const char *arg)
{
	settings->export.summed.by_calls = true;
	return 0;
}

const struct fc_option fc_option_summed_by_calls = {
	0,
	"by-calls",
	NULL,
	"numbers of calls instead of times, in formats that sum",
	set_by_calls,
};

static int set_by_thread(struct fc_settings *settings, const char *arg)
{
	settings->export.summed.by_thread = true;
	return 0;
}

const struct fc_option fc_option_summed_by_thread = {
	0,
	"by-thread",
	NULL,
	"stacks of each thread apart, in formats of stacks",
	set_by_thread,
};

static int set_min(struct fc_settings *settings, const char *arg)
{
	double percent = 0;
	int err = fc_parse_percent(arg, &percent);
	settings->export.summed.min = percent / 100;
	settings->export.summed.has_min = true;
	return err;
}

const struct fc_option fc_option_summed_min = {
	0,
	"min",
	"PERCENT",
	"in pictures: what has less than this share of the whole is summed (default: what "
	"could "
	"not be seen)",
	set_min,
};

bool fc_summed_is_possible(const struct fc_summed_settings *settings,
			   const struct fc_format *format)
{
	const struct {
		bool is_asked, is_possible;
		const char *option, *why;
	} asked[] = {
		{ settings->by_calls, format->can_by_calls, "by-calls",
		  "holds no sums by calls" },
		{ settings->by_thread, format->can_by_thread, "by-thread", "holds no stacks" },
		{ settings->has_min, format->can_min, "min", "leaves nothing out" },
		{ fc_srclines_are_asked(), format->can_source, "srcline", "names no sources" },
	};

	for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++) {
		if (!asked[i].is_asked || asked[i].is_possible)
			continue;
		fc_say("--%s: %s %s", asked[i].option, format->name, asked[i].why);
		return false;
	}
	return true;
}
