/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/options/replay_options.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "cmd/options/parse.h"
#include "cmd/options/srclines.h"

static int set_range(struct fc_settings *settings, const char *arg)
{
	return fc_span_parse(arg, &settings->span);
}

const struct fc_option fc_option_range = {
	'r',
	NULL,
	"FROM~TO",
	"only what lies between: since the start as 1.5s or 20ms, time of day as 14:03:22.5, "
	"share as 10%; either side may be missing",
	set_range,
};

static int set_around(struct fc_settings *settings, const char *arg)
{
	return fc_span_parse_around(arg, &settings->span);
}

const struct fc_option fc_option_around = {
	0,
	"around",
	"TIME[,WINDOW]",
	"only what lies around that time, by WINDOW (default 1ms) before and after",
	set_around,
};

static int set_first(struct fc_settings *settings, const char *arg)
{
	unsigned long n = 0;
	int err = fc_parse_number(arg, INT_MAX, "a number of lines", &n);
	settings->replay.first = n;
	return err;
}

const struct fc_option fc_option_first = {
	0, "first", "N", "only the first N lines", set_first,
};

static int set_last(struct fc_settings *settings, const char *arg)
{
	unsigned long n = 0;
	int err = fc_parse_number(arg, INT_MAX, "a number of lines", &n);
	settings->replay.last = n;
	return err;
}

const struct fc_option fc_option_last = {
	0, "last", "N", "only the last N lines", set_last,
};

static int field_named(const char *name, enum fc_field *ret)
{
	static const char *const words[] = {
		[FC_FIELD_DURATION] = "duration",
		[FC_FIELD_TID] = "tid",
		[FC_FIELD_PID] = "pid",
		[FC_FIELD_TIME] = "time",
		[FC_FIELD_DELTA] = "delta",
		[FC_FIELD_ELAPSED] = "elapsed",
		[FC_FIELD_MODULE] = "module",
		[FC_FIELD_SRCLINE] = "srcline",
		[FC_NR_FIELDS] = NULL,
	};
	int i = 0;
	int err = fc_parse_word(name, words, &i);
	*ret = (enum fc_field)i;
	return err;
}

static int add_field(struct fc_settings *settings, const char *name)
{
	struct fc_fields *fields = &settings->replay.fields;
	enum fc_field field;
	int err = field_named(name, &field);

	if (err)
		return err;
	for (size_t i = 0; i < fields->nr; i++)
		if (fields->at[i] == field)
			return 0;
	fields->at[fields->nr++] = (uint8_t)field;
	return field == FC_FIELD_SRCLINE ? fc_option_srcline.set(settings, NULL) : 0;
}

static int set_fields(struct fc_settings *settings, const char *arg)
{
	struct fc_fields *fields = &settings->replay.fields;
	fc_auto_free char *words = fc_strdup(*arg == '+' ? arg + 1 : arg);
	char *rest = words;

	*fields = *arg == '+' ? fc_fields_tree : (struct fc_fields){ 0 };
	settings->replay.has_fields = true;
	if (!strcmp(arg, "none"))
		return 0;
	for (char *word = strsep(&rest, ","); word; word = strsep(&rest, ",")) {
		int err = add_field(settings, word);
		if (err)
			return err;
	}
	return 0;
}

const struct fc_option fc_option_fields = {
	'f',
	NULL,
	"FIELDS",
	"what stands before each function: duration, tid, pid, time (of day), elapsed (since "
	"the "
	"start), delta (since the thread's line before), module, srcline; +FIELDS: besides "
	"duration and tid; none",
	set_fields,
	"duration,tid,pid,time,elapsed,delta,module,srcline",
};

static int set_flat(struct fc_settings *settings, const char *arg)
{
	settings->replay.is_flat = true;
	return 0;
}

const struct fc_option fc_option_flat = {
	0,	  "flat", NULL, "no tree: a line for each enter and each leave, with its time",
	set_flat,
};

static int set_no_merge(struct fc_settings *settings, const char *arg)
{
	settings->replay.no_merge = true;
	return 0;
}

const struct fc_option fc_option_no_merge = {
	0, "no-merge", NULL, "two lines also for a call that makes none", set_no_merge,
};

static int set_color(struct fc_settings *settings, const char *arg)
{
	static const char *const words[] = { "auto", "always", "never", NULL };
	int i = 0;
	int err = fc_parse_word(arg, words, &i);
	settings->replay.color = (enum fc_when)i;
	return err;
}

const struct fc_option fc_option_color = {
	0,
	"color",
	"auto|always|never",
	"colours: on a terminal, unless NO_COLOR is set (default), always, never",
	set_color,
};

static int set_no_pager(struct fc_settings *settings, const char *arg)
{
	settings->replay.no_pager = true;
	return 0;
}

const struct fc_option fc_option_no_pager = {
	0, "no-pager", NULL, "no pager, even on a terminal", set_no_pager,
};

static int set_pid(struct fc_settings *settings, const char *arg)
{
	unsigned long n = 0;
	int err = fc_parse_number(arg, INT_MAX, "a process id", &n);
	settings->pid = (int)n;
	return err;
}

const struct fc_option fc_option_pid = {
	0, "pid", "PID", "only this process", set_pid,
};
