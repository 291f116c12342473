/* SPDX-License-Identifier: Apache-2.0 */
/* relocated.c - the tables of relocations, gone through: System V ABI, "Relocation"; DT_RELR of the generic ABI. */
#include "elf/relocated.h"

#include <elf.h>

#include "elf/code.h"
#include "elf/cursor.h"
#include "elf/dynamic.h"
#include "elf/image.h"

struct finding {
	const struct fc_image *image;
	struct fc_code code;
	struct fc_relocated found;
	uint32_t nr;
};

static bool is_writable(const struct fc_image *image, uint64_t vaddr)
{
	for (size_t i = 0; i < image->nr_phdrs; i++) {
		const Elf64_Phdr *phdr = &image->phdrs[i];
		if (phdr->p_type == PT_LOAD && vaddr - phdr->p_vaddr < phdr->p_memsz)
			return phdr->p_flags & PF_W;
	}
	return true;
}

/* A file of many more than any has may be made to take long. */
static void note(struct finding *f, uint64_t vaddr)
{
	enum { MOST = 1 << 24 };
	if (f->nr++ == MOST || fc_ranges_room(&f->code.all, vaddr))
		f->found.is_code = true;
	else if (!f->found.beside && !is_writable(f->image, vaddr))
		f->found.beside = vaddr;
}

/* What is not in the file may be of anything. */
static struct fc_cursor table_at(struct finding *f, struct fc_code_range table)
{
	size_t room = 0;
	const uint8_t *at = table.size ? fc_image_load(f->image, table.vaddr, &room) : NULL;
	bool is_there = at && room >= table.size;
	f->found.is_code |= table.size && !is_there;
	return is_there ? fc_cursor(at, table.size) : fc_cursor((const uint8_t *)"", 0);
}

/* An entry begins with the address that is relocated. */
static void note_entries(struct finding *f, struct fc_code_range table, size_t entry)
{
	struct fc_cursor c = table_at(f, table);
	while (!f->found.is_code && fc_cursor_left(&c) >= entry) {
		note(f, fc_cursor_uint(&c, 8));
		fc_cursor_skip(&c, entry - 8);
	}
}

/* An even word is an address; an odd one has a bit for each of the 63 words behind those before. */
static void note_packed(struct finding *f, struct fc_code_range table)
{
	enum { WORD = 8, WORDS = 63 };
	struct fc_cursor c = table_at(f, table);
	uint64_t next = 0;
	while (!f->found.is_code && fc_cursor_left(&c) >= WORD) {
		uint64_t word = fc_cursor_uint(&c, WORD);
		if (!(word & 1)) {
			note(f, word);
			next = word + WORD;
			continue;
		}
		for (unsigned i = 0; i < WORDS; i++)
			if (word >> (i + 1) & 1)
				note(f, next + i * WORD);
		next += WORDS * WORD;
	}
}

void fc_relocated_find(const struct fc_image *image, const struct fc_dynamic *dynamic,
		       struct fc_relocated *ret)
{
	struct finding f = { .image = image };
	fc_code_init(&f.code, image);
	note_entries(&f, dynamic->rela, sizeof(Elf64_Rela));
	note_entries(&f, dynamic->rel, sizeof(Elf64_Rel));
	note_entries(&f, dynamic->plt,
		     dynamic->plt_has_addends ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel));
	note_packed(&f, dynamic->relr);
	fc_code_deinit(&f.code);
	bool is_code = f.found.is_code || !f.found.beside;
	*ret = (struct fc_relocated){ is_code, is_code ? 0 : f.found.beside };
}
