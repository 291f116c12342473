/* SPDX-License-Identifier: Apache-2.0 */
/* code.c - lists the executable ranges of a file, and which of them are linkage or data. */
#include "elf/code.h"

#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/bisect.h"
#include "base/sort.h"
#include "elf/dynamic.h"
#include "elf/ehframe.h"
#include "elf/image.h"

static void add(struct fc_ranges *ranges, uint64_t vaddr, uint64_t size)
{
	struct fc_code_range range = { .vaddr = vaddr, .size = size };
	if (size)
		fc_vec_push(&ranges->list, range);
}

/* Sort, and make one of ranges that overlap. */
static void settle(struct fc_ranges *ranges)
{
	size_t nr = 0;
	struct fc_code_range *at = ranges->list.at;
	fc_sort_by(at, ranges->list.nr, vaddr);
	for (size_t i = 0; i < ranges->list.nr; i++) {
		struct fc_code_range *last = nr ? &at[nr - 1] : NULL;
		if (!last || at[i].vaddr - last->vaddr >= last->size)
			at[nr++] = at[i];
		else if (at[i].size > last->size - (at[i].vaddr - last->vaddr))
			last->size = at[i].vaddr - last->vaddr + at[i].size;
	}
	ranges->list.nr = nr;
}

uint64_t fc_ranges_room(const struct fc_ranges *ranges, uint64_t vaddr)
{
	size_t nr = fc_bisect(ranges->list.at, ranges->list.nr, range, range->vaddr <= vaddr);
	const struct fc_code_range *last = nr ? &ranges->list.at[nr - 1] : NULL;
	bool is_in = last && vaddr - last->vaddr < last->size;
	return is_in ? last->size - (vaddr - last->vaddr) : 0;
}

static bool is_exec_load(const Elf64_Phdr *phdr)
{
	return phdr->p_type == PT_LOAD && phdr->p_flags & PF_X;
}

static bool is_in_exec_load(const struct fc_image *image, uint64_t vaddr, uint64_t size)
{
	for (size_t i = 0; i < image->nr_phdrs; i++) {
		const Elf64_Phdr *phdr = &image->phdrs[i];
		if (is_exec_load(phdr) && vaddr >= phdr->p_vaddr &&
		    vaddr - phdr->p_vaddr < phdr->p_filesz &&
		    size <= phdr->p_filesz - (vaddr - phdr->p_vaddr))
			return true;
	}
	return false;
}

static bool is_linkage_name(const char *name)
{
	return strncmp(name, ".plt", 4) == 0 || strcmp(name, ".iplt") == 0 ||
	       strcmp(name, ".init") == 0 || strcmp(name, ".fini") == 0;
}

static void add_sections(struct fc_code *code, const struct fc_image *image)
{
	for (size_t i = 0; i < image->nr_sections; i++) {
		const struct fc_section *s = &image->sections[i];
		if (s->type != SHT_PROGBITS || !(s->flags & SHF_EXECINSTR) ||
		    !is_in_exec_load(image, s->vaddr, s->size))
			continue;
		add(&code->all, s->vaddr, s->size);
		if (is_linkage_name(s->name))
			add(&code->linkage, s->vaddr, s->size);
		if (!strstr(s->name, "plt"))
			add(&code->text, s->vaddr, s->size);
	}
}

static void add_segments(struct fc_code *code, const struct fc_image *image)
{
	for (size_t i = 0; i < image->nr_phdrs; i++) {
		const Elf64_Phdr *phdr = &image->phdrs[i];
		if (!is_exec_load(phdr))
			continue;
		add(&code->all, phdr->p_vaddr, phdr->p_filesz);
		add(&code->text, phdr->p_vaddr, phdr->p_filesz);
	}
}

static bool looks_like_plt(const struct fc_image *image, const struct fc_fde *fde)
{
	const struct fc_arch *arch = fc_arch_find(image->machine);
	size_t size;
	const uint8_t *at = fc_image_load(image, fde->vaddr, &size);
	return arch && at && arch->code->is_plt(at, size, fde->size);
}

/* Without sections, each PLT still has an FDE, and PT_DYNAMIC names _init and _fini. */
static void guess_linkage(struct fc_code *code, const struct fc_image *image)
{
	struct fc_dynamic dynamic;
	fc_dynamic_read(image, &dynamic);
	if (dynamic.init_vaddr)
		add(&code->linkage, dynamic.init_vaddr, 1);
	if (dynamic.fini_vaddr)
		add(&code->linkage, dynamic.fini_vaddr, 1);

	struct fc_ehframe frames;
	struct fc_fde fde;
	if (!fc_ehframe_init(&frames, image))
		return;
	while (fc_ehframe_next(&frames, &fde))
		if (looks_like_plt(image, &fde) && is_in_exec_load(image, fde.vaddr, fde.size))
			add(&code->linkage, fde.vaddr, fde.size);
}

void fc_code_init(struct fc_code *code, const struct fc_image *image)
{
	*code = (struct fc_code){ 0 };
	add_sections(code, image);
	if (!code->all.list.nr) {
		add_segments(code, image);
		guess_linkage(code, image);
	}
	settle(&code->text);
	settle(&code->linkage);
	settle(&code->all);
}

/* Of Android, packed: where they point to is not to be seen in their bytes. */
static bool is_packed(const struct fc_section *section)
{
	enum { ANDROID_REL = 0x60000001, ANDROID_RELA = 0x60000002 };
	return section->type == ANDROID_REL || section->type == ANDROID_RELA;
}

static bool is_data(const struct fc_section *s)
{
	return s->flags & SHF_ALLOC && !(s->flags & SHF_EXECINSTR) && s->type != SHT_NOBITS &&
	       s->type != SHT_NULL && strncmp(s->name, ".eh_frame", 9) != 0;
}

size_t fc_code_data(const struct fc_image *image, struct fc_code_range *ranges, size_t room)
{
	size_t nr = 0;
	for (size_t i = 0; i < image->nr_sections; i++) {
		const struct fc_section *s = &image->sections[i];
		if (is_packed(s))
			return 0;
		if (!is_data(s) || !s->size)
			continue;
		if (nr < room)
			ranges[nr] = (struct fc_code_range){ s->vaddr, s->size };
		nr++;
	}
	return nr;
}

void fc_code_deinit(struct fc_code *code)
{
	fc_vec_free(&code->text.list);
	fc_vec_free(&code->linkage.list);
	fc_vec_free(&code->all.list);
}
