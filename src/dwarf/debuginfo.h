/* SPDX-License-Identifier: Apache-2.0 */
/*
 * debuginfo.h - the debug information of one file, and the process in a jail that reads it.
 *
 * Files are found, opened and mapped here; elfutils' libdw reads what is mapped, in a child that
 * can do nothing else (inmate.h).
 */
#ifndef FC_DWARF_DEBUGINFO_H
#define FC_DWARF_DEBUGINFO_H

#include "dwarf/inmate.h"
#include "dwarf/size.h"
#include "dwarf/splitfiles.h"
#include "dwarf/wrong.h"
#include "elf/content.h"
#include "elf/debugfile.h"
#include "elf/image.h"

struct fc_debuginfo {
	const struct fc_image *told;   /* what tells it: of the file, or of its debug file */
	const struct fc_image *common; /* what several files have in common, by dwz; or NULL */
	const char *path;	       /* of the file that tells it */
	struct fc_dwarf_size size;
	/* its own */
	struct fc_splitfiles splits;
	struct fc_content content;
	struct fc_image image;
	struct fc_debugfile debug, alt;
	struct fc_inmate child;
	const char *wrong;
	char *why; /* a sentence's end, made for this file; or NULL */
};

/*
 * build_id: in hex, what the file at path must have; "" is that of a file that has none.
 * -ENOENT...: cannot be opened; -ESTALE: it is another file by now; -EFBIG: what there is is not
 * read; -ENODATA: there is no debug information. Each with a sentence. info must not move, and is
 * closed in any case.
 */
int fc_debuginfo_open(struct fc_debuginfo *info, const char *path, const char *build_id,
		      enum fc_dwarf_wanted wanted);
void fc_debuginfo_close(struct fc_debuginfo *info);

/* Start the child, where work(ctx) reads and answers: see fc_inmate_start(). With a sentence. */
int fc_debuginfo_start(struct fc_debuginfo *info, const char *path,
		       void (*work)(const void *ctx), const void *ctx);
/*
 * Open what was found to stand in files of its own. True: another child may find more than the one
 * before.
 */
bool fc_debuginfo_open_splits(struct fc_debuginfo *info, const struct fc_findings *findings);
/* The size of the answer, as fc_inmate_ask() tells; 0: there is none any more. */
ssize_t fc_debuginfo_ask(struct fc_debuginfo *info, const void *question, size_t size,
			 void *answer, size_t room);
/* What it answered is none: it is not asked again. */
void fc_debuginfo_distrust(struct fc_debuginfo *info);

/* That is wrong with what was read, among other things. */
void fc_debuginfo_note(struct fc_debuginfo *info, enum fc_dwarf_wrong wrong);
/* Why not all is known, as a sentence ends; NULL: nothing was wrong. */
const char *fc_debuginfo_wrong(const struct fc_debuginfo *info);

#endif
