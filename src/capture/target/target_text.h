/* SPDX-License-Identifier: Apache-2.0 */
/* target_text.h - a text in the memory of a thread that stands still. */
#ifndef FC_CAPTURE_TARGET_TARGET_TEXT_H
#define FC_CAPTURE_TARGET_TARGET_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Up to its last zero, or so much of it as there is room for. False: it cannot be read. */
bool fc_target_text(int tid, uint64_t taddr, char *ret, size_t size);

#endif
