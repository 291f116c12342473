/* SPDX-License-Identifier: Apache-2.0 */
/*
 * srclines.h - where the functions of a trace are in their sources, for --srcline.
 *
 * The files that were traced are opened when one of their functions is asked for, and only if
 * their build-ids are those that the trace tells. Each function is looked up once. Any
 * thread may ask.
 */
#ifndef FC_CMD_OPTIONS_SRCLINES_H
#define FC_CMD_OPTIONS_SRCLINES_H

#include <stdbool.h>
#include <stdint.h>

#include "calls/names.h"
#include "cmd/options/option.h"
#include "trace/reader.h"

extern const struct fc_option fc_option_srcline;

/* Was --srcline given to the one command that this process runs? */
bool fc_srclines_are_asked(void);
/* As if it had been. */
void fc_srclines_ask(void);

struct fc_srclines;
struct fc_srclines *fc_srclines_create(const struct fc_reader *reader);
/* Before the reader is closed. Says of which files no lines are known, and why. */
void fc_srclines_destroy(struct fc_srclines *lines);

/* NULL: not known. */
const struct fc_source *fc_srclines_find(struct fc_srclines *lines, uint32_t func);

#endif
