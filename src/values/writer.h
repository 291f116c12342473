/* SPDX-License-Identifier: Apache-2.0 */
/*
 * writer.h - writes a mark of values word by word, for who is no agent: its head, which format it has, and
 * the parts of that format in their order (capture/agent/fetch.h).
 */
#ifndef FC_VALUES_WRITER_H
#define FC_VALUES_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "capture/agent/fetch.h"
#include "trace/record.h"

struct fc_value_writer {
	uint64_t *word; /* the first one is the head, which is written last */
	size_t nr;
};

/* words: where they go. Of what a function is given, or of what it returns. */
static inline struct fc_value_writer fc_value_writer(uint64_t *words, uint32_t func,
						     bool is_result)
{
	words[1] = fca_format(func, is_result);
	return (struct fc_value_writer){ words, 2 };
}

static inline void fc_value_add(struct fc_value_writer *writer, uint64_t value)
{
	writer->word[writer->nr++] = value;
}

/* Which error a result is (FCA_FETCH_ERROR); 0: none. */
static inline void fc_value_add_error(struct fc_value_writer *writer, uint32_t error)
{
	fc_value_add(writer, error ? sizeof(int) : FCA_GOT_NONE);
	if (error)
		fc_value_add(writer, error);
}

static inline void fc_value_add_words(struct fc_value_writer *writer, const void *bytes,
				      size_t size)
{
	for (size_t at = 0; at < size; at += sizeof(uint64_t)) {
		uint64_t word = 0;
		size_t left = size - at;
		memcpy(&word, (const char *)bytes + at,
		       left < sizeof(word) ? left : sizeof(word));
		fc_value_add(writer, word);
	}
}

/* At most room bytes of it; NULL: there is nothing to be read. */
static inline void fc_value_add_text(struct fc_value_writer *writer, const char *text,
				     size_t room)
{
	size_t length = text ? strlen(text) : 0, size = length < room ? length : room;
	fc_value_add(writer, !text ? FCA_GOT_NONE : size < length ? size | FCA_GOT_MORE : size);
	fc_value_add_words(writer, text, size);
}

/* All of them; 0: there is nothing to be read. */
static inline void fc_value_add_bytes(struct fc_value_writer *writer, const void *bytes,
				      size_t size)
{
	fc_value_add(writer, size ? size : FCA_GOT_NONE);
	fc_value_add_words(writer, bytes, size);
}

/* How many words there are. */
static inline size_t fc_value_end(struct fc_value_writer *writer, uint64_t tsc)
{
	uint32_t nr = (uint32_t)writer->nr - 1;
	writer->word[0] = fc_record(tsc, fc_mark_func(FC_MARK_VALUES, nr), FC_MARK);
	return writer->nr;
}

#endif
