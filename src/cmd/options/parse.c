/* SPDX-License-Identifier: Apache-2.0 */
/* parse.c - parses times, sizes, shares, numbers and words. */
#include "cmd/options/parse.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/nearest.h"

int fc_parse_number(const char *arg, unsigned long max, const char *what, unsigned long *ret)
{
	char *end = NULL;

	errno = 0;
	unsigned long n = strtoul(arg, &end, 10);
	if (errno || *arg < '0' || *arg > '9' || *end || n < 1 || n > max)
		return fc_fail(EINVAL, "%s: not %s; say a whole number from 1 to %lu", arg,
			       what, max);
	*ret = n;
	return 0;
}

int fc_bad_time(const char *arg)
{
	return fc_fail(EINVAL, "%s: not a time; say it as 10us, 5ms or 1s", arg);
}

static double unit_ns(const char *unit)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = { { "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 } };

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (!strcmp(unit, units[i].name))
			return units[i].ns;
	}
	return 0;
}

int fc_parse_time(const char *arg, uint64_t *ret)
{
	size_t len = strspn(arg, "0123456789.");
	char *end = NULL;
	double n = strtod(arg, &end);
	double ns = n * unit_ns(arg + len);

	if (!len || end != arg + len || !unit_ns(arg + len) || !(ns < 1e18))
		return fc_bad_time(arg);
	*ret = (uint64_t)ns;
	return 0;
}

int fc_parse_size(const char *arg, uint64_t *ret)
{
	static const char units[] = "KMG";
	char *end = NULL;

	errno = 0;
	unsigned long n = strtoul(arg, &end, 10);
	const char *unit = *end ? strchr(units, toupper((unsigned char)*end)) : NULL;
	int shift = unit ? 10 * (int)(unit - units + 1) : 0;
	if (errno || *arg < '0' || *arg > '9' || (*end && !unit) || (unit && end[1]) ||
	    n > UINT64_MAX >> shift)
		return fc_fail(EINVAL, "%s: not a size; say it as 64K, 1M or 16M", arg);
	*ret = (uint64_t)n << shift;
	return 0;
}

int fc_parse_percent(const char *arg, double *ret)
{
	size_t len = strspn(arg, "0123456789.");
	char *end = NULL;
	double percent = strtod(arg, &end);

	if (!len || end != arg + len || (*end && strcmp(end, "%")) ||
	    !(percent >= 0 && percent <= 100))
		return fc_fail(EINVAL, "%s: not a percentage; give one such as 5 or 0.5%%",
			       arg);
	*ret = percent;
	return 0;
}

/* "a|b|c" as "a, b or c". */
static char *spoken(const char *words)
{
	char *ret = fc_strdup("");

	for (const char *between = ""; *words; words++) {
		size_t len = strcspn(words, "|,");
		fc_append(&ret, "%s%.*s", between, (int)len, words);
		words += len;
		if (!*words)
			break;
		between = strpbrk(words + 1, "|,") ? ", " : " or ";
	}
	return ret;
}

int fc_parse_word(const char *arg, const char *words, uint32_t *ret)
{
	const char *word = words;

	for (uint32_t i = 0;; i++) {
		size_t len = strcspn(word, "|,");
		if (strlen(arg) == len && !memcmp(arg, word, len)) {
			*ret = i;
			return 0;
		}
		if (!word[len])
			break;
		word += len + 1;
	}
	struct fc_nearest nearest;
	fc_nearest_begin(&nearest, arg, strlen(arg));
	fc_nearest_offer_list(&nearest, words);
	fc_auto_free char *all = spoken(words), *rest = fc_asprintf("say %s", all);
	fc_auto_free char *hint = fc_nearest_hint(&nearest, "", rest);
	return fc_fail(EINVAL, "%s: unknown%s", arg, hint);
}
