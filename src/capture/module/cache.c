/* SPDX-License-Identifier: Apache-2.0 */
/*
 *   magic, checksum of what follows, key | plan (capture/patch/saved.h)
 *
 * A file is written under another name and renamed: what is there is whole.
 */
#include "capture/module/cache.h"

#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fnv.h"
#include "base/memory.h"
#include "capture/patch/saved.h"
#include "trace/checksum.h"

static const char magic[8] = "FCPLAN1";
static const char suffix[] = ".plan";

struct head {
	char magic[8];
	uint32_t checksum; /* of all behind it */
	char key[sizeof(((struct fc_cache_key *)0)->text)];
	uint32_t pad;
};

enum { SUMMED_FROM = offsetof(struct head, key) };

static const uint64_t limit = 256ull << 20;

struct fc_cache {
	int dir;
	uint64_t planner; /* which fctrace this is */
};

/* The build-id in an object that is loaded here; 0: it has none. */
static uint64_t own_build_id(const struct dl_phdr_info *info, const ElfW(Phdr) * phdr)
{
	const uint8_t *at = (const uint8_t *)(info->dlpi_addr + phdr->p_vaddr);
	for (size_t left = phdr->p_memsz; left >= sizeof(ElfW(Nhdr));) {
		ElfW(Nhdr) note;
		memcpy(&note, at, sizeof(note));
		size_t name = (note.n_namesz + 3) & ~3u, size = (note.n_descsz + 3) & ~3u;
		if (name + size > left - sizeof(note))
			break;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4)
			return fc_fnv_bytes(FC_FNV_BEGIN, at + sizeof(note) + name,
					    note.n_descsz);
		at += sizeof(note) + name + size;
		left -= sizeof(note) + name + size;
	}
	return 0;
}

/* fctrace itself comes first; then its libraries, of which one decodes instructions. */
static int add_object(struct dl_phdr_info *info, size_t size, void *ctx)
{
	uint64_t *planner = ctx, id = 0;
	if (*planner && !strchr(info->dlpi_name, '/'))
		return 0; /* the vDSO */
	for (size_t i = 0; i < info->dlpi_phnum && !id; i++)
		if (info->dlpi_phdr[i].p_type == PT_NOTE)
			id = own_build_id(info, &info->dlpi_phdr[i]);
	if (!*planner && !id)
		return 1;
	*planner = fc_fnv_bytes(*planner + 1, (const uint8_t *)&id, sizeof(id));
	return 0;
}

/* Ours, and nobody else can write there. */
static bool is_ours(int fd, mode_t type)
{
	struct stat st;
	return !fstat(fd, &st) && (st.st_mode & S_IFMT) == type && st.st_uid == geteuid() &&
	       !(st.st_mode & (S_IWGRP | S_IWOTH));
}

/* A folder that is ours, made if its parent is ours. Under sudo, $HOME is another's. */
static int open_folder(int parent, const char *name, int flags)
{
	int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | flags);
	if (fd < 0 && errno == ENOENT && parent >= 0 && is_ours(parent, S_IFDIR) &&
	    !mkdirat(parent, name, 0700))
		fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | flags);
	if (fd >= 0 && !is_ours(fd, S_IFDIR)) {
		close(fd);
		return -1;
	}
	return fd;
}

/* A folder that is made if need be: its path without a slash at the end. */
static int open_path(char *path)
{
	char *slash = strrchr(path, '/');
	int fd = open_folder(AT_FDCWD, path, 0);
	if (fd >= 0 || slash == path)
		return fd;
	*slash = 0;
	fc_auto_close int parent = open_folder(AT_FDCWD, path, 0);
	return parent < 0 ? -1 : open_folder(parent, slash + 1, 0);
}

/* XDG Base Directory Specification: $XDG_CACHE_HOME is absolute, and made where it is not there. */
static int open_base(void)
{
	const char *xdg = secure_getenv("XDG_CACHE_HOME"), *home = secure_getenv("HOME");
	if (xdg && xdg[0] == '/') {
		fc_auto_free char *path = fc_strdup(xdg);
		for (size_t nr = strlen(path); nr > 1 && path[nr - 1] == '/'; nr--)
			path[nr - 1] = 0;
		return open_path(path);
	}
	fc_auto_close int fd = home && home[0] == '/' ? open_folder(AT_FDCWD, home, 0) : -1;
	return fd < 0 ? -1 : open_folder(fd, ".cache", 0);
}

struct fc_cache *fc_cache_open(void)
{
	uint64_t planner = 0;
	dl_iterate_phdr(add_object, &planner);
	fc_auto_close int base = planner ? open_base() : -1;
	int dir = base < 0 ? -1 : open_folder(base, "fctrace", O_NOFOLLOW);
	if (dir < 0)
		return NULL;
	struct fc_cache *cache = fc_alloc(sizeof(*cache));
	cache->dir = dir;
	cache->planner = planner;
	return cache;
}

void fc_cache_close(struct fc_cache *cache)
{
	if (!cache)
		return;
	close(cache->dir);
	free(cache);
}

void fc_cache_key(const struct fc_cache *cache, const struct fc_elf *elf,
		  const struct fc_plan_opts *opts, struct fc_cache_key *ret)
{
	char scope = opts->control_only ? 'c' : opts->exported_only ? 'e' : 'a';
	uint64_t stamp;
	*ret = (struct fc_cache_key){ 0 };
	if (!cache || !elf->build_id[0] || !fc_elf_debug_stamp(elf, &stamp))
		return;
	snprintf(ret->name, sizeof(ret->name), "%s-%c%s", elf->build_id, scope, suffix);
	snprintf(ret->text, sizeof(ret->text),
		 "%s %c size %zu time %lld file %llx debug %llx planner %llx", elf->build_id,
		 scope, elf->image_size, (long long)elf->mtime_ns,
		 (unsigned long long)elf->identity, (unsigned long long)stamp,
		 (unsigned long long)cache->planner);
}

