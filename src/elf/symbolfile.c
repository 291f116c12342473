/* SPDX-License-Identifier: Apache-2.0 */
/* symbolfile.c - sorts a file's symbols by address, one an address. */
#include "elf/symbolfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/bisect.h"
#include "base/cleanup.h"
#include "base/fail.h"
#include "base/foreign.h"
#include "base/memory.h"
#include "base/sort.h"
#include "elf/content.h"
#include "elf/elf.h"
#include "elf/image.h"
#include "elf/symtab.h"

struct fc_symbolfile {
	char *path;
	char build_id[41];
	FC_VEC(struct fc_func) funcs; /* by vaddr, one an address; each has a name */

	/* Where the names are: either, */
	struct fc_content content;
	struct fc_image image;
	struct fc_symtab symtab;
	struct fc_elf *elf; /* or */
};

static int open_regular(int folder, const char *path, struct stat *st)
{
	int fd = fc_foreign_open(folder, path, st);
	if (fd == -EINVAL || fd == -EISDIR)
		return fc_fail(ENOEXEC, "%s: %s", path, fc_foreign_why(fd));
	return fd < 0 ? fc_fail(-fd, "cannot open %s: %s", path, fc_foreign_why(fd)) : fd;
}

struct code {
	FC_VEC(struct fc_code_range) list; /* by vaddr */
};

/* Where a debug file has no code it still has the sections, with their addresses. */
static void find_code(struct code *code, const struct fc_image *image)
{
	for (size_t i = 0; i < image->nr_sections; i++) {
		const struct fc_section *s = &image->sections[i];
		if (s->flags & SHF_EXECINSTR)
			fc_vec_push(&code->list, (struct fc_code_range){ s->vaddr, s->size });
	}
	fc_sort_by(code->list.at, code->list.nr, vaddr);
}

static bool is_in_code(const struct code *code, uint64_t vaddr)
{
	size_t nr = fc_bisect(code->list.at, code->list.nr, range, range->vaddr <= vaddr);
	return nr && vaddr - code->list.at[nr - 1].vaddr < code->list.at[nr - 1].size;
}

/* Functions of assembly may have no type. Whoever asks knows that there is a function. */
static bool may_be_function(const struct code *code, const struct fc_func *symbol)
{
	return symbol->flags & (FC_SYM_FUNC | FC_SYM_NOTYPE) && is_in_code(code, symbol->vaddr);
}

static bool is_better(const struct fc_func *a, const struct fc_func *b)
{
	if ((a->flags ^ b->flags) & FC_SYM_FUNC)
		return a->flags & FC_SYM_FUNC;
	return fc_symtab_is_better(a, b);
}

/* Of those at one address the best name, and the largest size. */
static void keep_best(struct fc_symbolfile *file)
{
	struct fc_func *at = file->funcs.at;
	size_t nr = 0;
	fc_sort_by(at, file->funcs.nr, vaddr);
	for (size_t i = 0; i < file->funcs.nr; i++) {
		struct fc_func *last = nr ? &at[nr - 1] : NULL;
		if (!last || last->vaddr != at[i].vaddr) {
			at[nr++] = at[i];
			continue;
		}
		uint64_t size = at[i].size > last->size ? at[i].size : last->size;
		if (is_better(&at[i], last))
			*last = at[i];
		last->size = size;
	}
	file->funcs.nr = nr;
}

static int read_symbols(struct fc_symbolfile *file)
{
	struct code code = { 0 };
	find_code(&code, &file->image);
	fc_symtab_read(&file->symtab, &file->image);
	fc_vec_each (&file->symtab.symbols, symbol)
		if (may_be_function(&code, symbol))
			fc_vec_push(&file->funcs, *symbol);
	fc_vec_free(&code.list);
	keep_best(file);
	if (!file->symtab.has_symtab || !file->funcs.nr)
		return fc_fail(ENODATA, "%s has no symbols of functions", file->path);
	return fc_content_check(&file->content, file->path);
}

