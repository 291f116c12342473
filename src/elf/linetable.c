/* SPDX-License-Identifier: Apache-2.0 */
#include "elf/linetable.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/vec.h"

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = dwfl_standard_find_debuginfo,
	.section_address = dwfl_offline_section_address,
};

/* Code of a compilation unit. */
struct range {
	uint64_t begin, end; /* vaddr */
	Dwarf_Die unit;
};

struct fc_linetable {
	Dwfl *dwfl;
	Dwarf *dwarf;
	uint64_t bias; /* of vaddr, to an address in dwarf */
	FC_VEC(struct range) ranges;
};

static int open_file(const char *path, int *ret)
{
	struct stat st;
	fc_auto_close int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		return fc_fail(errno, "%s: %s", path, strerror(errno));
	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		return fc_fail(ENOENT, "%s: not a file", path);
	*ret = fd;
	fd = -1;
	return 0;
}

static char *build_id_of(Dwfl_Module *module)
{
	const unsigned char *bits = NULL;
	GElf_Addr vaddr;
	int nr = dwfl_module_build_id(module, &bits, &vaddr);
	char *hex = fc_alloc(nr > 0 ? 2 * (size_t)nr + 1 : 1);

	for (int i = 0; i < nr; i++)
		sprintf(hex + 2 * (size_t)i, "%02x", bits[i]);
	return hex;
}

static int check_build_id(Dwfl_Module *module, const char *path, const char *expected)
{
	fc_auto_free char *found = build_id_of(module);

	if (!strcmp(found, expected))
		return 0;
	return fc_fail(ESTALE,
		       "%s: not the file that was traced: its build-id is %.16s, that of the "
		       "trace %.16s",
		       path, *found ? found : "missing", *expected ? expected : "missing");
}

static void add_unit(struct fc_linetable *table, Dwarf_Die *unit)
{
	Dwarf_Addr base = 0, begin = 0, end = 0;

	for (ptrdiff_t at = 0; (at = dwarf_ranges(unit, at, &base, &begin, &end)) > 0;)
		if (begin < end)
			fc_vec_push(&table->ranges, (struct range){ begin, end, *unit });
}

static int by_begin(const void *a, const void *b)
{
	const struct range *left = a, *right = b;
	return (left->begin > right->begin) - (left->begin < right->begin);
}

/*
 * clang writes no table of which unit an address is in (.debug_aranges), without which libdw
 * does not find it: the units tell.
 */
static void add_units(struct fc_linetable *table)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;
	uint8_t type;

	while (!dwarf_get_units(table->dwarf, cu, &cu, NULL, &type, &unit, NULL))
		if (type == DW_UT_compile || type == DW_UT_skeleton)
			add_unit(table, &unit);
	if (table->ranges.nr)
		qsort(table->ranges.at, table->ranges.nr, sizeof(struct range), by_begin);
}

/* fd is the module's when it was reported. */
static int read_file(struct fc_linetable *table, const char *path, const char *build_id, int fd)
{
	Dwarf_Addr bias = 0;

	table->dwfl = dwfl_begin(&callbacks);
	if (!table->dwfl) {
		close(fd);
		return fc_fail(ENOMEM, "%s: %s", path, dwfl_errmsg(-1));
	}
	dwfl_report_begin(table->dwfl);
	Dwfl_Module *module = dwfl_report_elf(table->dwfl, "", path, fd, 0, true);
	dwfl_report_end(table->dwfl, NULL, NULL);
	if (!module) {
		close(fd);
		return fc_fail(ENODATA, "%s: %s", path, dwfl_errmsg(-1));
	}
	int err = check_build_id(module, path, build_id);
	if (err)
		return err;
	table->dwarf = dwfl_module_getdwarf(module, &bias);
	if (!table->dwarf)
		return fc_fail(ENODATA, "%s: no debug information was found", path);
	table->bias = bias;
	add_units(table);
	return 0;
}

int fc_linetable_open(const char *path, const char *build_id, struct fc_linetable **ret)
{
	int fd = -1, err = open_file(path, &fd);

	if (err)
		return err;
	struct fc_linetable *table = fc_alloc(sizeof(*table));
	err = read_file(table, path, build_id, fd);
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
	fc_vec_free(&table->ranges);
	if (table->dwfl)
		dwfl_end(table->dwfl);
	free(table);
}

/* The last of nr ranges, in order, that begins at or below addr; nr: none does. */
static size_t last_below(const struct range *ranges, size_t nr, uint64_t addr)
{
	size_t low = 0, high = nr;

	while (low < high) {
		size_t mid = (low + high) / 2;
		if (ranges[mid].begin <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low ? low - 1 : nr;
}

/* Ranges of code that was left out by the linker may lie over others: a few are tried. */
static struct range *find_range(struct fc_linetable *table, uint64_t addr)
{
	enum { TRIED = 16 };
	size_t nr = table->ranges.nr, at = last_below(table->ranges.at, nr, addr);

	for (size_t i = 0; at < nr && i < TRIED && i <= at; i++)
		if (addr < table->ranges.at[at - i].end)
			return &table->ranges.at[at - i];
	return NULL;
}

bool fc_linetable_find(struct fc_linetable *table, uint64_t vaddr, const char **file, int *line)
{
	struct range *range = find_range(table, vaddr - table->bias);
	Dwarf_Line *found = range ? dwarf_getsrc_die(&range->unit, vaddr - table->bias) : NULL;

	*file = found ? dwarf_linesrc(found, NULL, NULL) : NULL;
	return *file && !dwarf_lineno(found, line) && *line > 0;
}
