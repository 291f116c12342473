/* SPDX-License-Identifier: Apache-2.0 */
/* text.h - values as people read them, in the words of C. */
#ifndef FC_VALUES_TEXT_H
#define FC_VALUES_TEXT_H

#include "capture/agent/fetch.h"
#include "values/types.h"

/* Bytes of a text at most, with its zero; what is longer is cut. Two paths fit, whatever is in them. */
enum { FC_VALUE_TEXT = 40960 };

struct fc_value_text {
	size_t nr;
	char at[FC_VALUE_TEXT]; /* ends with a zero; with "..." if it was cut */
};

void fc_value_text_clear(struct fc_value_text *text);
void fc_value_text_add(struct fc_value_text *text, const char *more);

/* Bytes of a program's memory. */
struct fc_value_bytes {
	const uint8_t *at;
	size_t nr;
	bool is_there;	/* they were fetched */
	bool is_cut;	/* there are more */
	bool is_list;	/* they are many of what they are, to an end of their own */
	bool is_masked; /* what follows them is a secret, or all was */
};

/* Who knows which function begins at an address. NULL: none. */
struct fc_value_code {
	const char *(*name_at)(const void *ctx, uint64_t address);
	const void *ctx;
};

/* What a pointer leads to, by where its own bytes are kept. */
struct fc_value_link {
	const uint8_t *at;
	struct fc_value_bytes behind;
};

/* Of what one leads to, pointers may be linked in turn: in no circle. */
struct fc_value_links {
	const struct fc_value_link *at;
	size_t nr;
	const struct fc_value_code *code; /* NULL: nobody knows functions */
};

/* A number of size bytes, at most 8; of those that are not there zeroes. */
static inline uint64_t fc_value_number(const struct fc_value_bytes *value, size_t size)
{
	uint64_t ret = 0;
	size_t nr = value->nr < size ? value->nr : size;
	for (size_t i = 0; i < nr && i < sizeof(ret); i++)
		ret |= (uint64_t)value->at[i] << i * 8;
	return ret;
}

/* One of so many bits with its sign. */
static inline int64_t fc_value_extend(uint64_t value, uint32_t bits)
{
	return bits && bits < 64 ? (int64_t)(value << (64 - bits)) >> (64 - bits)
				 : (int64_t)value;
}

/*
 * What this value, a pointer to that type, leads to; NULL: it was not fetched, or so little of it that
 * it cannot be told, as a part of a number.
 */
const struct fc_value_bytes *fc_value_behind(const struct fc_types *types, uint32_t to,
					     const struct fc_value_bytes *value,
					     const struct fc_value_links *links);

/*
 * Is it a text: of a pointer to chars, of C++ or of Rust, or a pointer to one of these? Its bytes, if
 * they are there.
 */
bool fc_value_string(const struct fc_types *types, uint32_t type,
		     const struct fc_value_bytes *value, const struct fc_value_links *links,
		     struct fc_value_bytes *ret);

/*
 * A value of this type (0: not known) as text, with what pointers in it lead to. Of bytes that are too
 * few what is there is told.
 */
void fc_value_text_put(struct fc_value_text *text, const struct fc_types *types, uint32_t type,
		       const struct fc_value_bytes *value, const struct fc_value_links *links);

/* What is behind a "char *"; a float of 4, 8 or 10 bytes; a number of so many bits. */
void fc_value_text_string(struct fc_value_text *text, const struct fc_value_bytes *string);
void fc_value_text_float(struct fc_value_text *text, const struct fc_value_bytes *value);
void fc_value_text_number(struct fc_value_text *text, enum fca_item as, uint64_t number,
			  uint32_t bits);
/* A path as "</etc/passwd>". */
void fc_value_text_path(struct fc_value_text *text, const struct fc_value_bytes *path);

#endif
