/* SPDX-License-Identifier: Apache-2.0 */
#include "dwarf/linetable.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/cleanup.h"
#include "base/fail.h"
#include "base/foreign.h"
#include "base/memory.h"
#include "base/vec.h"
#include "dwarf/dwarf.h"
#include "dwarf/unit.h"
#include "dwarf/unitlines.h"
#include "elf/content.h"
#include "elf/debugfile.h"
#include "elf/image.h"

enum {
	MOST_UNITS = 4 << 20,
	MOST_RANGES = 16 << 20,
	MOST_ROWS = 16 << 20, /* in memory at a time */
};

/* A path is made when it is asked for first. */
struct path {
	uint32_t file;
	char *text;
};

struct unit {
	uint64_t off;
	struct fc_unitlines *lines; /* NULL: not read, or not known */
	bool is_known;
	FC_VEC(struct path) paths;
};

/* Code of a unit. */
struct range {
	uint64_t begin, end; /* vaddr */
	uint32_t unit, nr;
};

struct fc_linetable {
	struct fc_content content;
	struct fc_image image;
	struct fc_debugfile debug, alt;
	struct fc_dwarf dwarf;
	FC_VEC(struct unit) units;
	FC_VEC(struct range) ranges; /* by begin */
	size_t nr_rows;
};

static int open_file(const char *path, struct fc_content *ret)
{
	struct stat st;
	fc_auto_close int fd = fc_foreign_open(AT_FDCWD, path, &st);

	if (fd == -EISDIR || fd == -EINVAL)
		return fc_fail(ENOENT, "%s: not a file", path);
	if (fd < 0)
		return fc_fail(-fd, "%s: %s", path, fc_foreign_why(fd));
	int err = fc_content_map(fd, &st, ret);
	if (err == -EFBIG)
		return fc_fail(EFBIG, "%s: it has more than %d GiB", path, FC_CONTENT_FILE_GIB);
	return err ? fc_fail(-err, "%s: %s", path, strerror(-err)) : 0;
}

static int check_build_id(const struct fc_image *image, const char *path, const char *expected)
{
	char found[41];

	fc_image_build_id(image, found);
	if (!strcmp(found, expected))
		return 0;
	return fc_fail(ESTALE,
		       "%s: not the file that was traced: its build-id is %.16s, that of the "
		       "trace %.16s",
		       path, *found ? found : "missing", *expected ? expected : "missing");
}

/* ---- units ---- */

static bool add_range(void *ctx, uint64_t begin, uint64_t end)
{
	struct fc_linetable *table = ctx;
	size_t nr = table->ranges.nr;

	if (nr >= MOST_RANGES) {
		fc_dwarf_too_much(&table->dwarf);
		return false;
	}
	if (begin < end)
		fc_vec_push(
			&table->ranges,
			(struct range){ begin, end, (uint32_t)table->units.nr, (uint32_t)nr });
	return true;
}

static void add_unit(struct fc_linetable *table, const struct fc_dwarf_unit *unit)
{
	size_t before = table->ranges.nr;
	uint64_t off;

	if (!unit->has_code || !fc_dwarf_unit_lines(unit, &off))
		return;
	fc_dwarf_unit_ranges(&table->dwarf, unit, add_range, table);
	if (table->ranges.nr > before)
		fc_vec_push(&table->units, (struct unit){ .off = unit->off });
}

/* Of those that begin at the same place, the last counts. */
static int by_begin(const void *a, const void *b)
{
	const struct range *left = a, *right = b;

	if (left->begin != right->begin)
		return left->begin < right->begin ? -1 : 1;
	return (left->nr > right->nr) - (left->nr < right->nr);
}

/*
 * A table of which unit an address is in (.debug_aranges) is not written by every compiler, and
 * has gaps: the units tell.
 */
static void add_units(struct fc_linetable *table)
{
	struct fc_dwarf_unit unit = { 0 };

	while (fc_dwarf_unit_read(&table->dwarf, unit.next, &unit)) {
		if (table->units.nr >= MOST_UNITS) {
			fc_dwarf_too_much(&table->dwarf);
			break;
		}
		add_unit(table, &unit);
	}
	if (table->ranges.nr)
		qsort(table->ranges.at, table->ranges.nr, sizeof(struct range), by_begin);
}

/* ---- open and close ---- */

/* The image that has debug information: the file's own, or its debug file's. */
static int find_image(struct fc_linetable *table, const char *path, const struct fc_image **ret,
		      const char **ret_path)
{
	*ret = &table->image;
	*ret_path = path;
	if (fc_dwarf_is_in(*ret))
		return 0;
	*ret = &table->debug.image;
	if (fc_debugfile_open(&table->debug, FC_DEBUGFILE_LINES, &table->image, path)) {
		*ret_path = table->debug.path;
		return 0;
	}
	if (table->debug.unread)
		return fc_fail(EFBIG, "%s: %s", path, table->debug.unread);
	return fc_fail(ENODATA, "%s: no debug information was found", path);
}

