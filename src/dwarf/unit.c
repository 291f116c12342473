/* SPDX-License-Identifier: Apache-2.0 */
#include "dwarf/unit.h"

#include <string.h>

/* DWARF 5, 7.5.1; before version 5 the first entry's tag tells the same. */
enum { UT_COMPILE = 1, UT_TYPE = 2, UT_SKELETON = 4, UT_SPLIT_COMPILE = 5, UT_SPLIT_TYPE = 6 };
enum { TAG_COMPILE_UNIT = 0x11 };

/* DWARF 5, 7.5.4; those of GNU came before. */
static const struct {
	uint16_t number;
	uint8_t kind;
} known_attrs[] = {
	{ 0x10, FC_DWARF_STMT_LIST },	     { 0x11, FC_DWARF_LOW_PC },
	{ 0x12, FC_DWARF_HIGH_PC },	     { 0x1b, FC_DWARF_COMP_DIR },
	{ 0x52, FC_DWARF_ENTRY_PC },	     { 0x55, FC_DWARF_CODE_RANGES },
	{ 0x72, FC_DWARF_STR_OFFSETS_BASE }, { 0x73, FC_DWARF_ADDR_BASE },
	{ 0x74, FC_DWARF_RNGLISTS_BASE },    { 0x2133, FC_DWARF_ADDR_BASE },
};

/* DWARF 5, 7.5.6. */
enum {
	FORM_ADDR = 0x01,
	FORM_BLOCK2 = 0x03,
	FORM_BLOCK4,
	FORM_DATA2,
	FORM_DATA4,
	FORM_DATA8,
	FORM_STRING,
	FORM_BLOCK,
	FORM_BLOCK1,
	FORM_DATA1,
	FORM_FLAG,
	FORM_SDATA,
	FORM_STRP,
	FORM_UDATA,
	FORM_REF_ADDR,
	FORM_REF1,
	FORM_REF2,
	FORM_REF4,
	FORM_REF8,
	FORM_REF_UDATA,
	FORM_INDIRECT,
	FORM_SEC_OFFSET,
	FORM_EXPRLOC,
	FORM_FLAG_PRESENT,
	FORM_STRX,
	FORM_ADDRX,
	FORM_REF_SUP4,
	FORM_STRP_SUP,
	FORM_DATA16,
	FORM_LINE_STRP,
	FORM_REF_SIG8,
	FORM_IMPLICIT_CONST,
	FORM_LOCLISTX,
	FORM_RNGLISTX,
	FORM_REF_SUP8,
	FORM_STRX1,
	FORM_STRX2,
	FORM_STRX3,
	FORM_STRX4,
	FORM_ADDRX1,
	FORM_ADDRX2,
	FORM_ADDRX3,
	FORM_ADDRX4,
	FORM_GNU_ADDR_INDEX = 0x1f01,
	FORM_GNU_STR_INDEX = 0x1f02,
	FORM_GNU_REF_ALT = 0x1f20,
	FORM_GNU_STRP_ALT = 0x1f21,
};

static void skip_text(struct fc_cursor *c)
{
	const uint8_t *zero = memchr(c->at, 0, fc_cursor_left(c));
	fc_cursor_skip(c, zero ? (uint64_t)(zero + 1 - c->at) : UINT64_MAX);
}

/* How many bytes a number of that form has, which are all there is to it; 0: it is another. */
static unsigned int size_of_form(const struct fc_dwarf_unit *unit, uint64_t form)
{
	switch (form) {
	case FORM_DATA1:
	case FORM_FLAG:
	case FORM_REF1:
	case FORM_STRX1:
	case FORM_ADDRX1:
		return 1;
	case FORM_DATA2:
	case FORM_REF2:
	case FORM_STRX2:
	case FORM_ADDRX2:
		return 2;
	case FORM_STRX3:
	case FORM_ADDRX3:
		return 3;
	case FORM_DATA4:
	case FORM_REF4:
	case FORM_REF_SUP4:
	case FORM_STRX4:
	case FORM_ADDRX4:
		return 4;
	case FORM_DATA8:
	case FORM_REF8:
	case FORM_REF_SIG8:
	case FORM_REF_SUP8:
		return 8;
	case FORM_ADDR:
		return unit->address_size;
	case FORM_REF_ADDR:
		return unit->version == 2 ? unit->address_size : unit->offset_size;
	case FORM_STRP:
	case FORM_SEC_OFFSET:
	case FORM_STRP_SUP:
	case FORM_LINE_STRP:
	case FORM_GNU_REF_ALT:
	case FORM_GNU_STRP_ALT:
		return unit->offset_size;
	default:
		return 0;
	}
}

