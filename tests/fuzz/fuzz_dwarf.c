/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_dwarf.c - any bytes as a file with debug information: all its lines and functions are asked
 * for. Such a file may cost the process that reads it, but no more: see fuzz_answer.c and
 * fuzz_findings.c for what that answers.
 *
 * Start it with small programs as the corpus. An input that is no ELF file is what sections have:
 * each begins with its number and its size, in two bytes; a file is made of them.
 */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/vec.h"
#include "dwarf/linetable.h"
#include "dwarf/signatures.h"
#include "dwarf/size.h"
#include "elf/image.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static const char names[] = "\0.debug_info\0.debug_abbrev\0.debug_line\0.debug_str\0"
			    ".debug_line_str\0.debug_str_offsets\0.debug_addr\0"
			    ".debug_ranges\0.debug_rnglists\0.gnu_debugaltlink\0"
			    ".gnu_debuglink\0.zdebug_info\0.debug_types\0.debug_loc\0"
			    ".debug_loclists\0";

enum { NR_NAMES = 16, MOST_SECTIONS = 32 };

struct made {
	FC_VEC(uint8_t) bytes;
	Elf64_Shdr sections[MOST_SECTIONS];
	size_t nr;
};

static void put(struct made *made, const void *at, size_t size)
{
	for (size_t i = 0; i < size; i++)
		fc_vec_push(&made->bytes, ((const uint8_t *)at)[i]);
}

static void put_section(struct made *made, const char *name, uint64_t flags, const void *at,
			size_t size)
{
	made->sections[made->nr++] = (Elf64_Shdr){ .sh_name = (uint32_t)(name - names),
						   .sh_type = SHT_PROGBITS,
						   .sh_flags = flags,
						   .sh_offset = made->bytes.nr,
						   .sh_size = size };
	put(made, at, size);
}

static const char *name_of(unsigned int nr)
{
	const char *name = names;
	for (unsigned int i = 0; i < nr; i++)
		name += strlen(name) + 1;
	return name;
}

/* The high bit of a number says that the section is packed. */
static void make_sections(struct made *made, const uint8_t *bytes, size_t size)
{
	put_section(made, names, 0, NULL, 0);
	put_section(made, names, 0, names, sizeof(names));
	while (size > 3 && made->nr < MOST_SECTIONS) {
		size_t len = bytes[1] | (size_t)bytes[2] << 8;
		if (len > size - 3)
			len = size - 3;
		put_section(made, name_of((bytes[0] & 0x7f) % NR_NAMES),
			    bytes[0] & 0x80 ? SHF_COMPRESSED : 0, bytes + 3, len);
		bytes += 3 + len;
		size -= 3 + len;
	}
}

static void make(struct made *made, const uint8_t *bytes, size_t size)
{
	Elf64_Ehdr head = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, 1 },
			    .e_type = ET_DYN,
			    .e_machine = EM_X86_64,
			    .e_ehsize = sizeof(head),
			    .e_shentsize = sizeof(Elf64_Shdr),
			    .e_shstrndx = 1 };
	put(made, &head, sizeof(head));
	make_sections(made, bytes, size);
	head.e_shnum = (uint16_t)made->nr;
	head.e_shoff = made->bytes.nr;
	put(made, made->sections, made->nr * sizeof(made->sections[0]));
	memcpy(made->bytes.at, &head, sizeof(head));
}

static void require(bool is_true)
{
	if (!is_true)
		abort();
}

static void measure(const uint8_t *bytes, size_t size, enum fc_dwarf_wanted wanted)
{
	struct fc_dwarf_size found = { .wanted = wanted };
	struct fc_image image;
	if (fc_image_init(&image, bytes, size, "fuzzed")) {
		require(fc_fail_text()[0]);
		return;
	}
	fc_dwarf_is_in(&image);
	fc_dwarf_is_padding(&image);
	if (fc_dwarf_size_add(&found, &image))
		require(found.unpacked <= UINT64_C(2) << 30 && found.lines <= found.all &&
			found.ranges <= found.all);
	fc_image_deinit(&image);
}

static void ask_all(struct fc_linetable *table, const uint64_t *vaddrs, size_t nr)
{
	const char *file;
	int line;
	fc_linetable_expect(table, vaddrs, nr);
	for (size_t i = 0; i < nr; i++)
		if (fc_linetable_find(table, vaddrs[i], &file, &line))
			require(line > 0 && *file && strlen(file) < 8200);
}

struct vaddrs {
	FC_VEC(uint64_t) all;
};

/* Addresses near those that files have, and what numbers in them may be taken for. */
static struct vaddrs choose(const uint8_t *bytes, size_t size)
{
	struct vaddrs ret = { 0 };
	for (uint64_t vaddr = 0; vaddr < 0x3000; vaddr += 16)
		fc_vec_push(&ret.all, vaddr);
	for (size_t off = 0; off + 8 <= size && off < 4096; off++) {
		uint64_t vaddr;
		memcpy(&vaddr, bytes + off, sizeof(vaddr));
		fc_vec_push(&ret.all, vaddr);
	}
	return ret;
}

static void ask_for_lines(const char *path, const char *build_id, const struct vaddrs *vaddrs)
{
	struct fc_linetable *table;
	fc_fail_clear();
	if (fc_linetable_open(path, build_id, &table)) {
		require(fc_fail_text()[0]);
		return;
	}
	ask_all(table, vaddrs->all.at, vaddrs->all.nr);
	require(!fc_linetable_wrong(table) || fc_linetable_wrong(table)[0]);
	fc_linetable_close(table);
}

static void ask_for_functions(const char *path, const char *build_id,
			      const struct vaddrs *vaddrs)
{
	struct fc_signatures *signatures;
	struct fc_signature signature;
	fc_fail_clear();
	if (fc_signatures_read(path, build_id, vaddrs->all.at, vaddrs->all.nr, &signatures)) {
		require(fc_fail_text()[0]);
		return;
	}
	for (size_t i = 0; i < vaddrs->all.nr; i++) {
		fc_signatures_get(signatures, i, &signature);
		require(signature.nr <= FC_MAX_PARAMS && (signature.func || !signature.nr));
	}
	require(!fc_signatures_wrong(signatures) || fc_signatures_wrong(signatures)[0]);
	fc_signatures_destroy(signatures);
}

static void open_and_ask(const uint8_t *bytes, size_t size)
{
	measure(bytes, size, FC_DWARF_LINES);
	measure(bytes, size, FC_DWARF_SIGNATURES);
	fc_auto_close int fd = memfd_create("fuzz", MFD_CLOEXEC);
	struct fc_image image;
	char path[64], build_id[41] = "";
	if (fd < 0 || write(fd, bytes, size) != (ssize_t)size)
		return;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (!fc_image_init(&image, bytes, size, path))
		fc_image_build_id(&image, build_id);
	fc_image_deinit(&image);
	struct vaddrs vaddrs = choose(bytes, size);
	ask_for_lines(path, build_id, &vaddrs);
	ask_for_functions(path, build_id, &vaddrs);
	fc_vec_free(&vaddrs.all);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct made made = { 0 };
	unsetenv("DEBUGINFOD_URLS");
	if (size >= SELFMAG && !memcmp(bytes, ELFMAG, SELFMAG)) {
		open_and_ask(bytes, size);
		return 0;
	}
	make(&made, bytes, size);
	open_and_ask(made.bytes.at, made.bytes.nr);
	fc_vec_free(&made.bytes);
	return 0;
}
