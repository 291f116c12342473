/* SPDX-License-Identifier: Apache-2.0 */
/* libdw.c - collects the rows of line tables with libdw. */
#include "dwarf/libdw.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/memory.h"
#include "base/order.h"
#include "base/vec.h"
#include "dwarf/handle.h"
#include "dwarf/types/texts.h"
#include "dwarf/unitrows.h"

enum {
	MOST_UNITS = 4 << 20,
	MOST_RANGES = 16 << 20,
	MOST_ROWS = 8 << 20,	/* of a unit */
	LIBDW_ROWS = 1 << 20,	/* with more than that in its memory, libdw begins anew */
	KEPT_BYTES = 256 << 20, /* with more than that, ours is given back */
	FREE_ROWS = 16 << 20,
	FREE_RANGES = 1 << 20,
};

struct unit {
	Dwarf_Off off;
	enum { UNREAD, READ, BAD } state;
	struct fc_unitrows rows;
};

/* Code of a unit. */
struct range {
	uint64_t begin, end; /* vaddr */
	uint32_t unit, nr;
};

struct fc_dwarf_lines {
	struct fc_dwarf_handle handle;
	FC_VEC(struct unit) units;
	FC_VEC(struct range) ranges;	 /* by begin */
	uint64_t rows_left, ranges_left; /* which may be gone through still */
	uint64_t libdw_rows;		 /* that libdw keeps */
	uint64_t rows_bytes;		 /* of those that are kept here */
	struct fc_texts paths;
	bool is_padded; /* its units are zeros, which is none */
	enum fc_dwarf_wrong wrong;
};

static void note(struct fc_dwarf_lines *lines, enum fc_dwarf_wrong wrong)
{
	if (!lines->wrong)
		lines->wrong = wrong;
}

/* Take nr from what is left. False: the file says the same too often. */
static bool spend(struct fc_dwarf_lines *lines, uint64_t *left, uint64_t nr)
{
	if (nr > *left) {
		*left = 0;
		note(lines, FC_DWARF_SHARED);
		return false;
	}
	*left -= nr;
	return true;
}

/* ---- units ---- */

static void add_range(struct fc_dwarf_lines *lines, uint64_t begin, uint64_t end)
{
	size_t nr = lines->ranges.nr;
	if (begin < end)
		fc_vec_push(
			&lines->ranges,
			(struct range){ begin, end, (uint32_t)lines->units.nr, (uint32_t)nr });
}

static void add_unit(struct fc_dwarf_lines *lines, Dwarf_Die *die)
{
	size_t before = lines->ranges.nr;
	Dwarf_Addr base = 0, begin = 0, end = 0;
	ptrdiff_t at = 0;
	while ((at = dwarf_ranges(die, at, &base, &begin, &end)) > 0) {
		if (lines->ranges.nr >= MOST_RANGES)
			note(lines, FC_DWARF_MANY);
		if (lines->ranges.nr >= MOST_RANGES || !spend(lines, &lines->ranges_left, 1))
			break;
		add_range(lines, begin, end);
	}
	if (at < 0)
		note(lines, FC_DWARF_DAMAGED);
	if (lines->ranges.nr > before)
		fc_vec_push(&lines->units, (struct unit){ .off = dwarf_dieoffset(die) });
}

/* Of those that begin at the same place, the last counts. */
static int by_begin(const void *a, const void *b)
{
	const struct range *left = a, *right = b;

	return fc_order(left->begin, right->begin) ?: fc_order(left->nr, right->nr);
}

/*
 * A table of which unit an address is in (.debug_aranges) is not written by every compiler, and
 * has gaps: the units tell.
 */
static void add_units(struct fc_dwarf_lines *lines)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die die;
	uint8_t type;
	int is_end;

	while (!(is_end = dwarf_get_units(lines->handle.dwarf, cu, &cu, NULL, &type, &die,
					  NULL))) {
		if (lines->units.nr >= MOST_UNITS) {
			note(lines, FC_DWARF_MANY);
			break;
		}
		if (dwarf_tag(&die) == DW_TAG_invalid)
			note(lines, FC_DWARF_DAMAGED);
		else if ((type == DW_UT_compile || type == DW_UT_skeleton) &&
			 dwarf_hasattr(&die, DW_AT_stmt_list))
			add_unit(lines, &die);
	}
	if (is_end < 0 && (cu || !lines->is_padded))
		note(lines, FC_DWARF_DAMAGED);
	fc_vec_sort(&lines->ranges, by_begin);
}

/* ---- open ---- */

struct fc_dwarf_lines *fc_dwarf_lines_open(const struct fc_image *image,
					   const struct fc_image *alt,
					   const struct fc_dwarf_size *size)
{
	struct fc_dwarf_lines *lines = fc_alloc(sizeof(*lines));
	uint64_t nr_bytes = size->lines < UINT32_MAX ? size->lines : UINT32_MAX;

	/* A row takes a byte at least, a range two. Units that were forgotten are read again. */
	lines->rows_left = FREE_ROWS + 3 * nr_bytes;
	lines->ranges_left = FREE_RANGES + size->ranges / 2;
	lines->is_padded = fc_dwarf_is_padding(image);
	fc_dwarf_handle_init(&lines->handle, image, alt, FC_DWARF_LINES);
	if (lines->handle.dwarf)
		add_units(lines);
	else
		note(lines, FC_DWARF_DAMAGED);
	return lines;
}

/* ---- find ---- */

/* The last of nr ranges, in order, that begins at or below addr; nr: none does. */
static size_t last_below(const struct range *ranges, size_t nr, uint64_t addr)
{
	size_t low = fc_bisect(ranges, nr, range, range->begin <= addr);
	return low ? low - 1 : nr;
}

