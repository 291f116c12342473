/* SPDX-License-Identifier: Apache-2.0 */
/* tracefile.c - files of tracefs: lists are replaced or appended to, as the kernel takes them. */
#include "capture/kernel/tracefile.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/vec.h"

/* The kernel takes a list word by word: each write says how much of it. */
static int write_all(int fd, const char *path, const char *text)
{
	size_t left = strlen(text);
	while (left) {
		ssize_t nr = write(fd, text, left);
		if (nr <= 0)
			return fc_fail(nr ? errno : EIO, "cannot write %.60s to %s: %s", text,
				       path, strerror(nr ? errno : EIO));
		text += nr;
		left -= (size_t)nr;
	}
	return 0;
}

static int put(const char *folder, const char *file, const char *text, int flags)
{
	fc_auto_free char *path = fc_asprintf("%s/%s", folder, file);
	fc_auto_close int fd = open(path, O_WRONLY | O_CLOEXEC | flags);
	if (fd < 0)
		return fc_fail(errno, "cannot open %s: %s", path, strerror(errno));
	return write_all(fd, path, text);
}

int fc_tracefile_write(const char *folder, const char *file, const char *text)
{
	return put(folder, file, text, O_TRUNC);
}

int fc_tracefile_append(const char *folder, const char *file, const char *text)
{
	return put(folder, file, text, O_APPEND);
}

char *fc_tracefile_read(const char *folder, const char *file, size_t *size)
{
	enum { PIECE = 16384 };
	fc_auto_free char *path = fc_asprintf("%s/%s", folder, file);
	fc_auto_close int fd = open(path, O_RDONLY | O_CLOEXEC);
	FC_VEC(char) text = { 0 };
	ssize_t nr = fd < 0 ? -1 : 1;
	while (nr > 0) {
		fc_vec_reserve(&text, PIECE);
		nr = read(fd, text.at + text.nr, PIECE - 1);
		text.nr += nr > 0 ? (size_t)nr : 0;
	}
	if (nr < 0) {
		fc_vec_free(&text);
		return NULL;
	}
	text.at[text.nr] = 0;
	*size = text.nr;
	return text.at;
}

void fc_tracefile_read_begin(const char *folder, const char *file, char *ret, size_t room)
{
	fc_auto_free char *path = fc_asprintf("%s/%s", folder, file);
	fc_auto_close int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t nr = fd < 0 ? -1 : read(fd, ret, room - 1);
	ret[nr > 0 ? nr : 0] = 0;
}

void fc_tracefile_read_line(const char *folder, const char *file, char *ret, size_t room)
{
	fc_tracefile_read_begin(folder, file, ret, room);
	ret[strcspn(ret, "\n")] = '\0';
}
