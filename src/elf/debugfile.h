/* SPDX-License-Identifier: Apache-2.0 */
/* debugfile.h - the symbols and the debug information that a stripped program left elsewhere. */
#ifndef FC_ELF_DEBUGFILE_H
#define FC_ELF_DEBUGFILE_H

#include <stdbool.h>

#include "elf/content.h"
#include "elf/image.h"

enum fc_debugfile_wanted {
	FC_DEBUGFILE_SYMBOLS,
	FC_DEBUGFILE_LINES, /* debug information, which is mapped as it is: see fc_content_map() */
};

struct fc_debugfile {
	enum fc_debugfile_wanted wanted;
	struct fc_image image;
	struct fc_content content; /* of a file of its own; or */
	void *memory;		   /* .gnu_debugdata, unpacked */
	char *path;		   /* of a file of its own, where that is known; or NULL */
	const char *unread;	   /* what was too large; or NULL */
};

/*
 * Look for the debug file of program, which path leads to, that has what is wanted: by build-id
 * and by debuglink below /usr/lib/debug and beside the program; where debuginfod's client keeps
 * it, if DEBUGINFOD_URLS is set, or from there, if that may be asked (debuginfod.h); for symbols, else
 * .gnu_debugdata. False: there is none that belongs to it, or ->unread tells of one.
 */
bool fc_debugfile_open(struct fc_debugfile *file, enum fc_debugfile_wanted wanted,
		       const struct fc_image *program, const char *path);
/*
 * The file that dwz made of what several debug files have in common, as .gnu_debugaltlink of image
 * names it: by build-id below /usr/lib/debug, beside path (which may be NULL), or by debuginfod as
 * above.
 */
bool fc_debugfile_open_alt(struct fc_debugfile *file, const struct fc_image *image,
			   const char *path);
/* A file with units of image's debug information (.dwo, .dwp). False: it is no such file. */
bool fc_debugfile_open_split(struct fc_debugfile *file, const struct fc_image *image,
			     const char *path);
/*
 * A number that changes with the files that fc_debugfile_open() would look at. False: it would
 * ask a server as well.
 */
bool fc_debugfile_stamp(const struct fc_image *program, const char *path, uint64_t *ret);
void fc_debugfile_close(struct fc_debugfile *file);

#endif