/* The other forms: false if it is none of them. */
static bool read_odd(struct fc_cursor *c, uint64_t form, uint64_t *value)
{
	switch (form) {
	case FORM_UDATA:
	case FORM_REF_UDATA:
	case FORM_STRX:
	case FORM_ADDRX:
	case FORM_LOCLISTX:
	case FORM_RNGLISTX:
	case FORM_GNU_ADDR_INDEX:
	case FORM_GNU_STR_INDEX:
		*value = fc_cursor_uleb(c);
		return true;
	case FORM_SDATA:
		*value = (uint64_t)fc_cursor_sleb(c);
		return true;
	case FORM_STRING:
		skip_text(c);
		return true;
	case FORM_BLOCK1:
		fc_cursor_skip(c, fc_cursor_uint(c, 1));
		return true;
	case FORM_BLOCK2:
		fc_cursor_skip(c, fc_cursor_uint(c, 2));
		return true;
	case FORM_BLOCK4:
		fc_cursor_skip(c, fc_cursor_uint(c, 4));
		return true;
	case FORM_BLOCK:
	case FORM_EXPRLOC:
		fc_cursor_skip(c, fc_cursor_uleb(c));
		return true;
	case FORM_DATA16:
		fc_cursor_skip(c, 16);
		return true;
	default:
		return false;
	}
}

bool fc_dwarf_value(struct fc_dwarf *dwarf, const struct fc_dwarf_unit *unit,
		    enum fc_dwarf_part part, uint64_t form, struct fc_cursor *c,
		    struct fc_dwarf_attr *ret)
{
	unsigned int size = size_of_form(unit, form);
	ret->form = (uint16_t)form;
	ret->value = size ? fc_cursor_uint(c, size) : fc_dwarf_off(dwarf, part, c->at);
	return (size || read_odd(c, form, &ret->value)) && !c->is_bad;
}

/* The number at index nr of a table that begins at base. */
static bool read_entry(struct fc_dwarf *dwarf, enum fc_dwarf_part part, uint64_t base,
		       uint64_t nr, unsigned int size, uint64_t *ret)
{
	uint64_t off;
	if (__builtin_mul_overflow(nr, size, &off) || __builtin_add_overflow(off, base, &off))
		return false;
	struct fc_cursor c = fc_dwarf_at(dwarf, part, off);
	*ret = fc_cursor_uint(&c, size);
	return !c.is_bad;
}

/* Where no base is told, it is behind the head of the section's first table. */
static uint64_t base_of(const struct fc_dwarf_unit *unit, enum fc_dwarf_attr_kind kind)
{
	const struct fc_dwarf_attr *attr = &unit->attrs[kind];
	if (attr->form || unit->version < 5)
		return attr->value;
	return (unit->offset_size == 8 ? 16 : 8) + (kind == FC_DWARF_RNGLISTS_BASE ? 4 : 0);
}

static bool is_among(uint16_t form, uint16_t first, uint16_t last)
{
	return form >= first && form <= last;
}

static struct fc_dwarf_text indexed_text(struct fc_dwarf *dwarf,
					 const struct fc_dwarf_unit *unit, uint64_t nr)
{
	uint64_t off;
	if (!read_entry(dwarf, FC_DWARF_STR_OFFSETS, base_of(unit, FC_DWARF_STR_OFFSETS_BASE),
			nr, unit->offset_size, &off))
		return (struct fc_dwarf_text){ 0 };
	return fc_dwarf_text(dwarf, FC_DWARF_STR, off);
}

struct fc_dwarf_text fc_dwarf_text_of(struct fc_dwarf *dwarf, const struct fc_dwarf_unit *unit,
				      enum fc_dwarf_part part,
				      const struct fc_dwarf_attr *value)
{
	switch (value->form) {
	case FORM_STRING:
		return fc_dwarf_text(dwarf, part, value->value);
	case FORM_STRP:
		return fc_dwarf_text(dwarf, FC_DWARF_STR, value->value);
	case FORM_LINE_STRP:
		return fc_dwarf_text(dwarf, FC_DWARF_LINE_STR, value->value);
	case FORM_STRP_SUP:
	case FORM_GNU_STRP_ALT:
		return fc_dwarf_text(dwarf, FC_DWARF_ALT_STR, value->value);
	case FORM_STRX:
	case FORM_GNU_STR_INDEX:
		return indexed_text(dwarf, unit, value->value);
	default:
		if (is_among(value->form, FORM_STRX1, FORM_STRX4))
			return indexed_text(dwarf, unit, value->value);
		return (struct fc_dwarf_text){ 0 };
	}
}

