/* SPDX-License-Identifier: Apache-2.0 */
/*
 * findings.h - what a process that reads debug information has found out about functions.
 *
 *	head | a row for each function | the places of parameters | a table of types | split units
 *
 * It may have fallen to the file that it reads: what it sends is checked like a file of others.
 */
#ifndef FC_DWARF_FINDINGS_H
#define FC_DWARF_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "dwarf/wrong.h"
#include "values/signature.h"

struct fc_types;
struct fc_call_frame;

struct fc_found_function {
	uint32_t func;	/* in the table; 0: it is not known */
	uint32_t nr;	/* of its places: of each parameter; 0: as the ABI says */
	uint32_t first; /* of its places */
};

struct fc_found_head {
	uint32_t wrong; /* enum fc_dwarf_wrong */
	uint32_t nr_functions, nr_places;
	uint32_t types_size, splits_size; /* bytes */
};

/* A struct fc_location, of which each byte may be anything. */
struct fc_found_place {
	uint8_t nr, is_address, is_absent, is_weak, is_unsure, zero[3];
	uint32_t late;
	struct fc_piece piece[FC_MAX_PIECES];
};

/* Bytes of what is sent, together. */
struct fc_found_bytes {
	FC_VEC(uint8_t) bytes;
};

void fc_found_put(struct fc_found_bytes *found, const void *at, size_t size);
struct fc_found_place fc_found_place(const struct fc_location *location);

enum { FC_FOUND_PATH = 4096 }; /* bytes of a name, with its zero */

/* A unit with functions that are asked for, of which the file itself has but a skeleton. */
struct fc_found_split {
	uint64_t id;
	const char *name, *dir; /* of the file with the rest; name is not "" */
};

void fc_found_put_split(struct fc_found_bytes *found, const struct fc_found_split *split);

/* What was found, checked. It points into the bytes. */
struct fc_findings {
	enum fc_dwarf_wrong wrong;
	const struct fc_found_function *functions;
	const struct fc_found_place *places;
	struct fc_types *types; /* the caller's */
	const uint8_t *splits, *splits_end;
};

/*
 * For nr functions of a machine. -EBADMSG with a sentence: it is no such thing. Each function that is known is
 * one of the table's, with as many places as parameters, if any; each place is one.
 */
int fc_findings_load(const uint8_t *bytes, size_t size, size_t nr,
		     const struct fc_call_frame *frame, struct fc_findings *ret);
/* The next split unit; *at begins as findings->splits. False: no more. */
bool fc_findings_next_split(const struct fc_findings *findings, const uint8_t **at,
			    struct fc_found_split *ret);
/* Function i of them. */
void fc_findings_get(const struct fc_findings *findings, size_t i, struct fc_signature *ret);

#endif
