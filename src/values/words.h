/* SPDX-License-Identifier: Apache-2.0 */
/* words.h - the words of a mark of values, as they stand in a trace. */
#ifndef FC_VALUES_WORDS_H
#define FC_VALUES_WORDS_H

#include <stdint.h>

/* nr 0: nothing was fetched. */
struct fc_value_words {
	const uint64_t *at;
	uint32_t nr;
	/* Of a result that another call of a chain of tail calls gave: what that one was given... */
	const uint64_t *other;
	uint32_t nr_other;
	uint32_t func; /* ...and whose result this is to be; 0: it is its own */
};

#endif
