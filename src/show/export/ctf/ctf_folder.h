/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ctf_folder.h - the folder that is a CTF trace: files that are appended to.
 *
 * However many files there are, few are open at a time. What is in it can be read at any time:
 * metadata is there from the begin, and a packet that does not fit on the disk is taken back.
 */
#ifndef FC_SHOW_EXPORT_CTF_CTF_FOLDER_H
#define FC_SHOW_EXPORT_CTF_CTF_FOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Files that may be open at a time. */
#define FC_CTF_OPEN_FILES 32

struct fc_ctf_folder {
	const char *path;
	int fd;
	bool is_made; /* by us; else it was there, empty */
	bool is_used; /* there is more than the first metadata */
	struct {
		int fd; /* -1: none */
		uint32_t file;
	} open[FC_CTF_OPEN_FILES];
	int err;      /* -errno of the first write that failed... */
	char *failed; /* ...and of which file */
};

/* -errno with a sentence: it cannot be made, or it is there and holds something. */
int fc_ctf_folder_open(struct fc_ctf_folder *folder, const char *path);
/* If nothing but metadata was written, it becomes as it was before. */
void fc_ctf_folder_close(struct fc_ctf_folder *folder);

/* The names of files are "calls-N"; file 0 is "processes". What fails is kept in err. */
void fc_ctf_folder_append(struct fc_ctf_folder *folder, uint32_t file, const void *data,
			  size_t len);
/* The metadata, aside; and put it in its place, over what is there. */
void fc_ctf_folder_append_metadata(struct fc_ctf_folder *folder, const void *data, size_t len);
void fc_ctf_folder_place_metadata(struct fc_ctf_folder *folder);
/* Close all files. 0, or -errno with a sentence on what could not be written. */
int fc_ctf_folder_finish(struct fc_ctf_folder *folder);

#endif
