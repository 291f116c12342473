/* SPDX-License-Identifier: Apache-2.0 */
/* span.c - parses -r and --around. */
#include "cmd/options/span.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/whole.h"
#include "calls/wanted.h"
#include "cmd/options/parse.h"

#define WINDOW_NS (1000 * 1000)
#define S_NS	  1000000000ull
#define DAY_S	  (24 * 3600)

static int bad_moment(const char *arg)
{
	return fc_fail(EINVAL,
		       "%s: not a time; say it as 1.5s or 20ms since the start, 14:03:22.5 of "
		       "the day, or 10%%",
		       arg);
}

/* A fraction of a second behind its point. */
static bool parse_fraction(const char *at, uint64_t *ns)
{
	uint64_t unit = S_NS;

	if (!*at)
		return true;
	if (*at++ != '.' || !*at)
		return false;
	for (; *at >= '0' && *at <= '9'; at++) {
		unit /= 10;
		*ns += unit * (uint64_t)(*at - '0');
	}
	return !*at;
}

/* HH:MM or HH:MM:SS.SSS, with YYYY-MM-DD before it, or not. */
static int parse_clock(const char *arg, struct fc_moment *ret)
{
	struct tm tm = { 0 };
	const char *end = strptime(arg, "%Y-%m-%d", &tm);

	ret->how = FC_MOMENT_CLOCK;
	if (end && (*end == ' ' || *end == 'T')) {
		ret->year = tm.tm_year;
		ret->month = tm.tm_mon;
		ret->day = tm.tm_mday;
		end++;
	} else {
		end = arg;
	}
	const char *rest = strptime(end, "%H:%M:%S", &tm);
	if (!rest) {
		tm.tm_sec = 0;
		rest = strptime(end, "%H:%M", &tm);
	}
	uint64_t ns = 0;
	if (!rest || !parse_fraction(rest, &ns))
		return bad_moment(arg);
	ret->ns = ns + S_NS * (uint64_t)(tm.tm_hour * 3600 + tm.tm_min * 60 + tm.tm_sec);
	return 0;
}

static int parse_share(const char *arg, struct fc_moment *ret)
{
	char *end = NULL;
	double percent = strtod(arg, &end);

	if (*arg < '0' || *arg > '9' || strcmp(end, "%") || !(percent <= 100))
		return fc_fail(EINVAL, "%s: not a share; say it as 10%%, up to 100%%", arg);
	*ret = (struct fc_moment){ .how = FC_MOMENT_SHARE, .share = percent / 100 };
	return 0;
}

static int parse_since(const char *arg, struct fc_moment *ret)
{
	bool has_unit = arg[strspn(arg, "0123456789.")];
	fc_auto_free char *text = fc_asprintf("%s%s", arg, has_unit ? "" : "s");

	ret->how = FC_MOMENT_SINCE;
	if (!*arg || fc_parse_time(text, &ret->ns))
		return bad_moment(arg);
	return 0;
}

static int parse_moment(const char *arg, struct fc_moment *ret)
{
	size_t len = strlen(arg);

	*ret = (struct fc_moment){ 0 };
	if (strchr(arg, ':'))
		return parse_clock(arg, ret);
	return len && arg[len - 1] == '%' ? parse_share(arg, ret) : parse_since(arg, ret);
}

static bool has_span(const struct fc_span *span)
{
	if (span->text)
		fc_fail(EINVAL, "and %s: one -r or --around at a time", span->text);
	return span->text;
}

int fc_span_parse(const char *arg, struct fc_span *ret)
{
	fc_auto_free char *text = fc_strdup(arg);
	char *to = strchr(text, '~');

	if (has_span(ret))
		return -EINVAL;
	if (!to || (to == text && !to[1]))
		return fc_fail(EINVAL, "%s: not a range; say it as 1.5s~2s, 1.5s~ or ~10%%",
			       arg);
	*to++ = 0;
	*ret = (struct fc_span){ .text = arg };
	int err = *text ? parse_moment(text, &ret->from) : 0;
	return err || !*to ? err : parse_moment(to, &ret->to);
}

