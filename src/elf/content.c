/* SPDX-License-Identifier: Apache-2.0 */
/* content.c - maps a file, or copies it where somebody could change it. */
#include "elf/content.h"

#include <elf.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/foreign.h"
#include "base/guard.h"

static const uint64_t gib = 1ull << 30;
static const uint64_t small_file = 64ull << 20; /* is copied whole */
static const uint64_t large_section = 16ull << 20;

enum { MOST_SECTIONS = 1 << 18 };

struct copy {
	int fd;
	const char *shown;
	uint8_t *at;
	size_t size;
	uint64_t left; /* may be copied still */
};

static int became_shorter(const char *shown)
{
	return fc_fail(ENODATA, "%s became shorter while it was read", shown);
}

static int copy_bytes(struct copy *copy, uint64_t off, uint64_t size)
{
	if (size > copy->left)
		return fc_fail(ENOEXEC,
			       "%s: more than %d GiB of it would have to be read; files that "
			       "others than root can change are read up to that",
			       copy->shown, FC_CONTENT_COPY_GIB);
	copy->left -= size;
	int err = fc_guard_open(copy->at, off, size);
	if (err)
		return fc_fail(-err, "cannot read %s: %s", copy->shown, strerror(-err));
	while (size) {
		ssize_t nr = pread(copy->fd, copy->at + off, size, (off_t)off);
		if (nr < 0)
			return fc_fail(errno, "cannot read %s: %s", copy->shown,
				       strerror(errno));
		if (!nr)
			return became_shorter(copy->shown);
		off += (uint64_t)nr;
		size -= (uint64_t)nr;
	}
	return 0;
}

/* What is not in a hole. Where holes are not known of (EINVAL), there are none. */
static int copy_range(struct copy *copy, uint64_t off, uint64_t size)
{
	int err = 0;
	if (off >= copy->size)
		return 0;
	uint64_t end = size < copy->size - off ? off + size : copy->size;
	while (!err && off < end) {
		off_t data = lseek(copy->fd, (off_t)off, SEEK_DATA);
		if (data < 0 && errno == ENXIO)
			return 0;
		off_t hole = data < 0 ? (off_t)end : lseek(copy->fd, data, SEEK_HOLE);
		uint64_t from = data < 0 ? off : (uint64_t)data;
		uint64_t to = hole < 0 || (uint64_t)hole > end ? end : (uint64_t)hole;
		if (from >= to)
			return 0;
		err = copy_bytes(copy, from, to - from);
		off = to;
	}
	return err;
}

/* What is loaded is in a segment. Of the rest, large sections of plain data tell nothing. */
static bool is_wanted(const Elf64_Shdr *section)
{
	if (section->sh_type == SHT_NULL || section->sh_type == SHT_NOBITS)
		return false;
	if (section->sh_flags & SHF_ALLOC)
		return section->sh_type == SHT_NOTE;
	return section->sh_type != SHT_PROGBITS || section->sh_size <= large_section;
}

static int copy_sections(struct copy *copy, uint64_t table, uint64_t nr)
{
	uint64_t most = table < copy->size ? (copy->size - table) / sizeof(Elf64_Shdr) : 0;
	if (nr > MOST_SECTIONS)
		nr = MOST_SECTIONS;
	int err = copy_range(copy, table, nr * sizeof(Elf64_Shdr));
	for (uint64_t i = 0; !err && i < nr && i < most; i++) {
		Elf64_Shdr section;
		memcpy(&section, copy->at + table + i * sizeof(section), sizeof(section));
		if (is_wanted(&section))
			err = copy_range(copy, section.sh_offset, section.sh_size);
	}
	return err;
}

static int copy_segments(struct copy *copy, uint64_t table, uint64_t nr)
{
	uint64_t most = table < copy->size ? (copy->size - table) / sizeof(Elf64_Phdr) : 0;
	int err = copy_range(copy, table, nr * sizeof(Elf64_Phdr));
	for (uint64_t i = 0; !err && i < nr && i < most; i++) {
		Elf64_Phdr segment;
		memcpy(&segment, copy->at + table + i * sizeof(segment), sizeof(segment));
		err = copy_range(copy, segment.p_offset, segment.p_filesz);
	}
	return err;
}

/* Numbers that do not fit into the head stand in section 0 (see image.c). */
static int copy_parts(struct copy *copy)
{
	Elf64_Ehdr head = { 0 };
	Elf64_Shdr first = { 0 };
	int err = copy_range(copy, 0, sizeof(head));
	if (err || copy->size < sizeof(head))
		return err;
	memcpy(&head, copy->at, sizeof(head));
	if (memcmp(head.e_ident, ELFMAG, SELFMAG) || head.e_ident[EI_CLASS] != ELFCLASS64)
		return 0;
	err = copy_range(copy, head.e_shoff, head.e_shoff ? sizeof(first) : 0);
	if (head.e_shoff && head.e_shoff < copy->size &&
	    copy->size - head.e_shoff >= sizeof(first))
		memcpy(&first, copy->at + head.e_shoff, sizeof(first));
	uint64_t nr_sections = head.e_shnum ? head.e_shnum : first.sh_size;
	if (!head.e_shoff)
		nr_sections = 0;
	if (!err)
		err = copy_segments(copy, head.e_phoff,
				    head.e_phnum == PN_XNUM ? first.sh_info : head.e_phnum);
	return err ? err : copy_sections(copy, head.e_shoff, nr_sections);
}

static int copy_file(int fd, const char *shown, struct fc_content *content)
{
	struct copy copy = { .fd = fd,
			     .shown = shown,
			     .at = fc_guard_make(content->size),
			     .size = content->size,
			     .left = FC_CONTENT_COPY_GIB * gib };
	if (!copy.at)
		return fc_fail(errno, "cannot read %s: %s", shown, strerror(errno));
	int err = copy.size <= small_file ? copy_range(&copy, 0, copy.size) : copy_parts(&copy);
	if (err) {
		fc_guard_unmap(copy.at, copy.size);
		return err;
	}
	fc_guard_seal(copy.at, copy.size);
	content->at = copy.at;
	return 0;
}

int fc_content_open(int fd, const struct stat *st, const char *shown, struct fc_content *ret)
{
	*ret = (struct fc_content){ .size = (size_t)st->st_size };
	if ((uint64_t)st->st_size > FC_CONTENT_FILE_GIB * gib)
		return fc_fail(ENOEXEC, "%s has more than %d GiB: fctrace reads no such files",
			       shown, FC_CONTENT_FILE_GIB);
	if (!fc_foreign_is_roots(st))
		return copy_file(fd, shown, ret);
	ret->at = fc_guard_map(fd, ret->size);
	return ret->at ? 0 : fc_fail(errno, "cannot map %s: %s", shown, strerror(errno));
}

int fc_content_map(int fd, const struct stat *st, struct fc_content *ret)
{
	*ret = (struct fc_content){ .size = (size_t)st->st_size };
	if ((uint64_t)st->st_size > FC_CONTENT_FILE_GIB * gib)
		return -EFBIG;
	ret->at = fc_guard_map(fd, ret->size);
	return ret->at ? 0 : -errno;
}

void fc_content_close(struct fc_content *content)
{
	fc_guard_unmap((void *)content->at, content->size);
	*content = (struct fc_content){ 0 };
}

bool fc_content_is_torn(const struct fc_content *content)
{
	return fc_guard_is_torn(content->at);
}

int fc_content_check(const struct fc_content *content, const char *shown)
{
	return fc_content_is_torn(content) ? became_shorter(shown) : 0;
}
