/* SPDX-License-Identifier: Apache-2.0 */
/* option.c - writes an option's argument into the settings. */
#include "cmd/options/option.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include "base/fail.h"
#include "calls/wanted.h"
#include "cmd/options/parse.h"

int fc_option_take(const struct fc_option *option, struct fc_settings *settings,
		   const char *arg)
{
	return option->set ? option->set(settings, arg)
			   : option->put(option, (char *)settings + option->at, arg);
}

int fc_put_flag(const struct fc_option *option, void *at, const char *arg)
{
	*(bool *)at = true;
	return 0;
}

int fc_put_text(const struct fc_option *option, void *at, const char *arg)
{
	*(const char **)at = arg;
	return 0;
}

int fc_put_file(const struct fc_option *option, void *at, const char *arg)
{
	return *arg ? fc_put_text(option, at, arg) : fc_fail(EINVAL, "an empty file name");
}

int fc_put_glob(const struct fc_option *option, void *at, const char *arg)
{
	*(const char **)at = arg;
	return fc_glob_check(arg);
}

int fc_put_globs(const struct fc_option *option, void *at, const char *arg)
{
	return fc_globs_add(at, arg);
}

int fc_put_number(const struct fc_option *option, void *at, const char *arg)
{
	unsigned long n = 0;
	int err = fc_parse_number(arg, INT_MAX, option->what, &n);

	*(uint32_t *)at = (uint32_t)n;
	return err;
}

int fc_put_count(const struct fc_option *option, void *at, const char *arg)
{
	struct fc_count *count = at;

	*count = (struct fc_count){ .is_asked = true };
	return strcmp(arg, "0") ? fc_put_number(option, &count->nr, arg) : 0;
}

int fc_put_word(const struct fc_option *option, void *at, const char *arg)
{
	return fc_parse_word(arg, option->words ? option->words : option->arg, at);
}

int fc_put_time(const struct fc_option *option, void *at, const char *arg)
{
	return fc_parse_time(arg, at);
}

int fc_put_share(const struct fc_option *option, void *at, const char *arg)
{
	double percent = 0;
	int err = fc_parse_percent(arg, &percent);

	*(struct fc_share *)at = (struct fc_share){ .is_asked = true, .part = percent / 100 };
	return err;
}
