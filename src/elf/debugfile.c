/* SPDX-License-Identifier: Apache-2.0 */
/* debugfile.c - looks for a separate debug file by build-id and by .gnu_debuglink. */
#include "elf/debugfile.h"

#include <errno.h>
#include <fcntl.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/fnv.h"
#include "base/foreign.h"
#include "base/memory.h"
#include "elf/cursor.h"
#include "elf/debuginfod.h"

#define UNPACKED_MIB ((size_t)256)
#define CHECKED_MIB  ((off_t)512)

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

/* Does the whole file have that CRC-32, which debuglinks carry? */
static bool has_crc(int fd, uint32_t expected)
{
	enum { PIECE = 1 << 16 };
	fc_auto_free uint8_t *piece = fc_alloc(PIECE);
	uint32_t crc = 0;
	off_t off = 0;
	ssize_t nr;
	while (off <= CHECKED_MIB << 20 && (nr = pread(fd, piece, PIECE, off)) > 0) {
		crc = lzma_crc32(piece, (size_t)nr, crc);
		off += nr;
	}
	return off <= CHECKED_MIB << 20 && crc == expected;
}

/* Equal build-ids prove it; where one is missing, the debuglink's CRC must. */
static bool belongs_to(struct fc_debugfile *file, const struct fc_image *program, int fd)
{
	const struct fc_image *debug = &file->image;
	char theirs[41], ours[41];
	uint32_t crc;
	fc_image_build_id(debug, theirs);
	fc_image_build_id(program, ours);
	if (debug->machine != program->machine || debug->type != program->type)
		return false;
	if (theirs[0] && ours[0])
		return strcmp(theirs, ours) == 0;
	if (!debuglink(program, &crc))
		return false;
	if (debug->size > CHECKED_MIB << 20)
		file->unread = "the debug file that its .gnu_debuglink names was not read: "
			       "without a build-id it takes too long to see whether it "
			       "belongs to it";
	return has_crc(fd, crc);
}

/* What is asked for: in sections that are read whatever their size, or not. */
static bool has_wanted(const struct fc_debugfile *file)
{
	const struct fc_image *image = &file->image;
	switch (file->wanted) {
	case FC_DEBUGFILE_SYMBOLS:
		return fc_image_section_type(image, SHT_SYMTAB);
	case FC_DEBUGFILE_LINES:
		return fc_image_section(image, ".debug_info") ||
		       fc_image_section(image, ".zdebug_info");
	}
	return false;
}

static int open_content(struct fc_debugfile *file, int fd, const struct stat *st)
{
	if (file->wanted == FC_DEBUGFILE_LINES)
		return fc_content_map(fd, st, &file->content);
	return fc_content_open(fd, st, "debug file", &file->content);
}

static bool open_image(struct fc_debugfile *file, int fd)
{
	struct stat st;
	return !fstat(fd, &st) && S_ISREG(st.st_mode) && !open_content(file, fd, &st) &&
	       !fc_image_init(&file->image, file->content.at, file->content.size, "debug file");
}

/* Take over the file of fd if it is the right one. */
static bool use(struct fc_debugfile *file, const struct fc_image *program, int fd)
{
	if (open_image(file, fd) && belongs_to(file, program, fd) && has_wanted(file))
		return true;
	fc_debugfile_close(file);
	return false;
}

