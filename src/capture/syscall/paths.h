/* SPDX-License-Identifier: Apache-2.0 */
/*
 * paths.h - names of files that an open system call was given, as whoever sees the kernel take them
 * tells of them, one by one.
 *
 *	rename(0x7ffe10, 0x7ffe80)          begin: two pointers
 *	   "old" from 0x7ffe10              take
 *	   "new" from 0x7ffe80              take
 */
#ifndef FC_CAPTURE_SYSCALL_PATHS_H
#define FC_CAPTURE_SYSCALL_PATHS_H

#include <stdint.h>

enum {
	FC_PATH_PARAMS = 2, /* of a system call, at most */
	FC_PATH_ROOM = 768, /* bytes that are kept, of all of them */
};

/* Zeroed: none. */
struct fc_paths {
	uint8_t nr;
	uint64_t pointer[FC_PATH_PARAMS]; /* in the order of the arguments */
	char *text[FC_PATH_PARAMS];	  /* NULL: not known */
	uint64_t last;			  /* what was taken last */
};

/* Of a system call: which arguments (from 0 on). Returns how many there are. */
unsigned fc_paths_params(const char *syscall, uint8_t param[FC_PATH_PARAMS]);

/* A call with nr of them begins; what is known of another is forgotten. */
void fc_paths_begin(struct fc_paths *paths, const uint64_t *pointer, unsigned nr);
/*
 * The kernel takes one. object: what it has made of it, which is told more than once by functions that
 * call each other. pointer: the argument; another number: not known, and it is the next one.
 */
void fc_paths_take(struct fc_paths *paths, uint64_t object, uint64_t pointer, const char *text);
void fc_paths_forget(struct fc_paths *paths);

#endif
