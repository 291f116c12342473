/* SPDX-License-Identifier: Apache-2.0 */
/* elf.c - opens a file, and gathers its functions from all sources. */
#include "elf/elf.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "arch/arch.h"
#include "base/cleanup.h"
#include "base/fail.h"
#include "base/foreign.h"
#include "base/memory.h"
#include "base/sort.h"
#include "elf/code.h"
#include "elf/content.h"
#include "elf/debugfile.h"
#include "elf/dynamic.h"
#include "elf/func.h"
#include "elf/ehframe.h"
#include "elf/image.h"
#include "elf/relocated.h"
#include "elf/symtab.h"

enum { CODE_MIB = 512, LOADED_MIB = 4096 };

struct parts {
	int fd; /* to read functions; -1: no more */
	bool has_symbols, has_probes;
	struct fc_content content;
	struct fc_image image;
	struct fc_debugfile debug;
	struct fc_symtab symtab;
	struct fc_code code;
	struct fc_funcs funcs;
	struct fc_probes probes;
};

static int open_file(const char *open_path, const char *shown, struct stat *st)
{
	int fd = fc_foreign_open(AT_FDCWD, open_path, st);
	if (fd == -EISDIR)
		return fc_fail(EISDIR, "%s is a directory", shown);
	if (fd == -EINVAL)
		return fc_fail(ENOEXEC, "%s is not a regular file", shown);
	return fd < 0 ? fc_fail(-fd, "cannot open %s: %s", shown, fc_foreign_why(fd)) : fd;
}

/* Its owner sets times and build-ids as he likes, but not these. */
static uint64_t identity_of(const struct stat *st)
{
	const uint64_t numbers[] = { st->st_dev, st->st_ino, st->st_ctim.tv_sec,
				     st->st_ctim.tv_nsec };
	uint64_t hash = UINT64_C(0xcbf29ce484222325);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		hash = (hash ^ numbers[i]) * UINT64_C(0x9e3779b97f4a7c15);
	return fc_foreign_is_roots(st) ? 0 : hash | 1;
}

static int read_file(struct fc_elf *elf, struct parts *parts, const struct stat *st)
{
	if (st->st_size == 0)
		return fc_fail(ENOEXEC, "%s is not an ELF file: it is empty", elf->path);
	int err = fc_content_open(parts->fd, st, elf->path, &parts->content);
	if (err)
		return err;
	elf->image = parts->content.at;
	elf->image_size = parts->content.size;
	elf->identity = identity_of(st);
	elf->mtime_ns = st->st_mtim.tv_sec * INT64_C(1000000000) + st->st_mtim.tv_nsec;
	return 0;
}

static int check_type(const struct fc_elf *elf)
{
	switch (elf->type) {
	case ET_EXEC:
	case ET_DYN:
		return 0;
	case ET_REL:
		return fc_fail(ENOEXEC, "%s is an object file; link it first", elf->path);
	case ET_CORE:
		return fc_fail(ENOEXEC, "%s is a core dump, not a program", elf->path);
	default:
		return fc_fail(ENOEXEC, "%s is damaged: unknown ELF type %u", elf->path,
			       elf->type);
	}
}

/* What "objcopy --only-keep-debug" makes looks like the program it came from. */
static int check_has_code(const struct fc_elf *elf, const struct fc_image *image)
{
	const struct fc_section *text = fc_image_section(image, ".text");
	if (text && text->type == SHT_NOBITS && text->flags & SHF_EXECINSTR)
		return fc_fail(ENOEXEC, "%s is a debug file: the program is another file",
			       elf->path);
	return 0;
}

static int check_sections(const struct fc_elf *elf, const struct fc_image *image)
{
	for (size_t i = 0; i < image->nr_sections; i++) {
		const struct fc_section *s = &image->sections[i];
		if (s->type != SHT_NULL && s->type != SHT_NOBITS &&
		    !fc_image_has(image, s->off, s->size))
			return fc_fail(ENOEXEC,
				       "%s is damaged: section %zu (%.40s) lies outside "
				       "the file",
				       elf->path, i, s->name);
	}
	return 0;
}

