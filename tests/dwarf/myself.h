/* SPDX-License-Identifier: Apache-2.0 */
/* myself.h - the test itself as a file that is asked about. */
#ifndef TESTS_DWARF_MYSELF_H
#define TESTS_DWARF_MYSELF_H

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "elf/content.h"
#include "elf/image.h"

struct myself {
	char path[PATH_MAX], build_id[41];
};

static inline int myself_init(struct myself *me)
{
	struct fc_content content;
	struct fc_image image;
	struct stat st;
	ssize_t len = readlink("/proc/self/exe", me->path, sizeof(me->path) - 1);
	int fd = len < 0 ? -1 : open(me->path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) || fc_content_map(fd, &st, &content) ||
	    fc_image_init(&image, content.at, content.size, me->path))
		return -1;
	fc_image_build_id(&image, me->build_id);
	fc_image_deinit(&image);
	fc_content_close(&content);
	return close(fd);
}

#endif
