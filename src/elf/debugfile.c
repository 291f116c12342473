/* SPDX-License-Identifier: Apache-2.0 */
#include "elf/debugfile.h"

#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "elf/cursor.h"

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = dwfl_standard_find_debuginfo,
	.section_address = dwfl_offline_section_address,
};

/* .gnu_debuglink: a file name, padding to 4 bytes, the CRC of that file. NULL: none. */
static const char *debuglink(const struct fc_image *program, uint32_t *crc)
{
	const struct fc_section *section = fc_image_section(program, ".gnu_debuglink");
	const uint8_t *at = section ? fc_image_content(program, section) : NULL;
	const uint8_t *nul = at ? memchr(at, 0, section->size) : NULL;
	if (!nul)
		return NULL;
	struct fc_cursor c = fc_cursor(at, section->size);
	fc_cursor_skip(&c, (nul + 1 - at + 3) & ~3);
	*crc = fc_cursor_uint(&c, 4);
	return c.is_bad || nul == at ? NULL : (const char *)at;
}

/*
 * Ask the servers of DEBUGINFOD_URLS through libdwfl. Without that variable it is not
 * even asked: it would load libcurl and all that belongs to it, 6 ms a start, for
 * nothing.
 */
static int fetch(const char *path, int fd)
{
	const char *urls = getenv("DEBUGINFOD_URLS");
	Dwfl *dwfl = urls && urls[0] ? dwfl_begin(&callbacks) : NULL;
	if (!dwfl)
		return -1;

	int ret = -1, own_fd = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	dwfl_report_begin(dwfl);
	Dwfl_Module *module = dwfl_report_elf(dwfl, "", path, own_fd, 0, true);
	dwfl_report_end(dwfl, NULL, NULL);
	if (module) {
		char *found = NULL;
		ret = dwfl_standard_find_debuginfo(module, NULL, "", 0, path, NULL, 0, &found);
		free(found);
	} else if (own_fd >= 0) {
		close(own_fd);
	}
	dwfl_end(dwfl);
	return ret;
}

/* The CRC-32 of zlib, which debuglinks carry. */
static uint32_t crc32_of(const uint8_t *at, size_t size)
{
	uint32_t table[256], crc = 0xffffffff;

	for (uint32_t i = 0; i < 256; i++) {
		table[i] = i;
		for (int bit = 0; bit < 8; bit++)
			table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xedb88320 : 0);
	}
	for (size_t i = 0; i < size; i++)
		crc = crc >> 8 ^ table[(crc ^ at[i]) & 0xff];
	return ~crc;
}

/* Equal build-ids prove it; where one is missing, the debuglink's CRC must. */
static bool belongs_to(const struct fc_image *debug, const struct fc_image *program)
{
	char theirs[41], ours[41];
	uint32_t crc;
	fc_image_build_id(debug, theirs);
	fc_image_build_id(program, ours);
	if (debug->machine != program->machine || debug->type != program->type)
		return false;
	if (theirs[0] && ours[0])
		return strcmp(theirs, ours) == 0;
	return debuglink(program, &crc) && crc32_of(debug->at, debug->size) == crc;
}

/* Take over the file of fd if it is the right one. */
static bool use(struct fc_debugfile *file, const struct fc_image *program, int fd)
{
	struct stat st;
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_size == 0)
		return false;
	void *map = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (map == MAP_FAILED)
		return false;
	if (fc_image_init(&file->image, map, st.st_size, "debug file") < 0) {
		munmap(map, st.st_size);
		return false;
	}
	file->map = map;
	if (belongs_to(&file->image, program) &&
	    fc_image_section_type(&file->image, SHT_SYMTAB))
		return true;
	fc_debugfile_close(file);
	return false;
}

/* Where a debug file may lie, best first. */
struct places {
	char *at[4];
	size_t nr;
};

static void add_build_id_place(struct places *places, const struct fc_image *program)
{
	char id[41];
	fc_image_build_id(program, id);
	if (id[0])
		places->at[places->nr++] =
			fc_asprintf("/usr/lib/debug/.build-id/%.2s/%s.debug", id, id + 2);
}

/* The three places of GDB's manual, "Debugging Information in Separate Files". */
static void add_debuglink_places(struct places *places, const struct fc_image *program,
				 const char *path)
{
	uint32_t crc;
	const char *link = debuglink(program, &crc);
	fc_auto_free char *dir = link ? realpath(path, NULL) : NULL;
	char *slash = dir ? strrchr(dir, '/') : NULL;
	if (!slash)
		return;
	*slash = 0;
	places->at[places->nr++] = fc_asprintf("%s/%s", dir, link);
	places->at[places->nr++] = fc_asprintf("%s/.debug/%s", dir, link);
	places->at[places->nr++] = fc_asprintf("/usr/lib/debug%s/%s", dir, link);
}

