/* SPDX-License-Identifier: Apache-2.0 */
/* symbols.c - reads uftrace's FILE.sym, line by line. */
#include "read/import/symbols.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"

/* Never with a slash in it: it is looked for in the recording's folder alone. */
static const char *file_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

#define SYMBOLS_MAX (4u << 20) /* of a file */
#define NAME_MAX_   4096

/* ---- which file ---- */

/* What `# path name:` and `# build-id:` say, before the first symbol. */
static bool is_of(int fd, const char *path, const char *build_id)
{
	static const char path_key[] = "# path name: ", id_key[] = "# build-id: ";
	bool is_its = true;
	struct fc_text lines;

	fc_text_init(&lines, fd);
	for (const char *line = fc_text_next(&lines); line && *line == '#';
	     line = fc_text_next(&lines)) {
		if (!strncmp(line, path_key, sizeof(path_key) - 1))
			is_its &= !strcmp(line + sizeof(path_key) - 1, path);
		if (!strncmp(line, id_key, sizeof(id_key) - 1) && *build_id)
			is_its &= !strcmp(line + sizeof(id_key) - 1, build_id);
	}
	fc_text_deinit(&lines);
	return is_its && lseek(fd, 0, SEEK_SET) == 0;
}

/*
 * Of several files of one name the first is FILE.sym. The others have a piece of their build-id,
 * which is not always known, or a sum of their path: FILE-1a2b.sym.
 */
struct search {
	const struct fc_folder *folder;
	const char *path, *build_id, *base;
	int fd; /* of the file that was found, or -1 */
};

static bool is_named_after(const char *name, const char *base)
{
	size_t len = strlen(base);

	return !strncmp(name, base, len) && name[len] == '-' &&
	       strspn(name + len + 1, "0123456789abcdef") == 4 &&
	       !strcmp(name + len + 5, ".sym");
}

static void try_name(void *ctx, const char *name)
{
	struct search *search = ctx;
	uint64_t size;
	int fd;

	if (search->fd >= 0 || !is_named_after(name, search->base) ||
	    fc_folder_file(search->folder, name, &fd, &size))
		return;
	if (is_of(fd, search->path, search->build_id))
		search->fd = fd;
	else
		close(fd);
}

static int open_file(const struct fc_folder *folder, const char *path, const char *build_id,
		     int *ret_fd)
{
	fc_auto_free char *first = fc_asprintf("%s.sym", file_name(path));
	struct search search = { folder, path, build_id, file_name(path), -1 };
	uint64_t size;
	int fd, err = fc_folder_file(folder, first, &fd, &size);

	if (!err && is_of(fd, path, build_id)) {
		*ret_fd = fd;
		return 0;
	}
	if (!err) {
		close(fd);
		err = fc_fail(ENOENT, "%s/%s was made from a different file", folder->path,
			      first);
	}
	fc_folder_each(folder, try_name, &search);
	*ret_fd = search.fd;
	return search.fd >= 0 ? 0 : err;
}

/* ---- its lines: ADDRESS TYPE NAME ---- */

static void end_last(struct fc_uf_symbols *symbols, uint64_t vaddr)
{
	struct fc_uf_symbol *last =
		symbols->list.nr ? &symbols->list.at[symbols->list.nr - 1] : NULL;

	if (last && !last->size && vaddr > last->vaddr)
		last->size = vaddr - last->vaddr;
}

static void read_line(struct fc_uf_symbols *symbols, char *line)
{
	char *end;
	uint64_t vaddr = strtoull(line, &end, 16);

	if (*line == '#' || end == line || end[0] != ' ' || !end[1] || end[2] != ' ')
		return;
	char type = end[1], *name = end + 3;
	name[strcspn(name, "\t")] = 0;
	if (strlen(name) > NAME_MAX_)
		name[NAME_MAX_] = 0;

	size_t nr = symbols->list.nr;
	end_last(symbols, vaddr);
	if (!strchr("TtwPK", type) || !*name || nr >= SYMBOLS_MAX)
		return;
	if (nr && symbols->list.at[nr - 1].vaddr == vaddr)
		return; /* another name of it */
	fc_vec_push(&symbols->list, (struct fc_uf_symbol){ vaddr, 0, fc_strdup(name) });
}

static int by_vaddr(const void *a, const void *b)
{
	const struct fc_uf_symbol *x = a, *y = b;

	return (x->vaddr > y->vaddr) - (x->vaddr < y->vaddr);
}

int fc_uf_symbols_read(const struct fc_folder *folder, const char *path, const char *build_id,
		       struct fc_uf_symbols *ret)
{
	fc_auto_close int fd = -1;
	struct fc_text lines;

	*ret = (struct fc_uf_symbols){ .list = { 0 } };
	int err = open_file(folder, path, build_id, &fd);
	if (err)
		return err;
	fc_text_init(&lines, fd);
	for (char *line = fc_text_next(&lines); line; line = fc_text_next(&lines))
		read_line(ret, line);
	fc_text_deinit(&lines);
	fc_vec_sort(&ret->list, by_vaddr);
	return 0;
}

void fc_uf_symbols_deinit(struct fc_uf_symbols *symbols)
{
	fc_vec_each (&symbols->list, symbol)
		free(symbol->name);
	fc_vec_free(&symbols->list);
}

size_t fc_uf_symbols_find(const struct fc_uf_symbols *symbols, uint64_t vaddr)
{
	size_t low =
		fc_bisect(symbols->list.at, symbols->list.nr, symbol, symbol->vaddr <= vaddr);
	if (!low || vaddr - symbols->list.at[low - 1].vaddr >= symbols->list.at[low - 1].size)
		return FC_UF_NO_SYMBOL;
	return low - 1;
}
