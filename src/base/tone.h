/* SPDX-License-Identifier: Apache-2.0 */
/* tone.h - the colours of text on a terminal (ECMA-48, SGR), and what they mean here. */
#ifndef FC_BASE_TONE_H
#define FC_BASE_TONE_H

#include <stdint.h>

enum fc_tone {
	FC_TONE_PLAIN,
	FC_TONE_BOLD,	/* titles */
	FC_TONE_DIM,	/* what is seldom read */
	FC_TONE_RED,	/* takes long; became slower */
	FC_TONE_YELLOW, /* less so; worth a look */
	FC_TONE_GREEN,	/* became faster */
	FC_NR_TONES,
};

enum { FC_TONE_ROOM = 8 };

/* What begins it, or, of FC_TONE_PLAIN, ends another. */
extern const char fc_tone_text[FC_NR_TONES][FC_TONE_ROOM];

/* Of how long something took: 100 ms are red, 1 ms yellow. */
static inline enum fc_tone fc_tone_of_ns(uint64_t ns)
{
	return ns < 1000000 ? FC_TONE_PLAIN : ns < 100000000 ? FC_TONE_YELLOW : FC_TONE_RED;
}

/* Of its part of a whole, in percent: 5 are red, 0.5 yellow. */
static inline enum fc_tone fc_tone_of_share(double percent)
{
	return percent < 0.5 ? FC_TONE_PLAIN : percent < 5 ? FC_TONE_YELLOW : FC_TONE_RED;
}

#endif
