/* SPDX-License-Identifier: Apache-2.0 */
/* unitrows.c - merges neighbouring rows of a line table. */
#include "dwarf/unitrows.h"

#include <stdlib.h>

#include "base/bisect.h"
#include "base/memory.h"

static const struct fc_unitrow *last_of(const struct fc_unitrows *rows)
{
	return rows->rows.nr ? &rows->rows.at[rows->rows.nr - 1] : NULL;
}

void fc_unitrows_add(struct fc_unitrows *rows, struct fc_unitrow row)
{
	const struct fc_unitrow *last = last_of(rows);

	if (last && last->addr == row.addr) {
		rows->rows.nr--;
		last = last_of(rows);
	}
	if (!last || last->path != row.path || last->line != row.line)
		fc_vec_push(&rows->rows, row);
}

void fc_unitrows_trim(struct fc_unitrows *rows)
{
	size_t nr = rows->rows.nr;

	if (!nr)
		return;
	rows->rows.at = fc_realloc(rows->rows.at, nr * sizeof(*rows->rows.at));
	rows->rows.room = nr;
}

const struct fc_unitrow *fc_unitrows_find(const struct fc_unitrows *rows, uint64_t addr)
{
	size_t nr = fc_bisect(rows->rows.at, rows->rows.nr, row, row->addr <= addr);
	return nr && rows->rows.at[nr - 1].line ? &rows->rows.at[nr - 1] : NULL;
}

uint64_t fc_unitrows_nr_bytes(const struct fc_unitrows *rows)
{
	return rows->rows.nr * sizeof(*rows->rows.at);
}

void fc_unitrows_deinit(struct fc_unitrows *rows)
{
	fc_vec_free(&rows->rows);
}
