/* SPDX-License-Identifier: Apache-2.0 */
/* values.c - narrows bounds by the comparisons of a WHERE. */
#include "read/query/values.h"

#include <string.h>

const char fc_letters[] = "=<>lgG";

/* The letter for SQLite's operator, 0: not one that we know what to do with. */
static char letter_of(unsigned char op)
{
	switch (op) {
	case SQLITE_INDEX_CONSTRAINT_EQ:
		return '=';
	case SQLITE_INDEX_CONSTRAINT_LT:
		return '<';
	case SQLITE_INDEX_CONSTRAINT_LE:
		return 'l';
	case SQLITE_INDEX_CONSTRAINT_GT:
		return '>';
	case SQLITE_INDEX_CONSTRAINT_GE:
		return 'g';
	case SQLITE_INDEX_CONSTRAINT_GLOB:
		return 'G';
	default:
		return 0;
	}
}

struct fc_bounds fc_bounds_all(void)
{
	return (struct fc_bounds){ INT64_MIN, INT64_MAX };
}

static void narrow(struct fc_bounds *bounds, struct fc_bounds by)
{
	if (by.min > bounds->min)
		bounds->min = by.min;
	if (by.max < bounds->max)
		bounds->max = by.max;
}

static void narrow_by_int(struct fc_bounds *bounds, char letter, int64_t v)
{
	const struct fc_bounds none = { 1, 0 };
	struct fc_bounds by = fc_bounds_all();

	switch (letter) {
	case '=':
		by = (struct fc_bounds){ v, v };
		break;
	case '<':
		by.max = v - (v > INT64_MIN);
		by = v == INT64_MIN ? none : by;
		break;
	case 'l':
		by.max = v;
		break;
	case '>':
		by.min = v + (v < INT64_MAX);
		by = v == INT64_MAX ? none : by;
		break;
	case 'g':
		by.min = v;
		break;
	default:
		break;
	}
	narrow(bounds, by);
}

/* A little more than what is meant, so that nothing depends on how doubles are rounded. */
static void narrow_by_double(struct fc_bounds *bounds, char letter, double v)
{
	struct fc_bounds by = fc_bounds_all();

	if (!(v > -9e15 && v < 9e15)) /* beyond, not every integer is a double */
		return;
	if (letter != '<' && letter != 'l')
		by.min = (int64_t)v - 1;
	if (letter != '>' && letter != 'g')
		by.max = (int64_t)v + 1;
	narrow(bounds, by);
}

void fc_bounds_narrow(struct fc_bounds *bounds, char letter, sqlite3_value *value)
{
	switch (sqlite3_value_type(value)) {
	case SQLITE_INTEGER:
		narrow_by_int(bounds, letter, sqlite3_value_int64(value));
		break;
	case SQLITE_FLOAT:
		narrow_by_double(bounds, letter, sqlite3_value_double(value));
		break;
	case SQLITE_NULL: /* never true */
		*bounds = (struct fc_bounds){ 1, 0 };
		break;
	default:
		break;
	}
}

/* The first tick that is told as so many ns, or more. */
static uint64_t tick_of(const struct fc_clock *clock, uint64_t ns)
{
	uint64_t low = clock->tsc0, high = clock->tsc0 + (1ull << 62);

	if (high < low)
		high = UINT64_MAX;
	while (low < high) {
		uint64_t middle = low + (high - low) / 2;
		if (fc_clock_ns(clock, middle) < ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void fc_ticks_of_bounds(const struct fc_clock *clock, const struct fc_bounds *ns, uint64_t *min,
			uint64_t *max)
{
	*min = ns->min > 0 ? tick_of(clock, (uint64_t)ns->min) : 0;
	*max = ns->max == INT64_MAX ? UINT64_MAX : tick_of(clock, (uint64_t)ns->max + 1) - 1;
}

/* Names are compared byte by byte, or not by us. */
static bool is_binary(sqlite3_index_info *info, int i)
{
	const char *collation = sqlite3_vtab_collation(info, i);
	return !collation || !sqlite3_stricmp(collation, "BINARY");
}

int fc_constraints_take(sqlite3_index_info *info, const char *const *letters, int nr_columns,
			unsigned *has)
{
	char *text = sqlite3_malloc(info->nConstraint * FC_CONSTRAINT_CHARS + 1);
	int nr = 0;

	if (!text)
		return -1;
	for (int i = 0; i < info->nConstraint; i++) {
		const struct sqlite3_index_constraint *constraint = &info->aConstraint[i];
		int column = constraint->iColumn;
		char letter = letter_of(constraint->op);
		if (!constraint->usable || !letter || column < 0 || column >= nr_columns ||
		    !letters[column] || !strchr(letters[column], letter) || !is_binary(info, i))
			continue;
		text[nr * FC_CONSTRAINT_CHARS] = (char)('a' + column);
		text[nr * FC_CONSTRAINT_CHARS + 1] = letter;
		info->aConstraintUsage[i].argvIndex = ++nr;
		has[column] |= 1u << (strchr(fc_letters, letter) - fc_letters);
	}
	text[nr * FC_CONSTRAINT_CHARS] = 0;
	info->idxStr = text;
	info->needToFreeIdxStr = 1;
	return nr;
}