int fc_span_parse_around(const char *arg, struct fc_span *ret)
{
	fc_auto_free char *text = fc_strdup(arg);
	char *window = strchr(text, ',');

	if (has_span(ret))
		return -EINVAL;
	if (window)
		*window++ = 0;
	*ret = (struct fc_span){ .text = arg, .is_around = true, .window_ns = WINDOW_NS };
	int err = parse_moment(text, &ret->from);
	return err || !window ? err : fc_parse_time(window, &ret->window_ns);
}

/* ---- in a trace ---- */

/* Nanoseconds since 1970 of a time on this day. */
static int64_t clock_ns(struct tm day, uint64_t ns)
{
	day.tm_hour = (int)(ns / S_NS / 3600);
	day.tm_min = (int)(ns / S_NS / 60 % 60);
	day.tm_sec = (int)(ns / S_NS % 60);
	day.tm_isdst = -1;
	return (int64_t)mktime(&day) * (int64_t)S_NS + (int64_t)(ns % S_NS);
}

/* Without a date: on the day when the trace began, or the next one, if it reaches there. */
static int64_t since_clock(const struct fc_moment *moment, const struct fc_clock *clock,
			   uint64_t duration_ns)
{
	time_t begin = (time_t)(clock->real0_ns / S_NS);
	struct tm day = { 0 };

	localtime_r(&begin, &day);
	if (moment->day) {
		day.tm_year = moment->year;
		day.tm_mon = moment->month;
		day.tm_mday = moment->day;
	}
	int64_t since = clock_ns(day, moment->ns) - (int64_t)clock->real0_ns;
	if (since >= 0 || moment->day)
		return since;
	day.tm_mday++;
	int64_t next = clock_ns(day, moment->ns) - (int64_t)clock->real0_ns;
	return next <= (int64_t)duration_ns ? next : since;
}

/* Nanoseconds since the start; may be before it. */
static int64_t since_start(const struct fc_moment *moment, const struct fc_clock *clock,
			   uint64_t duration_ns)
{
	switch (moment->how) {
	case FC_MOMENT_SINCE:
		return (int64_t)moment->ns;
	case FC_MOMENT_SHARE:
		return fc_whole_signed(moment->share * (double)duration_ns);
	default:
		return since_clock(moment, clock, duration_ns);
	}
}

static int nothing_there(const struct fc_span *span, const struct fc_clock *clock,
			 uint64_t duration_ns)
{
	time_t times[2] = { (time_t)(clock->real0_ns / S_NS),
			    (time_t)((clock->real0_ns + duration_ns) / S_NS) };
	char text[2][16] = { "", "" };
	char lasts[FC_CLOCK_TEXT];

	for (int i = 0; i < 2; i++) {
		struct tm tm = { 0 };
		localtime_r(&times[i], &tm);
		strftime(text[i], sizeof(text[i]), "%H:%M:%S", &tm);
	}
	fc_clock_ns_text(duration_ns, lasts);
	return fc_fail(ENOENT, "%s: the trace has nothing there; it lasts %s, from %s to %s",
		       span->text, lasts, text[0], text[1]);
}

static uint64_t tsc_of(const struct fc_clock *clock, int64_t ns)
{
	return ns > 0 ? clock->tsc0 + fc_clock_ticks_of(clock, (uint64_t)ns) : 0;
}

int fc_span_find(const struct fc_span *span, struct fc_reader *reader, uint64_t *from_tsc,
		 uint64_t *to_tsc)
{
	const struct fc_clock *clock = fc_reader_clock(reader);

	*from_tsc = *to_tsc = 0;
	if (!span->text)
		return 0;
	uint64_t duration_ns = fc_reader_duration_ns(reader);
	int64_t lasts = (int64_t)duration_ns;
	int64_t from = span->from.how ? since_start(&span->from, clock, duration_ns) : 0;
	int64_t to = span->to.how ? since_start(&span->to, clock, duration_ns) : INT64_MAX;
	if (span->is_around) {
		to = from + (int64_t)span->window_ns;
		from -= (int64_t)span->window_ns;
	}
	if (to < from)
		return fc_fail(EINVAL, "%s: ends before it begins", span->text);
	if (from > lasts || to < 0)
		return nothing_there(span, clock, duration_ns);
	*from_tsc = tsc_of(clock, from);
	if (to <= lasts && !(span->to.how == FC_MOMENT_SHARE && span->to.share >= 1))
		*to_tsc = to > 0 ? tsc_of(clock, to) : clock->tsc0 + 1;
	return 0;
}
