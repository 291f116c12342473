/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fetching.h - a user who waits for a debug file from a server: a terminal shows how far it is, and
 * Ctrl-C gives up the file, not the command.
 */
#ifndef FC_CMD_OUT_FETCHING_H
#define FC_CMD_OUT_FETCHING_H

#include "elf/debuginfod.h"

extern const struct fc_fetching fc_fetching_shown;

#endif
