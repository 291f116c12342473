/* SPDX-License-Identifier: Apache-2.0 */
#include "dwarf/unitlines.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "base/vec.h"

/* Of one unit. The largest that are known, a whole program in one, have a tenth of it. */
enum { MOST_ROWS = 8 << 20, MOST_NAMES = 1 << 20 };

struct row {
	uint64_t addr;
	uint32_t nr; /* in the program: it has the last word at an address */
	uint32_t file;
	int line;
	bool is_end; /* of a piece of code */
};

struct file {
	struct fc_dwarf_text name;
	uint64_t folder;
};

struct fc_unitlines {
	FC_VEC(struct row) rows; /* by addr */
	FC_VEC(struct fc_dwarf_text) folders;
	FC_VEC(struct file) files;
};

/* The head of a line program, and the machine that runs it (DWARF 5, 6.2). */
struct machine {
	struct fc_dwarf *dwarf;
	const struct fc_dwarf_unit *unit;
	struct fc_unitlines *lines;
	struct fc_cursor c;
	uint8_t version, offset_size;
	uint8_t unit_size, most_ops, line_range, first_special;
	int8_t line_base;
	uint8_t nr_operands[256]; /* by opcode */
	uint64_t addr, file;
	uint32_t op;
	int64_t line;
	bool is_bad;
};

/* ---- the head ---- */

struct format {
	uint64_t forms[256];
	int nr, name, folder; /* -1: there is none */
};

static void read_format(struct machine *m, struct format *format)
{
	enum { NAME = 1, FOLDER = 2 };
	*format = (struct format){ .nr = (int)fc_cursor_uint(&m->c, 1),
				   .name = -1,
				   .folder = -1 };
	for (int i = 0; i < format->nr; i++) {
		uint64_t content = fc_cursor_uleb(&m->c);
		format->forms[i] = fc_cursor_uleb(&m->c);
		if (content == NAME)
			format->name = i;
		else if (content == FOLDER)
			format->folder = i;
	}
}

/* Its unit's sizes count for forms, but those of the line table are its own. */
static struct fc_dwarf_unit unit_of(const struct machine *m)
{
	struct fc_dwarf_unit unit = *m->unit;
	unit.version = m->version;
	unit.offset_size = m->offset_size;
	return unit;
}

static bool read_named(struct machine *m, const struct fc_dwarf_unit *unit,
		       const struct format *format, struct file *ret)
{
	*ret = (struct file){ 0 };
	for (int i = 0; i < format->nr; i++) {
		struct fc_dwarf_attr value;
		if (!fc_dwarf_value(m->dwarf, unit, FC_DWARF_LINE, format->forms[i], &m->c,
				    &value))
			return false;
		if (i == format->name)
			ret->name = fc_dwarf_text_of(m->dwarf, m->unit, FC_DWARF_LINE, &value);
		else if (i == format->folder)
			ret->folder = value.value;
	}
	return true;
}

/* Version 5: of folders and files it is told in which form each thing about them stands. */
static bool read_table(struct machine *m, bool is_of_files)
{
	struct fc_dwarf_unit unit = unit_of(m);
	struct format format;
	struct file file;
	read_format(m, &format);
	uint64_t nr = fc_cursor_uleb(&m->c);
	if (m->c.is_bad || nr > MOST_NAMES || (nr && !format.nr))
		return false;
	for (uint64_t i = 0; i < nr; i++) {
		if (!read_named(m, &unit, &format, &file))
			return false;
		if (is_of_files)
			fc_vec_push(&m->lines->files, file);
		else
			fc_vec_push(&m->lines->folders, file.name);
	}
	return true;
}

/* A text that stands here. An empty one ends a row of them. */
static bool next_text(struct machine *m, struct fc_dwarf_text *ret)
{
	size_t room = fc_cursor_left(&m->c);
	const uint8_t *at = m->c.at, *zero = memchr(at, 0, room);
	if (!zero)
		m->c.is_bad = true;
	if (!zero || zero == at)
		fc_cursor_skip(&m->c, zero ? 1 : 0);
	if (!zero || zero == at)
		return false;
	fc_cursor_skip(&m->c, (uint64_t)(zero + 1 - at));
	*ret = (struct fc_dwarf_text){ (const char *)at, room };
	return true;
}

/* Before version 5 a file is a name, its folder, and two numbers more. */
static bool next_file(struct machine *m)
{
	struct file file = { 0 };
	if (!next_text(m, &file.name) || m->lines->files.nr >= MOST_NAMES)
		return false;
	file.folder = fc_cursor_uleb(&m->c);
	fc_cursor_uleb(&m->c);
	fc_cursor_uleb(&m->c);
	fc_vec_push(&m->lines->files, file);
	return true;
}

