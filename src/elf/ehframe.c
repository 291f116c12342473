/* SPDX-License-Identifier: Apache-2.0 */
/* ehframe.c - parses .eh_frame: CIEs, FDEs and the first row of each. */
#include "elf/ehframe.h"

#include <dwarf.h>
#include <elf.h>
#include <string.h>

#include "arch/arch.h"
#include "elf/cursor.h"
#include "elf/image.h"

/* Real CIEs have 20 to 200 bytes. The limit keeps FDEs that share a huge one cheap. */
#define CIE_SIZE_MAX 1024

/* One row of the table that the instructions describe, as far as we ask. */
struct row {
	uint64_t cfa_reg;
	int64_t cfa_off;
	bool is_cfa_expression;
	bool is_return_undefined, is_return_elsewhere;
	int64_t return_off; /* from the CFA; 0: not saved */
	bool is_saved;	    /* another register is not where the caller left it */
};

/* Read a pointer of an encoding (LSB 5.0, "DWARF Exception Header Encoding"). */
static uint64_t read_pointer(struct fc_cursor *c, uint8_t encoding, uint64_t pc)
{
	uint64_t value;

	switch (encoding & 0x0f) {
	case DW_EH_PE_absptr:
	case DW_EH_PE_udata8:
	case DW_EH_PE_sdata8:
		value = fc_cursor_uint(c, 8);
		break;
	case DW_EH_PE_udata4:
		value = fc_cursor_uint(c, 4);
		break;
	case DW_EH_PE_sdata4:
		value = fc_cursor_int(c, 4);
		break;
	case DW_EH_PE_udata2:
		value = fc_cursor_uint(c, 2);
		break;
	case DW_EH_PE_sdata2:
		value = fc_cursor_int(c, 2);
		break;
	case DW_EH_PE_uleb128:
		value = fc_cursor_uleb(c);
		break;
	case DW_EH_PE_sleb128:
		value = fc_cursor_sleb(c);
		break;
	default:
		c->is_bad = true;
		return 0;
	}
	switch (encoding & 0xf0) {
	case 0:
		return value;
	case DW_EH_PE_pcrel:
		return value + pc;
	default: /* textrel, datarel, funcrel, indirect: not known before relocation */
		c->is_bad = true;
		return 0;
	}
}

static void skip_pointer(struct fc_cursor *c, uint8_t encoding)
{
	if (encoding != DW_EH_PE_omit)
		read_pointer(c, encoding & 0x0f, 0);
}

/* The letters of the augmentation string, each with its data. */
static void read_augmentation(struct fc_cursor *c, const char *letters, struct fc_cie *cie)
{
	for (; *letters; letters++) {
		switch (*letters) {
		case 'R':
			cie->pointer_encoding = fc_cursor_uint(c, 1);
			break;
		case 'P':
			skip_pointer(c, fc_cursor_uint(c, 1));
			break;
		case 'L':
			cie->lsda_encoding = fc_cursor_uint(c, 1);
			break;
		case 'S':
			cie->is_signal = true;
			break;
		case 'B': /* aarch64: return addresses are signed with the B key */
		case 'G': /* aarch64: memory tagging */
			break;
		default: /* unknown letters may have data: the rest cannot be read */
			return;
		}
	}
}

