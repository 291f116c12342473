/* SPDX-License-Identifier: Apache-2.0 */
/*
 * folder.h - a folder that somebody else wrote: its files are read with care.
 *
 * Only regular files are opened, and never waited for. A file may grow, shrink or go away
 * meanwhile.
 */
#ifndef FC_READ_IMPORT_FOLDER_H
#define FC_READ_IMPORT_FOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fc_folder {
	int fd;
	const char *path; /* the caller's */
};

/* -ENOENT, -ENOTDIR…, with a sentence. */
int fc_folder_open(const char *path, struct fc_folder *ret);
void fc_folder_close(struct fc_folder *folder);

/* Open a file of it to read. -ENOENT…, -EINVAL (not a regular file), with a sentence. */
int fc_folder_file(const struct fc_folder *folder, const char *name, int *ret_fd,
		   uint64_t *ret_size);

/* Call fn with each name in it. -errno with a sentence. */
int fc_folder_each(const struct fc_folder *folder, void (*fn)(void *ctx, const char *name),
		   void *ctx);

/* Is this the folder that the file path is in, or would be? */
bool fc_folder_holds(const struct fc_folder *folder, const char *path);

/* The lines of a text, one after the other. Longer ones than FC_TEXT_LINE_MAX are cut off. */
#define FC_TEXT_LINE_MAX 16384

struct fc_text {
	int fd; /* the caller's */
	size_t at, nr;
	char *buf;
	char *line; /* FC_TEXT_LINE_MAX + 1 */
};

void fc_text_init(struct fc_text *lines, int fd);
void fc_text_deinit(struct fc_text *lines);
/* The next line without its end, until the call after; NULL: that was all. */
char *fc_text_next(struct fc_text *lines);

#endif