/* Folder 0 is the unit's own then, and there is no file 0. */
static bool read_old_tables(struct machine *m)
{
	const struct fc_dwarf_attr *own = &m->unit->attrs[FC_DWARF_COMP_DIR];
	struct fc_dwarf_text folder = fc_dwarf_text_of(m->dwarf, m->unit, FC_DWARF_INFO, own);
	do {
		fc_vec_push(&m->lines->folders, folder);
	} while (next_text(m, &folder) && m->lines->folders.nr < MOST_NAMES);
	fc_vec_push(&m->lines->files, (struct file){ .name = { "???", 4 } });
	while (next_file(m))
		;
	return m->lines->files.nr < MOST_NAMES && m->lines->folders.nr < MOST_NAMES;
}

/* The cursor goes to the first instruction. */
static bool read_head(struct machine *m)
{
	uint64_t length = fc_cursor_uint(&m->c, 4);
	m->offset_size = length == 0xffffffff ? 8 : 4;
	if (m->offset_size == 8)
		length = fc_cursor_uint(&m->c, 8);
	if (m->c.is_bad || length > fc_cursor_left(&m->c) || !fc_dwarf_spend(m->dwarf, length))
		return false;
	m->c.end = m->c.at + length;
	m->version = (uint8_t)fc_cursor_uint(&m->c, 2);
	if (m->version >= 5)
		fc_cursor_skip(&m->c, 2);
	uint64_t head = fc_cursor_uint(&m->c, m->offset_size);
	if (m->c.is_bad || m->version < 2 || m->version > 5 || head > fc_cursor_left(&m->c))
		return false;
	const uint8_t *program = m->c.at + head;
	m->unit_size = (uint8_t)fc_cursor_uint(&m->c, 1);
	m->most_ops = m->version >= 4 ? (uint8_t)fc_cursor_uint(&m->c, 1) : 1;
	fc_cursor_skip(&m->c, 1);
	m->line_base = (int8_t)fc_cursor_int(&m->c, 1);
	m->line_range = (uint8_t)fc_cursor_uint(&m->c, 1);
	m->first_special = (uint8_t)fc_cursor_uint(&m->c, 1);
	for (int i = 1; i < m->first_special; i++)
		m->nr_operands[i] = (uint8_t)fc_cursor_uint(&m->c, 1);
	if (!m->most_ops || !m->line_range)
		return false;
	bool is_good = m->version < 5 ? read_old_tables(m)
				      : read_table(m, false) && read_table(m, true);
	if (!is_good || m->c.is_bad || m->c.at > program)
		return false;
	m->c.at = program;
	return true;
}

/* ---- the program ---- */

static void begin_piece(struct machine *m)
{
	m->addr = 0;
	m->op = 0;
	m->file = 1;
	m->line = 1;
}

static void add_row(struct machine *m, bool is_end)
{
	size_t nr = m->lines->rows.nr;
	if (nr >= MOST_ROWS)
		fc_dwarf_too_much(m->dwarf);
	if (m->line < INT_MIN || m->line > INT_MAX || m->file > UINT32_MAX || nr >= MOST_ROWS) {
		m->is_bad = true;
		return;
	}
	fc_vec_push(&m->lines->rows, (struct row){ m->addr, (uint32_t)nr, (uint32_t)m->file,
						   (int)m->line, is_end });
}

/* More than one operation in an instruction there is on VLIW machines only. */
static void advance(struct machine *m, uint64_t by)
{
	if (m->most_ops == 1) {
		m->addr += m->unit_size * by;
		return;
	}
	by += m->op;
	m->addr += m->unit_size * (by / m->most_ops);
	m->op = (uint32_t)(by % m->most_ops);
}

static void run_special(struct machine *m, unsigned int opcode)
{
	unsigned int adjusted = opcode - m->first_special;
	advance(m, adjusted / m->line_range);
	m->line += m->line_base + (int)(adjusted % m->line_range);
	add_row(m, false);
}

static void run_extended(struct machine *m)
{
	enum { END_SEQUENCE = 1, SET_ADDRESS, DEFINE_FILE };
	uint64_t size = fc_cursor_uleb(&m->c);
	if (!size || size > fc_cursor_left(&m->c)) {
		m->is_bad = true;
		return;
	}
	const uint8_t *end = m->c.at + size;
	switch (fc_cursor_uint(&m->c, 1)) {
	case END_SEQUENCE:
		add_row(m, true);
		begin_piece(m);
		break;
	case SET_ADDRESS:
		m->addr = fc_cursor_uint(&m->c, m->unit->address_size);
		m->op = 0;
		break;
	case DEFINE_FILE:
		m->is_bad |= !next_file(m);
		break;
	}
	m->is_bad |= m->c.at > end;
	if (!m->is_bad)
		m->c.at = end;
}

static void skip_operands(struct machine *m, unsigned int opcode)
{
	for (int i = 0; i < m->nr_operands[opcode]; i++)
		fc_cursor_uleb(&m->c);
}

