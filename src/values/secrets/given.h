/* SPDX-License-Identifier: Apache-2.0 */
/*
 * given.h - the secrets that the open calls of a strand were given. A call beneath that is passed one of
 * them under another name, or a part of it, or a pointer into it, does not show it:
 *
 *	login(<masked>) {
 *	  strcpy(<masked>, <masked>) = <masked>;
 *	  write(1, "password: <masked>", 23) = 23;
 *	} = 0;
 */
#ifndef FC_VALUES_SECRETS_GIVEN_H
#define FC_VALUES_SECRETS_GIVEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

struct fc_given_secret {
	uint64_t at, size; /* where it is; size 0: that is not known */
	uint32_t nr;
	char *bytes; /* none of them is zero */
};

struct fc_given_call {
	uint64_t depth; /* it is so many-th of the open calls */
	uint32_t func;
	uint64_t begin_tsc;
	bool is_coming;	 /* its values are told, its entry is not yet */
	bool is_unknown; /* it was given more than is kept */
	uint64_t params; /* bits: of these it was given pointers to secrets of others */
	size_t first;	 /* its secrets begin here, up to those of the next call */
};

/* Zeroed: none was given any. */
struct fc_given {
	FC_VEC(struct fc_given_call) calls; /* from the outermost */
	FC_VEC(struct fc_given_secret) secrets;
};

void fc_given_deinit(struct fc_given *given);

/* Values of a call are told that is about to be entered as the depth-th. Once, before the others. */
void fc_given_begin(struct fc_given *given, uint64_t depth, uint32_t func);
/*
 * The last call that began was given this: nr bytes from size bytes at an address (0: not known). What
 * lies between zeroes is a secret by itself; is_text: however short it is.
 */
void fc_given_add(struct fc_given *given, uint64_t at, uint64_t size, const char *bytes,
		  uint32_t nr, bool is_text);
/* It was given something that nobody has told. */
void fc_given_add_unknown(struct fc_given *given);
/* It was given a pointer to what an outer call was given. */
void fc_given_add_param(struct fc_given *given, uint32_t param);

/* A call is entered as the depth-th. */
struct fc_given_entry {
	uint64_t depth, tsc;
	uint32_t func;
	bool by_tail; /* it takes the place of another, whose secrets stay as long as it is open */
	bool has_any; /* some of its values are secrets: they were told, or it is not known which */
};

/* False: it was given secrets that are not known. */
bool fc_given_enter(struct fc_given *given, const struct fc_given_entry *entry);
/* So many calls are open. */
void fc_given_leave(struct fc_given *given, uint64_t depth);
/* A child that was forked then begins with the calls that are open in its parent. */
void fc_given_inherit(struct fc_given *given, const struct fc_given *from, uint64_t tsc);

/* Where among bytes that are shown a secret begins, or a piece of one that goes beyond; nr: nowhere. */
size_t fc_given_find(const struct fc_given *given, const char *bytes, size_t nr);
/* Does the address lie in a secret? */
bool fc_given_has_address(const struct fc_given *given, uint64_t at);
/* Was the depth-th call given a pointer to a secret as this parameter? */
bool fc_given_has_param(const struct fc_given *given, uint64_t depth, uint32_t func,
			uint32_t param);

static inline bool fc_given_is_empty(const struct fc_given *given)
{
	return !given->calls.nr;
}

#endif