/* c stands behind the CIE's id. */
static void read_cie(struct fc_cursor *c, struct fc_cie *cie)
{
	uint8_t version = fc_cursor_uint(c, 1);
	const char *letters = (const char *)c->at;
	const uint8_t *nul = memchr(c->at, 0, fc_cursor_left(c));
	if (!nul || (version != 1 && version != 3 && version != 4))
		return;
	c->at = nul + 1;
	if (version == 4)
		fc_cursor_skip(c, 2); /* sizes of an address and of a segment selector */
	fc_cursor_uleb(c);	      /* code alignment */
	cie->data_align = fc_cursor_sleb(c);
	cie->return_column = version == 1 ? fc_cursor_uint(c, 1) : fc_cursor_uleb(c);
	cie->pointer_encoding = DW_EH_PE_absptr;
	cie->lsda_encoding = DW_EH_PE_omit;

	if (letters[0] == 'z') {
		uint64_t size = fc_cursor_uleb(c);
		if (size > fc_cursor_left(c))
			return;
		struct fc_cursor data = fc_cursor(c->at, size);
		read_augmentation(&data, letters + 1, cie);
		cie->has_augmentation_size = true;
		c->is_bad |= data.is_bad;
		c->at += size;
	} else if (letters[0]) {
		return; /* "eh" of gcc 2: nothing else is known to exist */
	}
	cie->code = c->at;
	cie->code_end = c->end;
	cie->is_usable = !c->is_bad;
}

/*
 * Read the length of the entry at c, and narrow c to what follows. False at the end.
 *
 *   length: u32, or 0xffffffff and u64 | id: u32 | ...
 */
static bool enter(struct fc_cursor *c)
{
	uint64_t size = fc_cursor_uint(c, 4);
	if (size == 0xffffffff)
		size = fc_cursor_uint(c, 8);
	if (c->is_bad || size < 4 || size > fc_cursor_left(c))
		return false;
	c->end = c->at + size;
	return true;
}

/* Make at's CIE the current one. */
static bool load_cie(struct fc_ehframe *frames, const uint8_t *at)
{
	struct fc_cie *cie = &frames->cie;
	if (cie->at == at)
		return cie->is_usable;

	*cie = (struct fc_cie){ .at = at };
	struct fc_cursor c = { .at = at, .end = frames->end };
	if (!enter(&c) || fc_cursor_left(&c) > CIE_SIZE_MAX || fc_cursor_uint(&c, 4) != 0)
		return false;
	read_cie(&c, cie);
	return cie->is_usable;
}

static void save(struct row *row, const struct fc_cie *cie, uint64_t reg, int64_t off)
{
	if (reg == cie->return_column)
		row->return_off = (int64_t)((uint64_t)off * (uint64_t)cie->data_align);
	else
		row->is_saved = true;
}

static void save_elsewhere(struct row *row, const struct fc_cie *cie, uint64_t reg)
{
	if (reg == cie->return_column)
		row->is_return_elsewhere = true;
	else
		row->is_saved = true;
}

static void skip_block(struct fc_cursor *c)
{
	fc_cursor_skip(c, fc_cursor_uleb(c));
}

static int64_t scaled(struct fc_cursor *c, const struct fc_cie *cie)
{
	return (int64_t)((uint64_t)fc_cursor_sleb(c) * (uint64_t)cie->data_align);
}

static void set_cfa(struct row *row, uint64_t reg, int64_t off)
{
	row->cfa_reg = reg;
	row->cfa_off = off;
	row->is_cfa_expression = false;
}

/*
 * One instruction (DWARF 5, 6.4.2) that belongs to the first row; false if it ends the
 * row or is not known. Operands are read in the order in which they stand.
 */
