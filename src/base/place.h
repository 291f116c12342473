/* SPDX-License-Identifier: Apache-2.0 */
/*
 * place.h - where a file is to be written, though others may write in folders on the way.
 *
 * What a user has put there himself, or root, is followed: links, FIFOs, devices. What others may
 * have put there is not: a link in a folder where they can write leads to any file of ours.
 *
 * All fail with -errno and a sentence that ends another one: "cannot write to x: ".
 */
#ifndef FC_BASE_PLACE_H
#define FC_BASE_PLACE_H

#include <stdbool.h>
#include <sys/stat.h>

struct fc_place {
	int folder;	  /* O_PATH */
	char *name;	  /* in it; no link, unless */
	bool is_magic;	  /* it is one of /proc, to what is open already */
	bool is_followed; /* a link led here */
};

/* The file itself need not be there. */
int fc_place_find(const char *path, struct fc_place *ret);
void fc_place_deinit(struct fc_place *place);

/* What is there: -ENOENT without a sentence, if nothing is. */
int fc_place_stat(const struct fc_place *place, struct stat *ret);

/*
 * Open what is there, to write it, if nobody else can have put it there; or with O_CREAT a new
 * file. With O_EXCL nothing may be there. A descriptor.
 */
int fc_place_open(const struct fc_place *place, int flags, mode_t mode);

/* A file that is written from its start, as a shell's > does it. A descriptor. */
int fc_place_write(const char *path);

#endif
