/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/options/callers_options.h"

#include <errno.h>

#include "base/fail.h"

/* Each is a table of its own. */
static int check_first(const struct fc_settings *settings, const char *arg)
{
	const struct fc_callers_settings *s = &settings->callers;

	if (s->callers || s->callees || s->top_rate)
		return fc_fail(EINVAL, "%s: one of --callers, --callees and --top-rate, once",
			       arg);
	return 0;
}

static int set_callers(struct fc_settings *settings, const char *arg)
{
	int err = check_first(settings, arg);
	settings->callers.callers = arg;
	return err ? err : fc_glob_check(arg);
}

const struct fc_option fc_option_callers = {
	0,	     "callers", "FUNC", "who calls FUNC, how often, and what time that takes",
	set_callers,
};

static int set_callees(struct fc_settings *settings, const char *arg)
{
	int err = check_first(settings, arg);
	settings->callers.callees = arg;
	return err ? err : fc_glob_check(arg);
}

const struct fc_option fc_option_callees = {
	0,	     "callees", "FUNC", "whom FUNC calls, how often, and what time that takes",
	set_callees,
};

static int set_top_rate(struct fc_settings *settings, const char *arg)
{
	int err = check_first(settings, "");
	settings->callers.top_rate = true;
	return err;
}

const struct fc_option fc_option_top_rate = {
	0,
	"top-rate",
	NULL,
	"what is called too often: functions by their calls for each call of the caller",
	set_top_rate,
};
