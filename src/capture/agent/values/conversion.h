/* SPDX-License-Identifier: Apache-2.0 */
/* conversion.h - what a format of printf() takes of the arguments behind it. */
#ifndef FC_CAPTURE_AGENT_VALUES_CONVERSION_H
#define FC_CAPTURE_AGENT_VALUES_CONVERSION_H

#include <stdbool.h>
#include <stdint.h>

#include "capture/agent/fetch.h"

struct conversion {
	bool has_width, has_limit; /* "*": an int before it */
	uint8_t kind;		   /* enum fca_item; FCA_ITEM_NONE: it takes nothing, as "%%" */
	uint8_t size;
	int32_t limit; /* bytes of a text, at most; -1: none is said */
};

enum conversion_next {
	CONVERSION_END,	    /* of the format */
	CONVERSION_ONE,	    /* *ret is filled */
	CONVERSION_UNKNOWN, /* nobody knows what is taken from here on */
};

/* *at: where to look for it among the nr bytes of text; it is moved behind it. */
enum conversion_next conversion_next(const char *text, uint32_t nr, uint32_t *at,
				     struct conversion *ret);

#endif