/* Ranges of code that was left out by the linker may lie over others: a few are tried. */
static struct unit *find_unit(const struct fc_dwarf_lines *lines, uint64_t addr)
{
	enum { TRIED = 16 };
	size_t nr = lines->ranges.nr, at = last_below(lines->ranges.at, nr, addr);

	for (size_t i = 0; at < nr && i < TRIED && i <= at; i++)
		if (addr < lines->ranges.at[at - i].end)
			return &lines->units.at[lines->ranges.at[at - i].unit];
	return NULL;
}

/* libdw takes a line program's numbers as they come: a line below 0 tells that they are none. */
static bool has_lines_below_0(Dwarf_Lines *rows, size_t nr)
{
	int line;
	for (size_t i = 0; i < nr; i++)
		if (dwarf_lineno(dwarf_onesrcline(rows, i), &line) || line < 0)
			return true;
	return false;
}

static void forget_all(struct fc_dwarf_lines *lines)
{
	fc_vec_each (&lines->units, unit) {
		unit->state = unit->state == READ ? UNREAD : unit->state;
		fc_unitrows_deinit(&unit->rows);
	}
	fc_texts_deinit(&lines->paths);
	lines->rows_bytes = 0;
}

/* The numbers of a unit's paths, by file; 0: not known yet. */
struct numbers {
	FC_VEC(uint32_t) by_file;
};

/* 0: it has no path, or none that can be said. */
static uint32_t path_of(struct fc_dwarf_lines *lines, struct numbers *numbers, Dwarf_Line *row)
{
	Dwarf_Files *files;
	size_t file;

	if (dwarf_line_file(row, &files, &file))
		return 0;
	uint32_t *number = fc_vec_make(&numbers->by_file, file);
	const char *path = *number ? NULL : dwarf_filesrc(files, file, NULL, NULL);
	if (path && *path && strlen(path) < FC_DWARF_PATH)
		*number = fc_texts_add(&lines->paths, path);
	return *number;
}

static struct fc_unitrow row_of(struct fc_dwarf_lines *lines, struct numbers *numbers,
				Dwarf_Line *from)
{
	struct fc_unitrow row = { 0 };
	bool is_end = false;
	int line = 0;

	dwarf_lineaddr(from, &row.addr);
	dwarf_lineendsequence(from, &is_end);
	dwarf_lineno(from, &line);
	row.path = is_end || line <= 0 || line >= FC_DWARF_UNREAD
			   ? 0
			   : path_of(lines, numbers, from);
	row.line = row.path ? (uint32_t)line : 0;
	return row;
}

static void keep_rows(struct fc_dwarf_lines *lines, struct unit *unit, Dwarf_Lines *rows,
		      size_t nr)
{
	struct numbers numbers = { 0 };

	for (size_t i = 0; i < nr; i++)
		fc_unitrows_add(&unit->rows,
				row_of(lines, &numbers, dwarf_onesrcline(rows, i)));
	fc_unitrows_trim(&unit->rows);
	fc_vec_free(&numbers.by_file);
	lines->rows_bytes += fc_unitrows_nr_bytes(&unit->rows);
}

static bool read_rows(struct fc_dwarf_lines *lines, struct unit *unit, Dwarf_Die *die)
{
	Dwarf_Lines *rows;
	size_t nr;

	errno = 0; /* libdw tells of missing memory in words only */
	if (dwarf_getsrclines(die, &rows, &nr)) {
		note(lines, errno == ENOMEM ? FC_DWARF_MANY : FC_DWARF_DAMAGED);
		return false;
	}
	lines->libdw_rows += nr;
	if (nr > MOST_ROWS)
		note(lines, FC_DWARF_MANY);
	else if (has_lines_below_0(rows, nr))
		note(lines, FC_DWARF_DAMAGED);
	else if (spend(lines, &lines->rows_left, nr)) {
		keep_rows(lines, unit, rows, nr);
		return true;
	}
	return false;
}

static void read_unit(struct fc_dwarf_lines *lines, struct unit *unit)
{
	Dwarf_Die die;

	if (lines->rows_bytes + lines->paths.nr_bytes > KEPT_BYTES)
		forget_all(lines);
	if (lines->libdw_rows > LIBDW_ROWS) {
		fc_dwarf_handle_renew(&lines->handle);
		lines->libdw_rows = 0;
	}
	unit->state = BAD;
	if (lines->rows_left && lines->handle.dwarf &&
	    dwarf_offdie(lines->handle.dwarf, unit->off, &die) && read_rows(lines, unit, &die))
		unit->state = READ;
}

static void find(struct fc_dwarf_lines *lines, const struct unit *unit, uint64_t vaddr,
		 size_t i, struct fc_dwarf_answer *ret)
{
	const struct fc_unitrow *row = unit ? fc_unitrows_find(&unit->rows, vaddr) : NULL;

	fc_dwarf_answer_put(ret, i, row ? row->line : 0,
			    row ? fc_texts_get(&lines->paths, row->path) : "");
}

void fc_dwarf_lines_find(struct fc_dwarf_lines *lines, const struct fc_dwarf_question *question,
			 size_t nr, struct fc_dwarf_answer *ret)
{
	fc_dwarf_answer_clear(ret);
	for (size_t i = 0; i < nr; i++) {
		struct unit *unit = find_unit(lines, question->vaddrs[i]);
		if (i == 0 && unit && unit->state == UNREAD)
			read_unit(lines, unit);
		if (i == 0 || !unit || unit->state != UNREAD)
			find(lines, unit, question->vaddrs[i], i, ret);
	}
	ret->wrong = lines->wrong;
}
