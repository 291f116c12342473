/* SPDX-License-Identifier: Apache-2.0 */
/* library.c - searches for libraries in the order of ld.so. */
#include "elf/library.h"

#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/cleanup.h"
#include "base/fail.h"
#include "base/foreign.h"
#include "base/guard.h"
#include "base/memory.h"
#include "elf/cursor.h"

/* Where ld.so of glibc (Debian's and others') and of musl look last. */
static char *default_folders(uint16_t machine)
{
	static const char common[] = "/lib64:/usr/lib64:/lib:/usr/lib:/usr/local/lib";
	const struct fc_arch *arch = fc_arch_find(machine);
	return arch ? fc_asprintf("/lib/%s:/usr/lib/%s:%s", arch->triplet, arch->triplet,
				  common)
		    : fc_strdup(common);
}

/* The file that ldconfig makes: mapped, or nothing. */
struct cache {
	uint8_t *at;
	size_t size;
};

static void cache_open(struct cache *cache)
{
	struct stat st;
	fc_auto_close int fd = fc_foreign_open(AT_FDCWD, "/etc/ld.so.cache", &st);
	*cache = (struct cache){ 0 };
	void *map = fd < 0 ? NULL : fc_guard_map(fd, (size_t)st.st_size);
	if (map)
		*cache = (struct cache){ map, (size_t)st.st_size };
}

static void cache_close(struct cache *cache)
{
	fc_guard_unmap(cache->at, cache->size);
}

static const char *cache_string(const struct cache *cache, uint64_t off)
{
	if (off >= cache->size || !memchr(cache->at + off, 0, cache->size - off))
		return "";
	return (const char *)cache->at + off;
}

/* Can a file be loaded into a program for this machine? */
static bool is_for(const char *path, uint16_t machine)
{
	Elf64_Ehdr head;
	struct stat st;
	fc_auto_close int fd = fc_foreign_open(AT_FDCWD, path, &st);
	return fd >= 0 && read(fd, &head, sizeof(head)) == sizeof(head) &&
	       !memcmp(head.e_ident, ELFMAG, SELFMAG) && head.e_ident[EI_CLASS] == ELFCLASS64 &&
	       head.e_machine == machine;
}

/*
 * glibc's sysdeps/generic/dl-cache.h, struct cache_file_new:
 *
 *   "glibc-ld.so.cache1.1", u32 nr, u32 size of strings, 20 bytes |
 *   entry[nr]: s32 flags, u32 name, u32 path, u32 os version, u64 hwcap | strings
 *
 * Offsets of strings are from the file's start.
 */
static char *find_in_cache(const struct cache *cache, const char *name, uint16_t machine)
{
	static const char magic[] = "glibc-ld.so.cache1.1";
	enum { MAGIC = sizeof(magic) - 1, HEAD = 48, ENTRY = 24 };
	if (cache->size < HEAD || memcmp(cache->at, magic, MAGIC) != 0)
		return NULL;
	struct fc_cursor c = fc_cursor(cache->at + MAGIC, cache->size - MAGIC);
	uint64_t nr = fc_cursor_uint(&c, 4);
	fc_cursor_skip(&c, HEAD - MAGIC - 4);
	for (uint64_t i = 0; i < nr && fc_cursor_left(&c) >= ENTRY; i++) {
		fc_cursor_skip(&c, 4);
		const char *entry = cache_string(cache, fc_cursor_uint(&c, 4));
		const char *path = cache_string(cache, fc_cursor_uint(&c, 4));
		uint64_t hwcap = (fc_cursor_skip(&c, 4), fc_cursor_uint(&c, 8));
		if (!hwcap && !strcmp(entry, name) && is_for(path, machine))
			return fc_strdup(path);
	}
	return NULL;
}

/* The folder of a path; ld.so says $ORIGIN for it. */
static char *folder_of(const char *path)
{
	fc_auto_free char *real = realpath(path, NULL);
	const char *from = real ? real : path;
	const char *slash = strrchr(from, '/');
	return slash ? fc_asprintf("%.*s", (int)(slash - from), from) : fc_strdup(".");
}

static char *with_origin(const char *folder, int len, const char *origin)
{
	static const char *const words[] = { "$ORIGIN", "${ORIGIN}" };
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		int size = (int)strlen(words[i]);
		if (len >= size && !strncmp(folder, words[i], size))
			return fc_asprintf("%s%.*s", origin, len - size, folder + size);
	}
	return fc_asprintf("%.*s", len, folder);
}

/* In folders, side by side with colons. */
static char *find_in(const char *folders, const char *name, const char *origin,
		     uint16_t machine)
{
	while (folders && *folders) {
		int len = (int)strcspn(folders, ":");
		fc_auto_free char *folder = with_origin(folders, len, origin);
		char *path = fc_asprintf("%s/%s", *folder ? folder : ".", name);
		if (is_for(path, machine))
			return path;
		free(path);
		folders += len + (folders[len] == ':');
	}
	return NULL;
}

static char *find_path(const struct cache *cache, const struct fc_elf *by, const char *name)
{
	if (strchr(name, '/'))
		return is_for(name, by->machine) ? fc_strdup(name) : NULL;
	fc_auto_free char *origin = folder_of(by->path);
	const char *run_path = fc_elf_run_path(by);
	char *path = find_in(run_path, name, origin, by->machine);
	if (!path)
		path = find_in(getenv("LD_LIBRARY_PATH"), name, origin, by->machine);
	if (!path)
		path = find_in_cache(cache, name, by->machine);
	if (path)
		return path;
	fc_auto_free char *folders = default_folders(by->machine);
	return find_in(folders, name, origin, by->machine);
}

static bool has(const struct fc_libraries *libraries, const char *name)
{
	fc_vec_each (&libraries->list, library)
		if (!strcmp(library->name, name))
			return true;
	return false;
}

static void add_needed(struct fc_libraries *libraries, const struct cache *cache,
		       const struct fc_elf *elf)
{
	const char *name;
	for (size_t i = 0; (name = fc_elf_needed(elf, i)); i++)
		if (!has(libraries, name))
			fc_vec_push(&libraries->list,
				    (struct fc_library){ fc_strdup(name),
							 find_path(cache, elf, name) });
}

void fc_libraries_find(const struct fc_elf *elf, struct fc_libraries *ret)
{
	struct cache cache;
	*ret = (struct fc_libraries){ 0 };
	cache_open(&cache);
	add_needed(ret, &cache, elf);
	for (size_t i = 0; i < ret->list.nr; i++) {
		const char *path = ret->list.at[i].path;
		struct fc_elf *library = NULL;
		if (path && !fc_elf_open_headers(path, path, &library))
			add_needed(ret, &cache, library);
		fc_elf_close(library);
	}
	fc_fail_clear();
	cache_close(&cache);
}

void fc_libraries_deinit(struct fc_libraries *libraries)
{
	fc_vec_each (&libraries->list, library) {
		free(library->name);
		free(library->path);
	}
	fc_vec_free(&libraries->list);
}