static void run_standard(struct machine *m, unsigned int opcode)
{
	enum {
		COPY = 1,
		ADVANCE_PC,
		ADVANCE_LINE,
		SET_FILE,
		CONST_ADD_PC = 8,
		FIXED_ADVANCE_PC,
	};
	int64_t by;
	switch (opcode) {
	case COPY:
		add_row(m, false);
		break;
	case ADVANCE_PC:
		advance(m, fc_cursor_uleb(&m->c));
		break;
	case ADVANCE_LINE:
		by = fc_cursor_sleb(&m->c);
		m->is_bad |= __builtin_add_overflow(m->line, by, &m->line);
		break;
	case SET_FILE:
		m->file = fc_cursor_uleb(&m->c);
		break;
	case CONST_ADD_PC:
		advance(m, (255 - m->first_special) / m->line_range);
		break;
	case FIXED_ADVANCE_PC:
		m->addr += fc_cursor_uint(&m->c, 2);
		m->op = 0;
		break;
	default: /* what is said of columns, statements and prologues */
		skip_operands(m, opcode);
	}
}

static bool run(struct machine *m)
{
	begin_piece(m);
	while (fc_cursor_left(&m->c) && !m->is_bad) {
		unsigned int opcode = (unsigned int)fc_cursor_uint(&m->c, 1);
		if (opcode >= m->first_special)
			run_special(m, opcode);
		else if (opcode)
			run_standard(m, opcode);
		else
			run_extended(m);
	}
	return !m->is_bad && !m->c.is_bad;
}

/* ---- the table ---- */

/* An end comes before what begins at the same place; else the order of the program counts. */
static int by_addr(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	if (x->is_end != y->is_end)
		return y->is_end - x->is_end;
	return (x->nr > y->nr) - (x->nr < y->nr);
}

static void sort_rows(struct fc_unitlines *lines)
{
	size_t nr = lines->rows.nr, sorted = 1;
	while (sorted < nr && by_addr(&lines->rows.at[sorted - 1], &lines->rows.at[sorted]) < 0)
		sorted++;
	if (sorted < nr)
		qsort(lines->rows.at, nr, sizeof(struct row), by_addr);
	if (!nr)
		return;
	lines->rows.at[nr - 1].is_end = true; /* some compilers forget it */
	lines->rows.at = fc_realloc(lines->rows.at, nr * sizeof(struct row));
	lines->rows.room = nr;
}

struct fc_unitlines *fc_unitlines_read(struct fc_dwarf *dwarf, const struct fc_dwarf_unit *unit)
{
	uint64_t off;
	if (!fc_dwarf_unit_lines(unit, &off))
		return NULL;
	struct machine m = { .dwarf = dwarf, .unit = unit };
	m.c = fc_dwarf_at(dwarf, FC_DWARF_LINE, off);
	m.lines = fc_alloc(sizeof(*m.lines));
	if (!read_head(&m) || !run(&m)) {
		fc_dwarf_damaged(dwarf);
		fc_unitlines_free(m.lines);
		return NULL;
	}
	sort_rows(m.lines);
	return m.lines;
}

void fc_unitlines_free(struct fc_unitlines *lines)
{
	if (!lines)
		return;
	fc_vec_free(&lines->rows);
	fc_vec_free(&lines->folders);
	fc_vec_free(&lines->files);
	free(lines);
}

size_t fc_unitlines_nr_rows(const struct fc_unitlines *lines)
{
	return lines->rows.nr;
}

bool fc_unitlines_find(const struct fc_unitlines *lines, uint64_t vaddr, uint32_t *file,
		       int *line)
{
	size_t low = fc_bisect(lines->rows.at, lines->rows.nr, row, row->addr <= vaddr);
	const struct row *row = low ? &lines->rows.at[low - 1] : NULL;
	if (!row || row->is_end || row->line <= 0)
		return false;
	*file = row->file;
	*line = row->line;
	return true;
}

/* NULL: none, or longer than any path is. */
static char *copy_of(const struct fc_dwarf_text *text)
{
	size_t room = text->room < PATH_MAX ? text->room : PATH_MAX;
	size_t len = text->at ? strnlen(text->at, room) : room;
	if (len == room)
		return NULL;
	char *copy = fc_alloc(len + 1);
	memcpy(copy, text->at, len);
	return copy;
}

static char *joined(char *folder, char *name)
{
	char *path = fc_asprintf("%s/%s", folder, name);
	free(folder);
	free(name);
	return path;
}

char *fc_unitlines_path(struct fc_dwarf *dwarf, const struct fc_unitlines *lines, uint32_t nr)
{
	enum { COST = 4 }; /* of a byte: to copy it, and to keep it */
	const struct file *file = nr < lines->files.nr ? &lines->files.at[nr] : NULL;
	char *path = file ? copy_of(&file->name) : NULL;
	char *folder = path && path[0] != '/' && file->folder < lines->folders.nr
			       ? copy_of(&lines->folders.at[file->folder])
			       : NULL;
	if (folder)
		path = joined(folder, path);
	if (path && !fc_dwarf_spend(dwarf, COST * strlen(path)))
		free(fc_take(path));
	return path;
}
