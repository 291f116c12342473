/* SPDX-License-Identifier: Apache-2.0 */
/* funcset.c - keeps the functions that a comparison in a WHERE leaves. */
#include "read/query/funcset.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "read/query/inside.h"
#include "trace/record.h"

void fc_funcset_deinit(struct fc_funcset *funcs)
{
	free(funcs->bits);
	*funcs = (struct fc_funcset){ 0 };
}

static bool has(const struct fc_funcset *funcs, size_t id)
{
	return !funcs->bits || (id < funcs->nr && funcs->bits[id / 8] >> id % 8 & 1);
}

static struct fc_funcset none_of(size_t nr)
{
	return (struct fc_funcset){ fc_alloc(nr / 8 + 1), nr };
}

static void add(struct fc_funcset *funcs, size_t id)
{
	funcs->bits[id / 8] |= (uint8_t)(1u << id % 8);
}

static void replace(struct fc_funcset *funcs, struct fc_funcset by)
{
	free(funcs->bits);
	*funcs = by;
}

void fc_funcset_keep_ids(struct fc_funcset *funcs, const struct fc_reader *reader,
			 const struct fc_bounds *bounds)
{
	int64_t min = bounds->min > 1 ? bounds->min : 1;
	int64_t max = bounds->max < FC_FUNC_MAX ? bounds->max : FC_FUNC_MAX;
	struct fc_funcset left = none_of(max < min ? 0 : (size_t)max + 1);

	for (int64_t id = min; id <= max; id++)
		if (has(funcs, (size_t)id))
			add(&left, (size_t)id);
	replace(funcs, left);
}

static bool is_named(const struct fc_query *query, uint32_t id, bool is_module, char letter,
		     const char *text)
{
	struct fc_name name = query->opts.namer.name_of(query->opts.namer.ctx, id);
	const char *own = is_module ? name.module : name.name;
	return letter == 'G' ? !sqlite3_strglob(text, own) : !strcmp(text, own);
}

void fc_funcset_keep_named(struct fc_funcset *funcs, const struct fc_query *query,
			   bool is_module, char letter, sqlite3_value *value)
{
	if (sqlite3_value_type(value) == SQLITE_NULL) {
		replace(funcs, none_of(0));
		return;
	}
	const char *text = (const char *)sqlite3_value_text(value);
	uint32_t nr = fc_reader_max_func(query->reader) + 1;
	/* Of functions that the trace tells nothing of there may be any number. */
	if (sqlite3_value_type(value) != SQLITE_TEXT || !text ||
	    strlen(text) != (size_t)sqlite3_value_bytes(value) ||
	    is_named(query, nr, is_module, letter, text))
		return;
	struct fc_funcset left = none_of(nr);
	for (uint32_t id = 1; id < nr; id++)
		if (has(funcs, id) && is_named(query, id, is_module, letter, text))
			add(&left, id);
	replace(funcs, left);
}
