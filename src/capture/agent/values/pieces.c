/* SPDX-License-Identifier: Apache-2.0 */
/* pieces.c - reads the rest of a text and records it piece by piece (FC_MARK_MORE). */
#include "capture/agent/values/pieces.h"

#include "capture/agent/base/config.h"
#include "capture/agent/strand/record.h"
#include "capture/agent/values/area.h"

/* The next piece of a text. Returns its bytes; 0: there are none. */
static uint32_t read_piece(struct fetching *f, const struct area *text, uint32_t at)
{
	enum { MOST = (FCA_VALUE_WORDS - FCA_MORE_WORDS) * 8 };
	uint32_t left = text->size + text->more - at, size = left < MOST ? left : MOST;
	struct area piece = {
		.at = text->at + at,
		.size = (uint16_t)size,
		.more = (uint16_t)(left - size),
		.head = FCA_MORE_WORDS - 1,
		.fetch = text->fetch,
		.is_limited = text->is_limited,
	};
	bool is_array = !fca_ends_with(&f->fetches->fetch[text->fetch]);
	f->word[piece.head] = is_array && (piece.more || text->is_cut) ? FCA_GOT_MORE : 0;
	if (!area_read_own_stack(f, &piece) && !area_read_fixed(f, &piece)) {
		if (agent_config.is_quiet)
			return 0;
		area_read_alone(f, &piece);
	}
	uint32_t got = f->word[piece.head] & FCA_GOT_BYTES;
	f->nr_words = FCA_MORE_WORDS + fca_words_of(got);
	if (got % 8)
		f->word[f->nr_words - 1] = fca_low_bytes(f->word[f->nr_words - 1], got % 8);
	return got;
}

void pieces_tell(struct strand *s, struct fetching *f, const struct area *text)
{
	uint32_t at = text->size, end = text->size + text->more;
	f->word[0] = f->fetches->format;
	while (at < end) {
		uint32_t got = read_piece(f, text, at);
		uint64_t flags = f->word[FCA_MORE_WORDS - 1] & ~(uint64_t)FCA_GOT_BYTES;
		if (!got && flags) /* the rest cannot be read */
			return;
		f->word[1] = fca_more(text->head, at);
		if (!strand_tell(s, FC_MARK_MORE, f->word, f->nr_words) || !flags)
			return;
		at += got;
	}
}
