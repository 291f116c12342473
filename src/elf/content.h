/* SPDX-License-Identifier: Apache-2.0 */
/*
 * content.h - the bytes of an ELF file, which stay what they are while it is read and after.
 *
 * A file that only root can change is mapped. Of others, a process that is traced for instance,
 * what is needed is copied: no debug information but the symbols, and no holes, of which a small
 * file on disk may have as many as it likes.
 */
#ifndef FC_ELF_CONTENT_H
#define FC_ELF_CONTENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

enum {
	FC_CONTENT_FILE_GIB = 64, /* larger files are refused */
	FC_CONTENT_COPY_GIB = 2,  /* more is not copied */
};

struct fc_content {
	const uint8_t *at; /* what was not copied is zeros; behind the end there is a zero */
	size_t size;
};

/* -ENOEXEC (too large), -ENODATA (it became shorter), -errno; each with a sentence about shown. */
int fc_content_open(int fd, const struct stat *st, const char *shown, struct fc_content *ret);
/*
 * Map it whoever's it is, for readers that take each byte once: it may change while they do.
 * -EFBIG (too large), -errno; without a sentence.
 */
int fc_content_map(int fd, const struct stat *st, struct fc_content *ret);
void fc_content_close(struct fc_content *content);

/* Did the file become shorter since? */
bool fc_content_is_torn(const struct fc_content *content);
/* The same: -ENODATA with a sentence. */
int fc_content_check(const struct fc_content *content, const char *shown);

#endif