static int check_segment(const struct fc_elf *elf, size_t i, const Elf64_Phdr *phdr)
{
	if (phdr->p_offset > elf->image_size ||
	    phdr->p_filesz > elf->image_size - phdr->p_offset)
		return fc_fail(ENOEXEC, "%s is damaged: segment %zu lies outside the file",
			       elf->path, i);
	if (phdr->p_filesz > phdr->p_memsz || phdr->p_vaddr + phdr->p_memsz < phdr->p_vaddr)
		return fc_fail(ENOEXEC,
			       "%s is damaged: segment %zu has impossible sizes or addresses",
			       elf->path, i);
	return 0;
}

/* All code is decoded and all data looked through, however little of it is on disk. */
static int check_sums(const struct fc_elf *elf)
{
	static const uint64_t mib = 1ull << 20;
	uint64_t code = 0, all = 0;
	for (size_t i = 0; i < elf->nr_segments; i++) {
		const struct fc_segment *s = &elf->segments[i];
		code += s->is_exec ? s->filesz : 0;
		all += s->filesz;
	}
	if (code <= CODE_MIB * mib && all <= LOADED_MIB * mib)
		return 0;
	return fc_fail(ENOEXEC,
		       "%s: %llu MiB of code and %llu MiB of data are too much; fctrace reads "
		       "up to %d and %d",
		       elf->path, (unsigned long long)(code / mib),
		       (unsigned long long)((all - code) / mib), CODE_MIB, LOADED_MIB);
}

static int read_segments(struct fc_elf *elf, const struct fc_image *image)
{
	elf->segments = fc_alloc(image->nr_phdrs * sizeof(*elf->segments));
	for (size_t i = 0; i < image->nr_phdrs; i++) {
		const Elf64_Phdr *phdr = &image->phdrs[i];
		if (phdr->p_type != PT_LOAD)
			continue;
		int ret = check_segment(elf, i, phdr);
		if (ret < 0)
			return ret;
		elf->segments[elf->nr_segments++] = (struct fc_segment){
			.vaddr = phdr->p_vaddr,
			.off = phdr->p_offset,
			.filesz = phdr->p_filesz,
			.memsz = phdr->p_memsz,
			.is_exec = phdr->p_flags & PF_X,
			.is_write = phdr->p_flags & PF_W,
		};
	}
	if (!elf->nr_segments)
		return fc_fail(ENOEXEC, "%s is damaged: nothing in it is to be loaded",
			       elf->path);
	fc_sort_by(elf->segments, elf->nr_segments, vaddr);
	for (size_t i = 1; i < elf->nr_segments; i++) {
		const struct fc_segment *s = &elf->segments[i];
		if (s->vaddr - s[-1].vaddr < s[-1].memsz)
			return fc_fail(ENOEXEC, "%s is damaged: its segments overlap at %#llx",
				       elf->path, (unsigned long long)s->vaddr);
	}
	return check_sums(elf);
}

static void read_interp(struct fc_elf *elf, const struct fc_image *image)
{
	const Elf64_Phdr *phdr = fc_image_phdr(image, PT_INTERP);
	if (!phdr || !phdr->p_filesz)
		return;
	size_t size = phdr->p_filesz < 4096 ? phdr->p_filesz : 4096; /* PATH_MAX */
	elf->interp = fc_alloc(size + 1);
	memcpy(elf->interp, image->at + phdr->p_offset, size);
}

static int read_headers(struct fc_elf *elf, struct parts *parts)
{
	struct fc_image *image = &parts->image;
	int ret = fc_image_init(image, elf->image, elf->image_size, elf->path);
	if (ret < 0)
		return ret;
	elf->machine = image->machine;
	elf->type = image->type;
	elf->entry = image->entry;
	ret = check_type(elf);
	if (ret == 0)
		ret = check_has_code(elf, image);
	if (ret == 0)
		ret = read_segments(elf, image);
	if (ret == 0)
		ret = check_sections(elf, image);
	if (ret < 0)
		return ret;

	struct fc_dynamic dynamic;
	fc_dynamic_read(image, &dynamic);
	struct fc_relocated relocated = { 0 };
	if (dynamic.has_textrel)
		fc_relocated_find(image, &dynamic, &relocated);
	elf->has_textrel = relocated.is_code;
	elf->relocated = relocated.beside;
	elf->is_go = fc_image_is_go(image);
	read_interp(elf, image);
	fc_image_build_id(image, elf->build_id);
	return 0;
}

/* A debuglink is looked up beside the program, by the path that leads to it from here. */
static const char *path_of(int fd, const char *open_path, const char *shown)
{
	struct stat a, b;
	if (fstat(fd, &a) == 0 && stat(shown, &b) == 0 && a.st_dev == b.st_dev &&
	    a.st_ino == b.st_ino)
		return shown;
	return open_path;
}