static bool run_one(struct fc_cursor *c, const struct fc_cie *cie, struct row *row)
{
	uint8_t op = fc_cursor_uint(c, 1);
	uint64_t reg;

	switch (op & 0xc0) {
	case DW_CFA_advance_loc:
		return !(op & 0x3f);
	case DW_CFA_offset:
		save(row, cie, op & 0x3f, fc_cursor_uleb(c));
		return true;
	case DW_CFA_restore:
		return true; /* to the CIE's rule, which the first row has already */
	}
	switch (op) {
	case DW_CFA_nop:
	case DW_CFA_remember_state:
		return true;
	case DW_CFA_def_cfa:
		reg = fc_cursor_uleb(c);
		set_cfa(row, reg, fc_cursor_uleb(c));
		return true;
	case DW_CFA_def_cfa_sf:
		reg = fc_cursor_uleb(c);
		set_cfa(row, reg, scaled(c, cie));
		return true;
	case DW_CFA_def_cfa_register:
		row->cfa_reg = fc_cursor_uleb(c);
		return true;
	case DW_CFA_def_cfa_offset:
		row->cfa_off = fc_cursor_uleb(c);
		return true;
	case DW_CFA_def_cfa_offset_sf:
		row->cfa_off = scaled(c, cie);
		return true;
	case DW_CFA_def_cfa_expression:
		skip_block(c);
		row->is_cfa_expression = true;
		return true;
	case DW_CFA_undefined:
		if (fc_cursor_uleb(c) == cie->return_column)
			row->is_return_undefined = true;
		return true;
	case DW_CFA_same_value:
	case DW_CFA_restore_extended:
	case DW_CFA_GNU_args_size:
		fc_cursor_uleb(c);
		return true;
	case DW_CFA_offset_extended:
		reg = fc_cursor_uleb(c);
		save(row, cie, reg, fc_cursor_uleb(c));
		return true;
	case DW_CFA_offset_extended_sf:
		reg = fc_cursor_uleb(c);
		save(row, cie, reg, fc_cursor_sleb(c));
		return true;
	case DW_CFA_register:
	case DW_CFA_val_offset:
	case DW_CFA_val_offset_sf:
		save_elsewhere(row, cie, fc_cursor_uleb(c));
		fc_cursor_uleb(c);
		return true;
	case DW_CFA_expression:
	case DW_CFA_val_expression:
		save_elsewhere(row, cie, fc_cursor_uleb(c));
		skip_block(c);
		return true;
	default: /* advance_loc1, 2, 4, set_loc */
		return false;
	}
}

static void run(struct fc_cursor *c, const struct fc_cie *cie, struct row *row)
{
	while (fc_cursor_left(c) && !c->is_bad && run_one(c, cie, row))
		;
}

static bool is_after_call(const struct row *row, uint16_t machine)
{
	const struct fc_call_frame *f = fc_arch_call_frame(machine);
	if (!f) /* a machine that is not known yet: take each FDE for an entry */
		return true;
	return !row->is_cfa_expression && !row->is_saved && !row->is_return_elsewhere &&
	       row->cfa_reg == f->sp && row->cfa_off == f->cfa_off &&
	       row->return_off == f->return_off;
}

/* Where the augmentation data at c say that the landing pads are listed; 0: nowhere. */
static uint64_t read_lsda(const struct fc_ehframe *frames, struct fc_cursor *c)
{
	uint8_t encoding = frames->cie.lsda_encoding;
	uint64_t size = fc_cursor_uleb(c);
	struct fc_cursor data = *c;
	fc_cursor_skip(c, size);
	if (encoding == DW_EH_PE_omit || c->is_bad || !size)
		return 0;
	uint64_t pc = frames->vaddr + (data.at - frames->start);
	struct fc_cursor raw = data;
	uint64_t vaddr = read_pointer(&data, encoding, pc);
	return data.is_bad || !read_pointer(&raw, encoding & 0x0f, 0) ? 0 : vaddr;
}

/* c stands behind the CIE pointer. */
static bool read_fde(struct fc_ehframe *frames, struct fc_cursor *c, struct fc_fde *ret)
{
	const struct fc_cie *cie = &frames->cie;
	uint64_t pc = frames->vaddr + (c->at - frames->start);
	*ret = (struct fc_fde){ .is_signal = cie->is_signal };
	ret->vaddr = read_pointer(c, cie->pointer_encoding, pc);
	ret->size = read_pointer(c, cie->pointer_encoding & 0x0f, 0);
	if (cie->has_augmentation_size)
		ret->lsda = read_lsda(frames, c);
	if (c->is_bad)
		return false;

	struct row row = { 0 };
	struct fc_cursor initial = { .at = cie->code, .end = cie->code_end };
	run(&initial, cie, &row);
	run(c, cie, &row);
	ret->has_return_address = !row.is_return_undefined;
	ret->is_entry = is_after_call(&row, frames->machine);
	return true;
}

