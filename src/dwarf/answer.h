/* SPDX-License-Identifier: Apache-2.0 */
/*
 * answer.h - what a process that reads debug information answers for some addresses.
 *
 * It may have fallen to the file that it reads: each answer is checked like a file of others.
 */
#ifndef FC_DWARF_ANSWER_H
#define FC_DWARF_ANSWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dwarf/wrong.h"

enum {
	FC_DWARF_PATH = 8192,	     /* bytes of a path at most, with its zero */
	FC_DWARF_ASKED = 64,	     /* addresses at a time */
	FC_DWARF_UNREAD = INT32_MAX, /* as a line: nobody looked */
};

/* One message: as many addresses as are asked for. The first is looked up in any case. */
struct fc_dwarf_question {
	uint64_t vaddrs[FC_DWARF_ASKED];
};

/* One message, of which only that part of paths is sent that there is. */
struct fc_dwarf_answer {
	uint32_t wrong; /* enum fc_dwarf_wrong: the first thing that was, so far */
	uint32_t nr_bytes;
	struct fc_dwarf_line {
		uint32_t line; /* 0: not known */
		uint32_t path; /* where it begins in paths */
	} lines[FC_DWARF_ASKED];
	char paths[2 * FC_DWARF_PATH]; /* each with its zero */
};

/* No path, and nothing looked up. */
void fc_dwarf_answer_clear(struct fc_dwarf_answer *answer);
/* This is answer i: line of path. Without room it stays as it was. path is "" for line 0. */
void fc_dwarf_answer_put(struct fc_dwarf_answer *answer, size_t i, uint32_t line,
			 const char *path);

/* How many bytes are sent of it. */
size_t fc_dwarf_answer_size(const struct fc_dwarf_answer *answer);

/* Is that an answer for nr addresses, of size bytes? Each line has a path that ends then. */
bool fc_dwarf_answer_check(const struct fc_dwarf_answer *answer, size_t size, size_t nr);

#endif