static void read_symbols(struct fc_elf *elf, struct parts *parts)
{
	fc_symtab_read(&parts->symtab, &parts->image);
	if (!parts->symtab.has_symtab && fc_debugfile_open(&parts->debug, FC_DEBUGFILE_SYMBOLS,
							   &parts->image, elf->reached_by))
		fc_symtab_read(&parts->symtab, &parts->debug.image);
	if (parts->debug.unread)
		elf->unread = fc_asprintf("%s: %s", elf->path, parts->debug.unread);
	parts->has_symbols = true;
	elf->is_stripped = !parts->symtab.has_symtab;
}

static void read_funcs(struct fc_elf *elf, struct parts *parts)
{
	fc_funcs_init(&parts->funcs, &parts->image, &parts->symtab, &parts->code);
	elf->has_eh_frame = parts->funcs.has_eh_frame;
	elf->funcs = parts->funcs.list.at;
	elf->nr_funcs = parts->funcs.list.nr;
}

static void close_fd(struct parts *parts)
{
	if (parts->fd >= 0)
		close(parts->fd);
	parts->fd = -1;
}

int fc_elf_open_headers(const char *open_path, const char *shown, struct fc_elf **ret)
{
	struct stat st;
	int fd = open_file(open_path, shown, &st);
	if (fd < 0)
		return fd;

	struct fc_elf *elf = fc_alloc(sizeof(*elf));
	struct parts *parts = elf->priv = fc_alloc(sizeof(*parts));
	elf->path = fc_strdup(shown);
	parts->fd = fd;
	elf->reached_by = fc_strdup(path_of(fd, open_path, shown));
	int err = read_file(elf, parts, &st);
	if (err == 0)
		err = read_headers(elf, parts);
	if (err < 0) {
		fc_elf_close(elf);
		return err;
	}
	fc_code_init(&parts->code, &parts->image);
	*ret = elf;
	return 0;
}

void fc_elf_read(struct fc_elf *elf)
{
	struct parts *parts = elf->priv;
	read_symbols(elf, parts);
	read_funcs(elf, parts);
	close_fd(parts);
}

int fc_elf_check(const struct fc_elf *elf)
{
	const struct parts *parts = elf->priv;
	return fc_content_check(&parts->content, elf->path);
}

int fc_elf_open(const char *open_path, const char *shown, struct fc_elf **ret)
{
	int err = fc_elf_open_headers(open_path, shown, ret);
	if (err)
		return err;
	fc_elf_read(*ret);
	err = fc_elf_check(*ret);
	if (err)
		fc_elf_close(fc_take(*ret));
	return err;
}

void fc_elf_forget(struct fc_elf *elf)
{
	struct parts *parts = elf->priv;
	close_fd(parts);
	fc_funcs_deinit(&parts->funcs);
	fc_symtab_forget(&parts->symtab);
	parts->has_symbols = false;
	elf->funcs = NULL;
	elf->nr_funcs = 0;
}

bool fc_elf_debug_stamp(const struct fc_elf *elf, uint64_t *ret)
{
	const struct parts *parts = elf->priv;
	*ret = 0;
	return fc_image_section_type(&parts->image, SHT_SYMTAB) ||
	       fc_debugfile_stamp(&parts->image, elf->reached_by, ret);
}

void fc_elf_close(struct fc_elf *elf)
{
	if (!elf)
		return;
	struct parts *parts = elf->priv;
	close_fd(parts);
	fc_funcs_deinit(&parts->funcs);
	fc_code_deinit(&parts->code);
	fc_symtab_deinit(&parts->symtab);
	fc_probes_deinit(&parts->probes);
	fc_debugfile_close(&parts->debug);
	fc_image_deinit(&parts->image);
	fc_content_close(&parts->content);
	free(parts);
	free(elf->segments);
	free(elf->interp);
	free(elf->unread);
	free(elf->path);
	free(elf->reached_by);
	free(elf);
}

int fc_elf_symbol(const struct fc_elf *elf, const char *name, uint64_t *ret)
{
	struct parts *parts = elf->priv;
	if (!parts->has_symbols)
		fc_symtab_read(&parts->symtab, &parts->image);
	parts->has_symbols = true;
	const struct fc_func *symbol = fc_symtab_find(&parts->symtab, name);
	if (!symbol)
		return -ENOENT;
	*ret = symbol->vaddr;
	return 0;
}