bool fc_ehframe_next(struct fc_ehframe *frames, struct fc_fde *ret)
{
	struct fc_cursor c = { .at = frames->at, .end = frames->end };
	while (enter(&c)) {
		const uint8_t *id_at = c.at;
		uint64_t back = fc_cursor_uint(&c, 4);
		frames->at = c.end;
		/* The id of an FDE is the distance from itself back to its CIE. */
		if (back && back <= (size_t)(id_at - frames->start) &&
		    load_cie(frames, id_at - back) && read_fde(frames, &c, ret))
			return true;
		c = (struct fc_cursor){ .at = frames->at, .end = frames->end };
	}
	frames->at = frames->end;
	return false;
}

/*
 * The table of call sites in an LSDA ("Exception Handling Tables", as gcc's except.c and
 * libstdc++'s eh_personality.cc have it):
 *
 *   encoding of and base of landing pads | encoding of and offset to the types |
 *   encoding of and size of the table | rows: start, size, landing pad, action
 */
void fc_ehframe_landings(const struct fc_fde *fde, const uint8_t *lsda, size_t size,
			 void (*fn)(void *ctx, uint64_t vaddr), void *ctx)
{
	struct fc_cursor c = fc_cursor(lsda, size);
	uint8_t encoding = fc_cursor_uint(&c, 1);
	uint64_t base = fde->vaddr;
	if (encoding != DW_EH_PE_omit) {
		uint64_t pc = fde->lsda + (c.at - lsda);
		base = read_pointer(&c, encoding, pc);
	}
	if (fc_cursor_uint(&c, 1) != DW_EH_PE_omit)
		fc_cursor_uleb(&c);
	encoding = fc_cursor_uint(&c, 1) & 0x0f;
	uint64_t left = fc_cursor_uleb(&c);
	if (c.is_bad || left > fc_cursor_left(&c))
		return;
	c.end = c.at + left;
	while (fc_cursor_left(&c)) {
		read_pointer(&c, encoding, 0);
		read_pointer(&c, encoding, 0);
		uint64_t landing = read_pointer(&c, encoding, 0);
		fc_cursor_uleb(&c);
		if (c.is_bad)
			return;
		if (landing)
			fn(ctx, base + landing);
	}
}

static bool start_at(struct fc_ehframe *frames, const uint8_t *at, size_t size, uint64_t vaddr)
{
	frames->start = frames->at = at;
	frames->end = at + size;
	frames->vaddr = vaddr;
	return true;
}

/*
 * .eh_frame_hdr says where .eh_frame is; its end is the zero length that ends it.
 *
 *   version: u8 = 1, encodings of: eh_frame pointer, count, table | eh_frame pointer |
 * ...
 */
static bool find_by_segment(struct fc_ehframe *frames, const struct fc_image *image)
{
	const Elf64_Phdr *phdr = fc_image_phdr(image, PT_GNU_EH_FRAME);
	if (!phdr)
		return false;
	struct fc_cursor c = fc_cursor(image->at + phdr->p_offset, phdr->p_filesz);
	uint64_t version = fc_cursor_uint(&c, 1);
	uint8_t encoding = fc_cursor_uint(&c, 1);
	fc_cursor_skip(&c, 2);
	uint64_t vaddr = read_pointer(&c, encoding, phdr->p_vaddr + 4);
	size_t size;
	const uint8_t *at = fc_image_load(image, vaddr, &size);
	if (c.is_bad || version != 1 || !at)
		return false;
	return start_at(frames, at, size, vaddr);
}

bool fc_ehframe_init(struct fc_ehframe *frames, const struct fc_image *image)
{
	*frames = (struct fc_ehframe){ .machine = image->machine };
	const struct fc_section *section = fc_image_section(image, ".eh_frame");
	const uint8_t *at = section ? fc_image_content(image, section) : NULL;
	if (at)
		return start_at(frames, at, section->size, section->vaddr);
	return find_by_segment(frames, image);
}