/* ---- the first entry ---- */

/* The pairs of attribute and form end with a pair of zeros. */
static bool next_pair(struct fc_cursor *c, uint64_t *attr, uint64_t *form, int64_t *value)
{
	*attr = fc_cursor_uleb(c);
	*form = fc_cursor_uleb(c);
	*value = *form == FORM_IMPLICIT_CONST ? fc_cursor_sleb(c) : 0;
	return (*attr || *form) && !c->is_bad;
}

static void skip_pairs(struct fc_cursor *c)
{
	uint64_t attr, form;
	int64_t value;
	while (next_pair(c, &attr, &form, &value))
		;
}

/* Go through the table to what stands behind that code. */
static bool search_abbrev(struct fc_dwarf *dwarf, uint64_t table, uint64_t code,
			  struct fc_cursor *ret)
{
	struct fc_cursor c = fc_dwarf_at(dwarf, FC_DWARF_ABBREV, table);
	uint64_t found;
	while ((found = fc_cursor_uleb(&c)) != 0 && !c.is_bad) {
		const uint8_t *begin = c.at;
		*ret = c;
		if (found == code)
			return true;
		fc_cursor_uleb(&c); /* tag */
		fc_cursor_uint(&c, 1);
		skip_pairs(&c);
		if (!fc_dwarf_spend(dwarf, (uint64_t)(c.at - begin)))
			return false;
	}
	return false;
}

static bool find_abbrev(struct fc_dwarf *dwarf, uint64_t table, uint64_t code,
			struct fc_cursor *ret)
{
	struct fc_dwarf_abbrev *known = &dwarf->abbrevs[(table * 31 + code) % FC_DWARF_ABBREVS];
	if (known->at && known->table == table && known->code == code) {
		*ret = fc_dwarf_at(dwarf, FC_DWARF_ABBREV, known->at);
		return true;
	}
	if (!search_abbrev(dwarf, table, code, ret))
		return false;
	*known = (struct fc_dwarf_abbrev){ table, code,
					   fc_dwarf_off(dwarf, FC_DWARF_ABBREV, ret->at) };
	return true;
}

static void keep(struct fc_dwarf_unit *unit, uint64_t attr, const struct fc_dwarf_attr *value)
{
	for (size_t i = 0; i < sizeof(known_attrs) / sizeof(known_attrs[0]); i++)
		if (known_attrs[i].number == attr)
			unit->attrs[known_attrs[i].kind] = *value;
}

static bool read_attr(struct fc_dwarf *dwarf, const struct fc_dwarf_unit *unit, uint64_t form,
		      int64_t constant, struct fc_cursor *c, struct fc_dwarf_attr *ret)
{
	while (form == FORM_INDIRECT && !c->is_bad)
		form = fc_cursor_uleb(c);
	*ret = (struct fc_dwarf_attr){ (uint16_t)form, (uint64_t)constant };
	return form == FORM_FLAG_PRESENT || form == FORM_IMPLICIT_CONST ||
	       fc_dwarf_value(dwarf, unit, FC_DWARF_INFO, form, c, ret);
}

static bool read_entry_of(struct fc_dwarf *dwarf, struct fc_dwarf_unit *unit, uint64_t table,
			  struct fc_cursor *c)
{
	struct fc_cursor pairs;
	struct fc_dwarf_attr value;
	uint64_t attr, form;
	int64_t constant;
	if (!find_abbrev(dwarf, table, fc_cursor_uleb(c), &pairs))
		return false;
	const uint8_t *begin = pairs.at;
	if (fc_cursor_uleb(&pairs) != TAG_COMPILE_UNIT && unit->version < 5)
		unit->has_code = false;
	fc_cursor_uint(&pairs, 1); /* has it children? */
	while (next_pair(&pairs, &attr, &form, &constant)) {
		if (!read_attr(dwarf, unit, form, constant, c, &value))
			return false;
		keep(unit, attr, &value);
	}
	return !pairs.is_bad && fc_dwarf_spend(dwarf, (uint64_t)(pairs.at - begin));
}

