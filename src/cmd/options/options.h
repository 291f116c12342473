/* SPDX-License-Identifier: Apache-2.0 */
/* options.h - the options of all commands, each a record that sets its setting. */
#ifndef FC_CMD_OPTIONS_OPTIONS_H
#define FC_CMD_OPTIONS_OPTIONS_H

#include "cmd/options/report_options.h"
#include "cmd/options/settings.h"
#include "cmd/options/shared_options.h"

struct fc_cmd;

/*
 * Read the options of a command, argv[0] being its own word: up to the first word that is none
 * if the command runs a program, else wherever they stand; argv is put in order then. Returns
 * the index of the first word that is no option, or -EINVAL with a sentence.
 */
int fc_options_parse(const struct fc_cmd *cmd, int argc, char **argv,
		     struct fc_settings *settings);

#endif
