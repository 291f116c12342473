/* SPDX-License-Identifier: Apache-2.0 */
/*
 * looks.h - how text looks at the terminal that somebody reads it at: in colours, and how wide.
 *
 * What stdout is, is looked at once, before a pager takes its place.
 */
#ifndef FC_CMD_OUT_LOOKS_H
#define FC_CMD_OUT_LOOKS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/tone.h"

enum fc_when { FC_WHEN_AUTO, FC_WHEN_ALWAYS, FC_WHEN_NEVER };

/* Are there to be colours on fd? FC_WHEN_AUTO: on a terminal that has them, unless NO_COLOR is set. */
bool fc_looks_want_colors(uint32_t when, int fd);

/* Look at stdout. when: enum fc_when, of colours. Before that, it has none and no width. */
void fc_looks_begin(uint32_t when);
int fc_looks_width(void); /* columns; 0: it is no terminal, or does not tell */

/* Begin a tone, or end it by FC_TONE_PLAIN; nothing where there are no colours. */
void fc_put_tone(FILE *out, enum fc_tone tone);

#endif
