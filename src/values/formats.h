/* SPDX-License-Identifier: Apache-2.0 */
/*
 * formats.h - what the words of FC_MARK_VALUES mean: for each function whose values are fetched,
 * what is fetched at its entry and at its exit, and of which types that is. A table goes into a
 * trace as bytes, with the module whose functions they are.
 */
#ifndef FC_VALUES_FORMATS_H
#define FC_VALUES_FORMATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/agent/fetch.h"
#include "values/parameter.h"
#include "values/types.h"

/* Bytes of a value that are fetched, at most. */
enum { FC_VALUE_MOST = 256 };
/* Bytes of a text that is a secret, to know it by. */
enum { FC_MOST_OF_SECRET = 256 };

enum {
	FC_LEVEL_ERRNO = 0xffff,
	FC_LEVEL_PATH = 0xfffe,
	FC_LEVEL_REST = 0xfffd,
	FC_LEVEL_UNASKED = 0xfffc, /* of the result: it is not asked for, and not shown */
	FC_LEVEL_ROOM = 0xfffb,	   /* as it was before the call: what it points to, not shown */
};

/* A fetch, and of which value it is. A value of no bytes is one that is masked. */
struct fc_format_part {
	struct fca_fetch fetch;
	uint16_t param; /* 0, 1...; FC_PARAM_RESULT */
	uint16_t level; /* 0: of the value itself, 1: of what it points to; FC_LEVEL_ERRNO;
			 * FC_LEVEL_PATH: where the descriptor leads;
			 * FC_LEVEL_REST: what "..." stands for, or a va_list;
			 * FC_LEVEL_UNASKED: no bytes; FC_LEVEL_ROOM */
	bool is_hidden; /* of a secret: fctrace knows it by this among what other calls are given,
			 * and takes it out (values/secrets) */
};

static inline bool fc_format_is_masked(const struct fc_format_part *part)
{
	return part->fetch.how == FCA_FETCH_VALUE && !part->fetch.size &&
	       part->level != FC_LEVEL_UNASKED;
}

struct fc_value_format {
	uint32_t key;
	uint32_t type; /* of the function (BTF_KIND_FUNC); 0: not known */
	uint32_t nr;
	struct fc_format_part *part;
};

/* Is the function's result masked? Of a format of its exit. */
static inline bool fc_format_masks_result(const struct fc_value_format *exit)
{
	for (uint32_t i = 0; i < exit->nr; i++)
		if (exit->part[i].param == FC_PARAM_RESULT &&
		    fc_format_is_masked(&exit->part[i]))
			return true;
	return false;
}

struct fc_formats;

/* types becomes part of it. */
struct fc_formats *fc_formats_create(struct fc_types *types);
/* What fc_formats_bytes() made, which anybody may have changed. -EBADMSG with a sentence. */
int fc_formats_load(const void *bytes, size_t size, struct fc_formats **ret);
void fc_formats_destroy(struct fc_formats *formats);

void fc_formats_add(struct fc_formats *formats, uint32_t key, uint32_t type,
		    const struct fc_format_part *part, uint32_t nr);
/* NULL: none has this key. */
const struct fc_value_format *fc_formats_find(const struct fc_formats *formats, uint32_t key);
/* One by one; NULL: no more. */
const struct fc_value_format *fc_formats_at(const struct fc_formats *formats, size_t i);
const struct fc_types *fc_formats_types(const struct fc_formats *formats);
bool fc_formats_is_empty(const struct fc_formats *formats);

/* The caller frees them. */
void *fc_formats_bytes(const struct fc_formats *formats, size_t *size);

#endif
