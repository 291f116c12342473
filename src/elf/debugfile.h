/* SPDX-License-Identifier: Apache-2.0 */
/* debugfile.h - the symbols that a stripped program left elsewhere. */
#ifndef FC_ELF_DEBUGFILE_H
#define FC_ELF_DEBUGFILE_H

#include <stdbool.h>

#include "elf/content.h"
#include "elf/image.h"

struct fc_debugfile {
	struct fc_image image;
	struct fc_content content; /* of a file of its own; or */
	void *memory;		   /* .gnu_debugdata, unpacked */
	const char *unread;	   /* what was too large; or NULL */
};

/*
 * Look for the debug file of program, which fd and path lead to: by build-id and by
 * debuglink below /usr/lib/debug and beside the program; from debuginfod when
 * DEBUGINFOD_URLS is set; else .gnu_debugdata. False: there is none that belongs to it, or
 * ->unread tells of one.
 */
bool fc_debugfile_open(struct fc_debugfile *file, const struct fc_image *program, int fd,
		       const char *path);
/*
 * A number that changes with the files that fc_debugfile_open() would look at. False: it would
 * ask a server as well.
 */
bool fc_debugfile_stamp(const struct fc_image *program, const char *path, uint64_t *ret);
void fc_debugfile_close(struct fc_debugfile *file);

#endif