/* DWARF 5, 7.5.1. Returns where the unit's table of abbreviations is. */
static uint64_t read_head(struct fc_dwarf_unit *unit, struct fc_cursor *c)
{
	unsigned int type = UT_COMPILE;
	uint64_t table;
	unit->version = (uint8_t)fc_cursor_uint(c, 2);
	if (unit->version < 5) {
		table = fc_cursor_uint(c, unit->offset_size);
		unit->address_size = (uint8_t)fc_cursor_uint(c, 1);
	} else {
		type = (unsigned int)fc_cursor_uint(c, 1);
		unit->address_size = (uint8_t)fc_cursor_uint(c, 1);
		table = fc_cursor_uint(c, unit->offset_size);
	}
	if (type == UT_SKELETON || type == UT_SPLIT_COMPILE)
		fc_cursor_skip(c, 8);
	unit->has_code = type == UT_COMPILE || type == UT_SKELETON;
	return table;
}

static bool is_known(const struct fc_dwarf_unit *unit)
{
	return unit->version >= 2 && unit->version <= 5 &&
	       (unit->address_size == 4 || unit->address_size == 8);
}

int fc_dwarf_unit_read(struct fc_dwarf *dwarf, uint64_t off, struct fc_dwarf_unit *ret)
{
	struct fc_cursor c = fc_dwarf_at(dwarf, FC_DWARF_INFO, off);
	*ret = (struct fc_dwarf_unit){ .off = off, .offset_size = 4 };
	if (c.is_bad || !fc_cursor_left(&c))
		return 0;
	uint64_t length = fc_cursor_uint(&c, 4);
	if (length == 0xffffffff) {
		length = fc_cursor_uint(&c, 8);
		ret->offset_size = 8;
	}
	if (!length) /* padding */
		return 0;
	if (c.is_bad || length > fc_cursor_left(&c)) {
		fc_dwarf_damaged(dwarf);
		return 0;
	}
	c.end = c.at + length;
	ret->next = fc_dwarf_off(dwarf, FC_DWARF_INFO, c.end);
	uint64_t table = read_head(ret, &c);
	if (c.is_bad || !is_known(ret)) {
		fc_dwarf_damaged(dwarf);
		return 0;
	}
	if (ret->has_code && !read_entry_of(dwarf, ret, table, &c)) {
		ret->has_code = false;
		fc_dwarf_damaged(dwarf);
	}
	return 1;
}

bool fc_dwarf_unit_lines(const struct fc_dwarf_unit *unit, uint64_t *ret)
{
	*ret = unit->attrs[FC_DWARF_STMT_LIST].value;
	return unit->attrs[FC_DWARF_STMT_LIST].form;
}

/* ---- ranges ---- */

static bool indexed_address(struct fc_dwarf *dwarf, const struct fc_dwarf_unit *unit,
			    uint64_t nr, uint64_t *ret)
{
	return read_entry(dwarf, FC_DWARF_ADDR, base_of(unit, FC_DWARF_ADDR_BASE), nr,
			  unit->address_size, ret);
}

/* True: the attribute is there, and is an address. */
static bool address_of(struct fc_dwarf *dwarf, const struct fc_dwarf_unit *unit,
		       enum fc_dwarf_attr_kind kind, uint64_t *ret)
{
	const struct fc_dwarf_attr *attr = &unit->attrs[kind];
	if (attr->form == FORM_ADDRX || attr->form == FORM_GNU_ADDR_INDEX ||
	    is_among(attr->form, FORM_ADDRX1, FORM_ADDRX4))
		return indexed_address(dwarf, unit, attr->value, ret);
	*ret = attr->value;
	return attr->form == FORM_ADDR;
}

/* From low_pc to high_pc, which may be told as what is between. */
static bool single_range(struct fc_dwarf *dwarf, const struct fc_dwarf_unit *unit,
			 uint64_t *begin, uint64_t *end)
{
	if (!unit->attrs[FC_DWARF_HIGH_PC].form ||
	    !address_of(dwarf, unit, FC_DWARF_LOW_PC, begin))
		return false;
	if (!address_of(dwarf, unit, FC_DWARF_HIGH_PC, end))
		*end = *begin + unit->attrs[FC_DWARF_HIGH_PC].value;
	return true;
}

struct list {
	struct fc_dwarf *dwarf;
	const struct fc_dwarf_unit *unit;
	struct fc_cursor c;
	uint64_t base, begin, end;
};

enum step { RANGE, BASE, END, BAD };

