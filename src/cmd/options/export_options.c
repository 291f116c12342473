/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/options/export_options.h"

#include <errno.h>
#include <string.h>

#include "base/fail.h"
#include "show/export/format.h"

static int set_format(struct fc_settings *settings, const char *arg)
{
	settings->export.format = fc_format_find(arg);
	return settings->export.format
		       ? 0
		       : fc_fail(EINVAL, "%s: no such format; fctrace export --help lists them",
				 arg);
}

const struct fc_option fc_option_export_format = {
	'f',	    "format",
	"FORMAT",   "one of those below (default: what -o FILE's suffix says)",
	set_format,
};

static int set_output(struct fc_settings *settings, const char *arg)
{
	if (!*arg)
		return fc_fail(EINVAL, "the empty word names no file to export to");
	settings->export.output = strcmp(arg, "-") ? arg : NULL;
	return 0;
}

const struct fc_option fc_option_export_output = {
	'o',	    "output",
	"FILE",	    "the file, or for ctf the folder, to write (default: stdout)",
	set_output,
};
