/* SPDX-License-Identifier: Apache-2.0 */
/* nameless.h - functions of a trace of which nobody knows a name: they are shown as "git+0x1f230". */
#ifndef FC_READ_NAMES_NAMELESS_H
#define FC_READ_NAMES_NAMELESS_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/reader.h"

/* Is it a function of a file on disk, without a name? Debug files may have that. */
bool fc_is_nameless(const struct fc_reader *reader, uint32_t func);

/*
 * Which functions were called, or counted: a bit for each id, id 0 in the lowest of the first. The
 * caller frees *ret. -errno with a sentence: as fc_crunch().
 */
int fc_called_functions(struct fc_reader *reader, uint8_t **ret);

static inline bool fc_was_called(const uint8_t *called, uint32_t func)
{
	return called[func / 8] >> func % 8 & 1;
}

#endif