/* Where a debug file may lie, best first. */
struct places {
	char *at[5];
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

static void add_kept_place(struct places *places, const struct fc_image *program)
{
	char id[41];
	fc_image_build_id(program, id);
	char *kept = fc_debuginfod_kept(id);
	if (kept)
		places->at[places->nr++] = kept;
}

static struct places places_of(const struct fc_image *program, const char *path)
{
	struct places places = { 0 };
	add_build_id_place(&places, program);
	add_debuglink_places(&places, program, path);
	add_kept_place(&places, program);
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
	struct stat st;
	fc_auto_close int fd = fc_foreign_open(AT_FDCWD, path, &st);
	if (fd < 0 || !use(file, program, fd))
		return false;
	file->path = fc_strdup(path);
	return true;
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

bool fc_debugfile_stamp(const struct fc_image *program, const char *path, uint64_t *ret)
{
	struct places places = places_of(program, path);
	*ret = FC_FNV_BEGIN;
	for (size_t i = 0; i < places.nr; i++) {
		struct stat st;
		*ret = fc_fnv(*ret, i);
		if (stat(places.at[i], &st))
			continue;
		*ret = fc_fnv(fc_fnv(*ret, st.st_dev), st.st_ino);
		*ret = fc_fnv(fc_fnv(*ret, st.st_size), st.st_mtim.tv_sec);
		*ret = fc_fnv(*ret, st.st_mtim.tv_nsec);
	}
	places_free(&places);
	return !fc_debuginfod_may_ask();
}

static bool open_fetched(struct fc_debugfile *file, const struct fc_image *program,
			 const char *path)
{
	char id[41];
	fc_image_build_id(program, id);
	fc_auto_close int fetched = fc_debuginfod_fetch(id, path ? path : id, NULL);
	return fetched >= 0 && use(file, program, fetched);
}

/* Bytes that are unpacked, into memory that grows up to a limit. */
struct unpacked {
	uint8_t *at;
	size_t nr, room;
};

static lzma_ret unpack_more(lzma_stream *xz, struct unpacked *to)
{
	if (to->nr == to->room) {
		to->room = to->room ? to->room * 2 : 1 << 20;
		to->at = fc_realloc(to->at, to->room);
	}
	xz->next_out = to->at + to->nr;
	xz->avail_out = to->room - to->nr;
	lzma_ret ret = lzma_code(xz, LZMA_FINISH);
	to->nr = to->room - xz->avail_out;
	return ret;
}

/* -EFBIG: it would be more than is unpacked. */
static int unpack(const uint8_t *at, size_t size, struct unpacked *ret)
{
	const size_t most = UNPACKED_MIB << 20;
	lzma_stream xz = LZMA_STREAM_INIT;
	lzma_ret status = lzma_stream_decoder(&xz, most, 0);
	xz.next_in = at;
	xz.avail_in = size;
	while (status == LZMA_OK && ret->nr < most)
		status = unpack_more(&xz, ret);
	lzma_end(&xz);
	if (status == LZMA_STREAM_END)
		return 0;
	return status == LZMA_OK || status == LZMA_MEMLIMIT_ERROR ? -EFBIG : -EBADMSG;
}

static bool open_inner(struct fc_debugfile *file, const struct fc_image *program)
{
	static const uint8_t xz_magic[] = { 0xfd, '7', 'z', 'X', 'Z', 0 };
	const struct fc_section *section = fc_image_section(program, ".gnu_debugdata");
	const uint8_t *at = section ? fc_image_content(program, section) : NULL;
	if (!at || section->size < sizeof(xz_magic) || memcmp(at, xz_magic, sizeof(xz_magic)))
		return false;

	struct unpacked unpacked = { 0 };
	int err = unpack(at, section->size, &unpacked);
	file->memory = unpacked.at;
	if (!err && !fc_image_init(&file->image, unpacked.at, unpacked.nr, ".gnu_debugdata"))
		return true;
	fc_debugfile_close(file);
	if (err == -EFBIG)
		file->unread = "its .gnu_debugdata was not read: it unpacks to more than "
			       "256 MiB";
	return false;
}

bool fc_debugfile_open(struct fc_debugfile *file, enum fc_debugfile_wanted wanted,
		       const struct fc_image *program, const char *path)
{
	*file = (struct fc_debugfile){ .wanted = wanted };
	bool is_open = open_beside(file, program, path) || open_fetched(file, program, path) ||
		       (wanted == FC_DEBUGFILE_SYMBOLS && open_inner(file, program));
	/* What was wrong with a debug file is no fault of the program. */
	fc_fail_clear();
	return is_open;
}

/* .gnu_debugaltlink: a file name and that file's build-id. NULL: none. */
static const char *altlink(const struct fc_image *image, char id[41])
{
	const struct fc_section *section = fc_image_section(image, ".gnu_debugaltlink");
	const uint8_t *at = section ? fc_image_content(image, section) : NULL;
	const uint8_t *nul = at ? memchr(at, 0, section->size) : NULL;
	if (!nul || nul == at)
		return NULL;
	fc_image_hex(nul + 1, section->size - (size_t)(nul + 1 - at), id);
	return id[0] ? (const char *)at : NULL;
}

/* As it stands, or from the folder of the file that names it, where links have led to that. */
static char *place_of_alt(const char *link, const char *path)
{
	fc_auto_free char *dir = link[0] != '/' && path ? realpath(path, NULL) : NULL;
	char *slash = dir ? strrchr(dir, '/') : NULL;
	if (link[0] == '/')
		return fc_strdup(link);
	if (!slash)
		return NULL;
	*slash = 0;
	return fc_asprintf("%s/%s", dir, link);
}

static bool use_alt(struct fc_debugfile *file, int fd, const char *id)
{
	char found[41] = "";
	if (open_image(file, fd))
		fc_image_build_id(&file->image, found);
	if (!strcmp(found, id))
		return true;
	fc_debugfile_close(file);
	return false;
}

static bool try_alt(struct fc_debugfile *file, const char *path, const char *id)
{
	struct stat st;
	fc_auto_close int fd = path ? fc_foreign_open(AT_FDCWD, path, &st) : -1;
	return use_alt(file, fd, id);
}

bool fc_debugfile_open_alt(struct fc_debugfile *file, const struct fc_image *image,
			   const char *path)
{
	char id[41];
	*file = (struct fc_debugfile){ .wanted = FC_DEBUGFILE_LINES };
	const char *link = altlink(image, id);
	if (!link)
		return false;
	fc_auto_free char *by_id =
		fc_asprintf("/usr/lib/debug/.build-id/%.2s/%s.debug", id, id + 2);
	fc_auto_free char *by_name = place_of_alt(link, path);
	fc_auto_free char *kept = fc_debuginfod_kept(id);
	bool is_open = try_alt(file, by_id, id) || try_alt(file, by_name, id) ||
		       try_alt(file, kept, id);
	fc_auto_close int fetched = is_open ? -1 : fc_debuginfod_fetch(id, link, NULL);
	is_open = is_open || use_alt(file, fetched, id);
	fc_fail_clear();
	return is_open;
}

bool fc_debugfile_open_split(struct fc_debugfile *file, const struct fc_image *image,
			     const char *path)
{
	struct stat st;
	*file = (struct fc_debugfile){ .wanted = FC_DEBUGFILE_LINES };
	fc_auto_close int fd = fc_foreign_open(AT_FDCWD, path, &st);
	bool is_open = fd >= 0 && open_image(file, fd) && file->image.machine == image->machine;
	if (!is_open)
		fc_debugfile_close(file);
	fc_fail_clear();
	return is_open;
}

void fc_debugfile_close(struct fc_debugfile *file)
{
	fc_content_close(&file->content);
	free(file->memory);
	free(file->path);
	fc_image_deinit(&file->image);
	*file = (struct fc_debugfile){ .wanted = file->wanted, .unread = file->unread };
}