static int read_file(struct fc_symbolfile *file, int fd)
{
	struct stat st;
	if (fstat(fd, &st))
		return fc_fail(errno, "cannot read %s: %s", file->path, strerror(errno));
	if (!S_ISREG(st.st_mode) || !st.st_size)
		return fc_fail(ENOEXEC, "%s is not an ELF file", file->path);
	int err = fc_content_open(fd, &st, file->path, &file->content);
	if (!err)
		err = fc_image_init(&file->image, file->content.at, file->content.size,
				    file->path);
	if (err)
		return err;
	fc_image_build_id(&file->image, file->build_id);
	if (!file->build_id[0])
		return fc_fail(ENODATA,
			       "%s has no build-id: nobody knows which program it belongs to",
			       file->path);
	return read_symbols(file);
}

int fc_symbolfile_open_fd(int fd, const char *shown, struct fc_symbolfile **ret)
{
	struct fc_symbolfile *file = fc_alloc(sizeof(*file));
	file->path = fc_strdup(shown);
	int err = read_file(file, fd);
	if (err)
		fc_symbolfile_close(file);
	else
		*ret = file;
	return err;
}

int fc_symbolfile_open(const char *path, struct fc_symbolfile **ret)
{
	struct stat st;
	fc_auto_close int fd = open_regular(AT_FDCWD, path, &st);
	return fd < 0 ? fd : fc_symbolfile_open_fd(fd, path, ret);
}

int fc_symbolfile_open_program(const char *path, struct fc_symbolfile **ret)
{
	struct fc_elf *elf;
	int err = fc_elf_open(path, path, &elf);
	if (err)
		return err;
	struct fc_symbolfile *file = fc_alloc(sizeof(*file));
	file->path = fc_strdup(path);
	file->elf = elf;
	memcpy(file->build_id, elf->build_id, sizeof(file->build_id));
	for (size_t i = 0; i < elf->nr_funcs; i++)
		if (elf->funcs[i].name)
			fc_vec_push(&file->funcs, elf->funcs[i]);
	if (file->build_id[0] && file->funcs.nr) {
		*ret = file;
		return 0;
	}
	err = fc_fail(ENODATA, "%s has no %s", path,
		      file->build_id[0] ? "symbols of functions" : "build-id");
	fc_symbolfile_close(file);
	return err;
}

void fc_symbolfile_close(struct fc_symbolfile *file)
{
	if (!file)
		return;
	fc_vec_free(&file->funcs);
	fc_symtab_deinit(&file->symtab);
	fc_image_deinit(&file->image);
	fc_content_close(&file->content);
	fc_elf_close(file->elf);
	free(file->path);
	free(file);
}

const char *fc_symbolfile_path(const struct fc_symbolfile *file)
{
	return file->path;
}

int fc_symbolfile_check(const struct fc_symbolfile *file, const char *build_id)
{
	if (!strcmp(file->build_id, build_id))
		return 0;
	return fc_fail(EINVAL, "%s has build-id %s instead of %s", file->path, file->build_id,
		       build_id);
}

const char *fc_symbolfile_build_id(const struct fc_symbolfile *file)
{
	return file->build_id;
}

char *fc_symbolfile_name(const struct fc_symbolfile *file, uint64_t vaddr)
{
	const struct fc_func *at = file->funcs.at;
	size_t nr = fc_bisect(at, file->funcs.nr, func, func->vaddr <= vaddr);
	if (!nr)
		return NULL;
	uint64_t offset = vaddr - at[nr - 1].vaddr;
	if (!offset)
		return fc_strdup(at[nr - 1].name);
	return offset < at[nr - 1].size
		       ? fc_asprintf("%s+0x%llx", at[nr - 1].name, (unsigned long long)offset)
		       : NULL;
}

void fc_symbolfile_peek(int folder, const char *path, char ret[41])
{
	struct stat st;
	struct fc_content content = { 0 };
	struct fc_image image = { 0 };
	fc_auto_close int fd = fc_foreign_open(folder, path, &st);
	ret[0] = 0;
	/* Mapped, for nothing but headers and notes is read. */
	if (fd >= 0 && st.st_size && !fc_content_map(fd, &st, &content) &&
	    !fc_image_init(&image, content.at, content.size, path))
		fc_image_build_id(&image, ret);
	fc_image_deinit(&image);
	fc_content_close(&content);
	fc_fail_clear();
}
