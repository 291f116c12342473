/* SPDX-License-Identifier: Apache-2.0 */
/* pids.h - -p: which processes are meant, by their ids or by a name. */
#ifndef FC_CMD_OPTIONS_PIDS_H
#define FC_CMD_OPTIONS_PIDS_H

#include "cmd/options/option.h"

extern const struct fc_option fc_option_pids;

/*
 * The id of a process: a number, or a name that only one process has. -EINVAL with a sentence; where
 * several have it, they are listed before.
 */
int fc_pid_parse(const char *word, int *ret);

#endif
