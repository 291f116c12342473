/* SPDX-License-Identifier: Apache-2.0 */
/* handle.c - opens a mapped file with libdw. */
#include "dwarf/handle.h"

#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "dwarf/jail.h"

/*
 * libelf notes in the section headers of an image what it has unpacked: these pages become
 * writable, as copies. The file may name any place, and any number of them; NULL: it lies.
 */
static uint8_t *open_headers(const struct fc_image *image)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), at = (uintptr_t)image->at;
	uint64_t size = image->nr_sections * sizeof(Elf64_Shdr);
	Elf64_Ehdr head;

	if (!fc_image_has(image, 0, sizeof(head)))
		return NULL;
	memcpy(&head, image->at, sizeof(head));
	if (!fc_image_has(image, head.e_shoff, size))
		return NULL;
	uintptr_t begin = (at + head.e_shoff) & -page;
	if (mprotect((void *)begin, at + head.e_shoff + size - begin, PROT_READ | PROT_WRITE))
		return NULL;
	return (uint8_t *)image->at + head.e_shoff;
}

/* libdw would unpack them all, at once. */
static void hide_idle_sections(const struct fc_image *image, enum fc_dwarf_wanted wanted,
			       uint8_t *headers)
{
	static const Elf64_Word nothing = SHT_NOBITS;

	for (size_t i = 0; i < image->nr_sections; i++)
		if (fc_dwarf_is_idle(&image->sections[i], wanted))
			memcpy(headers + i * sizeof(Elf64_Shdr) + offsetof(Elf64_Shdr, sh_type),
			       &nothing, sizeof(nothing));
}

Elf *fc_dwarf_elf(const struct fc_image *image, enum fc_dwarf_wanted wanted)
{
	uint8_t *headers = image ? open_headers(image) : NULL;

	if (!headers)
		return NULL;
	hide_idle_sections(image, wanted, headers);
	return elf_memory((char *)image->at, image->size);
}

static void __attribute__((noreturn)) out_of_memory(void)
{
	fc_jail_leave(FC_DWARF_NO_MEMORY);
}

Dwarf *fc_dwarf_begin(Elf *elf)
{
	Dwarf *dwarf = elf ? dwarf_begin_elf(elf, DWARF_C_READ, NULL) : NULL;

	if (dwarf)
		dwarf_new_oom_handler(dwarf, out_of_memory);
	return dwarf;
}

static void begin(struct fc_dwarf_handle *handle)
{
	handle->dwarf = fc_dwarf_begin(handle->elf);
	handle->alt = fc_dwarf_begin(handle->alt_elf);
	if (handle->dwarf && handle->alt)
		dwarf_setalt(handle->dwarf, handle->alt);
}

void fc_dwarf_handle_init(struct fc_dwarf_handle *handle, const struct fc_image *image,
			  const struct fc_image *alt, enum fc_dwarf_wanted wanted)
{
	elf_version(EV_CURRENT);
	*handle = (struct fc_dwarf_handle){ .elf = fc_dwarf_elf(image, wanted),
					    .alt_elf = fc_dwarf_elf(alt, wanted) };
	begin(handle);
}

/* What libdw has read goes with its Dwarf; what was unpacked stays with the Elf. */
void fc_dwarf_handle_renew(struct fc_dwarf_handle *handle)
{
	dwarf_end(handle->dwarf);
	dwarf_end(handle->alt);
	begin(handle);
}