static int read_file(struct fc_linetable *table, const char *path, const char *build_id)
{
	const struct fc_image *image;
	const char *image_path;
	int err = open_file(path, &table->content);

	if (err)
		return err;
	if (fc_image_init(&table->image, table->content.at, table->content.size, path))
		return fc_fail(ESTALE,
			       "%s: not the file that was traced: it is no 64-bit ELF "
			       "file",
			       path);
	err = check_build_id(&table->image, path, build_id);
	if (!err)
		err = find_image(table, path, &image, &image_path);
	if (err)
		return err;
	bool has_alt = fc_debugfile_open_alt(&table->alt, image, image_path);
	fc_dwarf_init(&table->dwarf, image, has_alt ? &table->alt.image : NULL);
	add_units(table);
	return 0;
}

int fc_linetable_open(const char *path, const char *build_id, struct fc_linetable **ret)
{
	struct fc_linetable *table = fc_alloc(sizeof(*table));
	int err = read_file(table, path, build_id);

	if (err)
		fc_linetable_close(table);
	else
		*ret = table;
	return err;
}

void fc_linetable_close(struct fc_linetable *table)
{
	if (!table)
		return;
	fc_vec_each (&table->units, unit) {
		fc_unitlines_free(unit->lines);
		fc_vec_each (&unit->paths, path)
			free(path->text);
		fc_vec_free(&unit->paths);
	}
	fc_vec_free(&table->units);
	fc_vec_free(&table->ranges);
	fc_dwarf_deinit(&table->dwarf);
	fc_debugfile_close(&table->debug);
	fc_debugfile_close(&table->alt);
	fc_image_deinit(&table->image);
	fc_content_close(&table->content);
	free(table);
}

const char *fc_linetable_wrong(const struct fc_linetable *table)
{
	if (fc_content_is_torn(&table->content) || fc_content_is_torn(&table->debug.content))
		return "it became shorter while it was read";
	return table->dwarf.wrong;
}

/* ---- find ---- */

/* The last of nr ranges, in order, that begins at or below addr; nr: none does. */
static size_t last_below(const struct range *ranges, size_t nr, uint64_t addr)
{
	size_t low = fc_bisect(ranges, nr, range, range->begin <= addr);
	return low ? low - 1 : nr;
}

/* Ranges of code that was left out by the linker may lie over others: a few are tried. */
static struct unit *find_unit(const struct fc_linetable *table, uint64_t addr)
{
	enum { TRIED = 16 };
	size_t nr = table->ranges.nr, at = last_below(table->ranges.at, nr, addr);

	for (size_t i = 0; at < nr && i < TRIED && i <= at; i++)
		if (addr < table->ranges.at[at - i].end)
			return &table->units.at[table->ranges.at[at - i].unit];
	return NULL;
}

static void forget_all(struct fc_linetable *table)
{
	fc_vec_each (&table->units, unit) {
		unit->is_known &= !unit->lines;
		fc_unitlines_free(fc_take(unit->lines));
	}
	table->nr_rows = 0;
}

static const struct fc_unitlines *lines_of(struct fc_linetable *table, struct unit *unit)
{
	struct fc_dwarf_unit head;

	if (unit->is_known)
		return unit->lines;
	if (table->nr_rows > MOST_ROWS)
		forget_all(table);
	unit->is_known = true;
	if (!fc_dwarf_unit_read(&table->dwarf, unit->off, &head))
		return NULL;
	unit->lines = fc_unitlines_read(&table->dwarf, &head);
	table->nr_rows += unit->lines ? fc_unitlines_nr_rows(unit->lines) : 0;
	return unit->lines;
}

static const char *path_of(struct fc_linetable *table, struct unit *unit, uint32_t file)
{
	fc_vec_each (&unit->paths, path)
		if (path->file == file)
			return path->text;
	char *text = fc_unitlines_path(&table->dwarf, unit->lines, file);
	fc_vec_push(&unit->paths, (struct path){ file, text });
	return text;
}

bool fc_linetable_find(struct fc_linetable *table, uint64_t vaddr, const char **file, int *line)
{
	struct unit *unit = find_unit(table, vaddr);
	const struct fc_unitlines *lines = unit ? lines_of(table, unit) : NULL;
	uint32_t nr;

	*file = lines && fc_unitlines_find(lines, vaddr, &nr, line) ? path_of(table, unit, nr)
								    : NULL;
	return *file;
}