/* DWARF 4, 2.17.3. */
static enum step next_of_ranges(struct list *list)
{
	unsigned int size = list->unit->address_size;
	uint64_t most = size == 8 ? UINT64_MAX : UINT32_MAX;
	uint64_t begin = fc_cursor_uint(&list->c, size);
	uint64_t end = fc_cursor_uint(&list->c, size);
	if (!begin && !end)
		return END;
	if (begin == most) {
		list->base = end;
		return BASE;
	}
	list->begin = list->base + begin;
	list->end = list->base + end;
	return RANGE;
}

static uint64_t address_at(struct list *list)
{
	return fc_cursor_uint(&list->c, list->unit->address_size);
}

static uint64_t index_at(struct list *list)
{
	uint64_t address = 0;
	if (!indexed_address(list->dwarf, list->unit, fc_cursor_uleb(&list->c), &address))
		list->c.is_bad = true;
	return address;
}

/* DWARF 5, 7.25. */
static enum step next_of_rnglists(struct list *list)
{
	enum {
		END_OF_LIST,
		BASE_ADDRESSX,
		STARTX_ENDX,
		STARTX_LENGTH,
		OFFSET_PAIR,
		BASE_ADDRESS,
		START_END,
		START_LENGTH
	};
	switch (fc_cursor_uint(&list->c, 1)) {
	case END_OF_LIST:
		return END;
	case BASE_ADDRESSX:
		list->base = index_at(list);
		return BASE;
	case STARTX_ENDX:
		list->begin = index_at(list);
		list->end = index_at(list);
		return RANGE;
	case STARTX_LENGTH:
		list->begin = index_at(list);
		list->end = list->begin + fc_cursor_uleb(&list->c);
		return RANGE;
	case OFFSET_PAIR:
		list->begin = list->base + fc_cursor_uleb(&list->c);
		list->end = list->base + fc_cursor_uleb(&list->c);
		return RANGE;
	case BASE_ADDRESS:
		list->base = address_at(list);
		return BASE;
	case START_END:
		list->begin = address_at(list);
		list->end = address_at(list);
		return RANGE;
	case START_LENGTH:
		list->begin = address_at(list);
		list->end = list->begin + fc_cursor_uleb(&list->c);
		return RANGE;
	default:
		return BAD;
	}
}

/* Where the list begins; it may be the number of an entry in a table of lists. */
static bool find_list(struct fc_dwarf *dwarf, const struct fc_dwarf_unit *unit,
		      enum fc_dwarf_part part, uint64_t *ret)
{
	const struct fc_dwarf_attr *attr = &unit->attrs[FC_DWARF_CODE_RANGES];
	*ret = attr->value;
	if (attr->form != FORM_RNGLISTX)
		return attr->form;
	uint64_t base = base_of(unit, FC_DWARF_RNGLISTS_BASE);
	if (!read_entry(dwarf, part, base, attr->value, unit->offset_size, ret))
		return false;
	*ret += base;
	return true;
}

void fc_dwarf_unit_ranges(struct fc_dwarf *dwarf, const struct fc_dwarf_unit *unit,
			  bool (*fn)(void *ctx, uint64_t begin, uint64_t end), void *ctx)
{
	enum { COST = 32 }; /* to go through one, and to keep it */
	enum fc_dwarf_part part = unit->version < 5 ? FC_DWARF_RANGES : FC_DWARF_RNGLISTS;
	struct list list = { .dwarf = dwarf, .unit = unit };
	uint64_t off;
	if (single_range(dwarf, unit, &list.begin, &list.end)) {
		fn(ctx, list.begin, list.end);
		return;
	}
	if (!find_list(dwarf, unit, part, &off))
		return;
	if (!address_of(dwarf, unit, FC_DWARF_LOW_PC, &list.base) &&
	    !address_of(dwarf, unit, FC_DWARF_ENTRY_PC, &list.base))
		list.base = 0;
	list.c = fc_dwarf_at(dwarf, part, off);
	for (;;) {
		enum step step = part == FC_DWARF_RANGES ? next_of_ranges(&list)
							 : next_of_rnglists(&list);
		if (list.c.is_bad || step == BAD)
			fc_dwarf_damaged(dwarf);
		if (list.c.is_bad || step == BAD || step == END ||
		    !fc_dwarf_spend(dwarf, COST) ||
		    (step == RANGE && !fn(ctx, list.begin, list.end)))
			return;
	}
}