static struct places places_of(const struct fc_image *program, const char *path)
{
	struct places places = { 0 };
	add_build_id_place(&places, program);
	add_debuglink_places(&places, program, path);
	return places;
}

static void places_free(struct places *places)
{
	while (places->nr)
		free(places->at[--places->nr]);
}

static bool try_path(struct fc_debugfile *file, const struct fc_image *program,
		     const char *path)
{
	fc_auto_close int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	return fd >= 0 && use(file, program, fd);
}

static bool open_beside(struct fc_debugfile *file, const struct fc_image *program,
			const char *path)
{
	struct places places = places_of(program, path);
	bool is_open = false;
	for (size_t i = 0; i < places.nr && !is_open; i++)
		is_open = try_path(file, program, places.at[i]);
	places_free(&places);
	return is_open;
}

static uint64_t mixed(uint64_t hash, uint64_t value)
{
	return (hash ^ value) * UINT64_C(0x100000001b3); /* as FNV-1a does with bytes */
}

bool fc_debugfile_stamp(const struct fc_image *program, const char *path, uint64_t *ret)
{
	const char *urls = getenv("DEBUGINFOD_URLS");
	struct places places = places_of(program, path);
	*ret = UINT64_C(0xcbf29ce484222325);
	for (size_t i = 0; i < places.nr; i++) {
		struct stat st;
		*ret = mixed(*ret, i);
		if (stat(places.at[i], &st))
			continue;
		*ret = mixed(mixed(*ret, st.st_dev), st.st_ino);
		*ret = mixed(mixed(*ret, st.st_size), st.st_mtim.tv_sec);
		*ret = mixed(*ret, st.st_mtim.tv_nsec);
	}
	places_free(&places);
	return !urls || !urls[0];
}

static bool open_fetched(struct fc_debugfile *file, const struct fc_image *program,
			 const char *path, int fd)
{
	fc_auto_close int fetched = fetch(path, fd);
	return fetched >= 0 && use(file, program, fetched);
}

/* A descriptor to read these bytes from, -1 if there is no memory. */
static int memory_file(const uint8_t *at, size_t size)
{
	fc_auto_close int fd = memfd_create("fctrace-debugdata", MFD_CLOEXEC);
	if (fd < 0)
		return -1;
	while (size) {
		ssize_t n = write(fd, at, size);
		if (n <= 0)
			return -1;
		at += n;
		size -= n;
	}
	int ret = fd;
	fd = -1;
	return ret;
}

/* Unpack with libdwfl, which takes a compressed file for the ELF file inside it. */
static void *unpack(const uint8_t *at, size_t size, size_t *ret_size)
{
	int fd = memory_file(at, size);
	Dwfl *dwfl = fd < 0 ? NULL : dwfl_begin(&callbacks);
	if (!dwfl) {
		if (fd >= 0)
			close(fd);
		return NULL;
	}

	void *ret = NULL;
	dwfl_report_begin(dwfl);
	Dwfl_Module *module = dwfl_report_offline(dwfl, "", "", fd);
	dwfl_report_end(dwfl, NULL, NULL);
	GElf_Addr bias;
	Elf *elf = module ? dwfl_module_getelf(module, &bias) : NULL;
	const char *image = elf ? elf_rawfile(elf, ret_size) : NULL;
	if (image) {
		ret = fc_alloc(*ret_size);
		memcpy(ret, image, *ret_size);
	}
	if (!module)
		close(fd);
	dwfl_end(dwfl);
	return ret;
}

static bool open_inner(struct fc_debugfile *file, const struct fc_image *program)
{
	static const uint8_t xz_magic[] = { 0xfd, '7', 'z', 'X', 'Z', 0 };
	const struct fc_section *section = fc_image_section(program, ".gnu_debugdata");
	const uint8_t *at = section ? fc_image_content(program, section) : NULL;
	if (!at || section->size < sizeof(xz_magic) || memcmp(at, xz_magic, sizeof(xz_magic)))
		return false;

	size_t size;
	file->memory = unpack(at, section->size, &size);
	if (!file->memory)
		return false;
	if (fc_image_init(&file->image, file->memory, size, ".gnu_debugdata") == 0)
		return true;
	fc_debugfile_close(file);
	return false;
}

bool fc_debugfile_open(struct fc_debugfile *file, const struct fc_image *program, int fd,
		       const char *path)
{
	*file = (struct fc_debugfile){ 0 };
	bool is_open = open_beside(file, program, path) ||
		       open_fetched(file, program, path, fd) || open_inner(file, program);
	/* What was wrong with a debug file is no fault of the program. */
	fc_fail_clear();
	return is_open;
}

void fc_debugfile_close(struct fc_debugfile *file)
{
	if (file->map)
		munmap(file->map, file->image.size);
	free(file->memory);
	fc_image_deinit(&file->image);
	*file = (struct fc_debugfile){ 0 };
}