bool fc_cache_find(const uint8_t *bytes, size_t size, const struct fc_cache_key *key,
		   const uint8_t **ret, size_t *ret_size)
{
	struct head head;
	if (size < sizeof(head))
		return false;
	memcpy(&head, bytes, sizeof(head));
	*ret = bytes + sizeof(head);
	*ret_size = size - sizeof(head);
	return !memcmp(head.magic, magic, sizeof(magic)) &&
	       !memcmp(head.key, key->text, sizeof(head.key)) &&
	       head.checksum == fc_checksum(bytes + SUMMED_FROM, size - SUMMED_FROM);
}

/* A whole file, malloc()ed. NULL: it is not there, or not as we write them. */
static uint8_t *read_file(int fd, size_t *size)
{
	struct stat st;
	if (fd < 0 || !is_ours(fd, S_IFREG) || fstat(fd, &st) || st.st_size <= 0 ||
	    (uint64_t)st.st_size > limit)
		return NULL;
	uint8_t *bytes = fc_alloc(st.st_size);
	*size = 0;
	while (*size < (size_t)st.st_size) {
		ssize_t nr = read(fd, bytes + *size, st.st_size - *size);
		if (nr <= 0)
			break;
		*size += nr;
	}
	return bytes;
}

struct fc_plan *fc_cache_get(const struct fc_cache *cache, const struct fc_cache_key *key,
			     const struct fc_elf *elf, const struct fc_plan_opts *opts)
{
	if (!cache || !key->name[0])
		return NULL;
	fc_auto_close int fd =
		openat(cache->dir, key->name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	size_t size, plan_size;
	const uint8_t *plan;
	fc_auto_free uint8_t *bytes = read_file(fd, &size);
	struct fc_plan *ret = NULL;
	if (!bytes || !fc_cache_find(bytes, size, key, &plan, &plan_size) ||
	    fc_plan_load(elf, opts, plan, plan_size, &ret))
		return NULL;
	futimens(fd, NULL); /* it was used */
	return ret;
}

static bool write_all(int fd, const uint8_t *bytes, size_t size)
{
	while (size) {
		ssize_t nr = write(fd, bytes, size);
		if (nr <= 0)
			return false;
		bytes += nr;
		size -= nr;
	}
	return true;
}

static void replace_file(const struct fc_cache *cache, const char *name, const uint8_t *bytes,
			 size_t size)
{
	char other[NAME_MAX];
	snprintf(other, sizeof(other), "%s.%d", name, getpid());
	fc_auto_close int fd = openat(
		cache->dir, other, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0 || !write_all(fd, bytes, size) ||
	    renameat(cache->dir, other, cache->dir, name))
		unlinkat(cache->dir, other, 0);
}

struct kept {
	char name[NAME_MAX + 1];
	struct timespec used;
	uint64_t size;
};

struct all_kept {
	FC_VEC(struct kept) list;
};

static int by_use(const void *a, const void *b)
{
	const struct timespec *x = &((const struct kept *)a)->used;
	const struct timespec *y = &((const struct kept *)b)->used;
	return x->tv_sec != y->tv_sec ? (x->tv_sec > y->tv_sec) - (x->tv_sec < y->tv_sec)
				      : (x->tv_nsec > y->tv_nsec) - (x->tv_nsec < y->tv_nsec);
}

/* Also what somebody did not get to the end of writing. */
static uint64_t list_kept(int dir, struct all_kept *all)
{
	uint64_t sum = 0;
	int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *stream = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	if (!stream && fd >= 0)
		close(fd);
	while (stream && (entry = readdir(stream))) {
		struct stat st;
		if (!strstr(entry->d_name, suffix) ||
		    fstatat(dir, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) ||
		    !S_ISREG(st.st_mode))
			continue;
		struct kept kept = { .used = st.st_mtim, .size = st.st_size };
		snprintf(kept.name, sizeof(kept.name), "%s", entry->d_name);
		fc_vec_push(&all->list, kept);
		sum += st.st_size;
	}
	if (stream)
		closedir(stream);
	return sum;
}

static void trim(const struct fc_cache *cache)
{
	struct all_kept all = { 0 };
	uint64_t sum = list_kept(cache->dir, &all);
	if (sum > limit)
		qsort(all.list.at, all.list.nr, sizeof(*all.list.at), by_use);
	for (size_t i = 0; i < all.list.nr && sum > limit; i++)
		if (!unlinkat(cache->dir, all.list.at[i].name, 0))
			sum -= all.list.at[i].size;
	fc_vec_free(&all.list);
}

void fc_cache_put(const struct fc_cache *cache, const struct fc_cache_key *key,
		  const struct fc_plan *plan)
{
	struct head head = { 0 };
	struct fc_saved saved = { 0 };
	if (!cache || !key->name[0])
		return;
	memcpy(head.magic, magic, sizeof(magic));
	memcpy(head.key, key->text, sizeof(head.key));
	fc_vec_reserve(&saved.list, sizeof(head));
	saved.list.nr = sizeof(head);
	if (!fc_plan_save(plan, &saved)) {
		memcpy(saved.list.at, &head, sizeof(head));
		head.checksum =
			fc_checksum(saved.list.at + SUMMED_FROM, saved.list.nr - SUMMED_FROM);
		memcpy(saved.list.at, &head, sizeof(head));
		replace_file(cache, key->name, saved.list.at, saved.list.nr);
		trim(cache);
	}
	fc_vec_free(&saved.list);
}
