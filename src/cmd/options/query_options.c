/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/options/query_options.h"

#include <errno.h>

#include "base/fail.h"

static int set_csv(struct fc_settings *settings, const char *arg)
{
	settings->query.csv = true;
	return 0;
}

const struct fc_option fc_option_query_csv = {
	0, "csv", NULL, "as CSV: a line of names, then a line a row", set_csv,
};

static int set_to_sqlite(struct fc_settings *settings, const char *arg)
{
	if (!*arg)
		return fc_fail(EINVAL, "wants the name of a file to be made");
	settings->query.to_sqlite = arg;
	return 0;
}

const struct fc_option fc_option_query_to_sqlite = {
	0,
	"to-sqlite",
	"FILE",
	"write all tables into FILE, a new SQLite database",
	set_to_sqlite,
};