static const struct fc_probes *read_probes(const struct fc_elf *elf)
{
	struct parts *parts = elf->priv;
	if (!parts->has_probes)
		fc_probes_read(&parts->probes, &parts->image);
	parts->has_probes = true;
	return &parts->probes;
}

const struct fc_probe *fc_elf_probes(const struct fc_elf *elf, size_t *nr)
{
	const struct fc_probes *probes = read_probes(elf);
	*nr = probes->list.nr;
	return probes->list.at;
}

size_t fc_elf_damaged_probes(const struct fc_elf *elf)
{
	return read_probes(elf)->nr_damaged;
}

const char *fc_elf_needed(const struct fc_elf *elf, size_t i)
{
	const struct parts *parts = elf->priv;
	return fc_dynamic_string(&parts->image, DT_NEEDED, i);
}

const char *fc_elf_soname(const struct fc_elf *elf)
{
	const struct parts *parts = elf->priv;
	return fc_dynamic_string(&parts->image, DT_SONAME, 0);
}

const char *fc_elf_run_path(const struct fc_elf *elf)
{
	const struct parts *parts = elf->priv;
	const char *path = fc_dynamic_string(&parts->image, DT_RUNPATH, 0);
	return path ? path : fc_dynamic_string(&parts->image, DT_RPATH, 0);
}

const char *fc_elf_dynamic_names(const struct fc_elf *elf, size_t *size)
{
	const struct parts *parts = elf->priv;
	struct fc_dynamic dynamic;
	fc_dynamic_read(&parts->image, &dynamic);
	*size = dynamic.table.strings_size;
	return dynamic.table.strings;
}

const uint8_t *fc_elf_bytes(const struct fc_elf *elf, uint64_t vaddr, size_t size)
{
	const struct parts *parts = elf->priv;
	size_t room;
	const uint8_t *at = fc_image_load(&parts->image, vaddr, &room);
	return at && size <= room ? at : NULL;
}

const uint8_t *fc_elf_segment_code(const struct fc_elf *elf, const struct fc_segment *segment)
{
	return segment->is_exec ? fc_elf_bytes(elf, segment->vaddr, segment->filesz) : NULL;
}

bool fc_elf_has_section(const struct fc_elf *elf, const char *name)
{
	const struct parts *parts = elf->priv;
	return fc_image_section(&parts->image, name);
}

bool fc_elf_is_linkage(const struct fc_elf *elf, uint64_t vaddr)
{
	const struct parts *parts = elf->priv;
	return fc_ranges_room(&parts->code.linkage, vaddr);
}

const struct fc_code_range *fc_elf_code(const struct fc_elf *elf, size_t *nr)
{
	const struct parts *parts = elf->priv;
	*nr = parts->code.text.list.nr;
	return parts->code.text.list.at;
}

size_t fc_elf_data(const struct fc_elf *elf, struct fc_code_range *ranges, size_t room)
{
	const struct parts *parts = elf->priv;
	return fc_code_data(&parts->image, ranges, room);
}

void fc_elf_landings(const struct fc_elf *elf, void (*fn)(void *ctx, uint64_t vaddr), void *ctx)
{
	const struct parts *parts = elf->priv;
	struct fc_ehframe frames;
	struct fc_fde fde;
	if (!fc_ehframe_init(&frames, &parts->image))
		return;
	while (fc_ehframe_next(&frames, &fde)) {
		size_t size;
		const uint8_t *lsda =
			fde.lsda ? fc_image_load(&parts->image, fde.lsda, &size) : NULL;
		if (lsda)
			fc_ehframe_landings(&fde, lsda, size, fn, ctx);
	}
}

uint64_t fc_elf_slack(const struct fc_elf *elf, size_t size)
{
	const struct fc_arch *arch = fc_arch_find(elf->machine);
	const uint64_t page = arch ? arch->page_size : 1;
	for (size_t i = 0; i < elf->nr_segments; i++) {
		const struct fc_segment *seg = &elf->segments[i];
		uint64_t end = (seg->vaddr + seg->filesz + 15) & ~15ull;
		uint64_t last = (seg->vaddr + seg->filesz + page - 1) & ~(page - 1);
		if (seg->is_exec && !seg->is_write && seg->memsz == seg->filesz &&
		    end + size <= last)
			return end;
	}
	return 0;
}
