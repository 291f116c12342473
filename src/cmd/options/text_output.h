/* SPDX-License-Identifier: Apache-2.0 */
/* text_output.h - opens stdout as --color and --no-pager say. */
#ifndef FC_CMD_OPTIONS_TEXT_OUTPUT_H
#define FC_CMD_OPTIONS_TEXT_OUTPUT_H

#include <stdio.h>

#include "cmd/options/settings.h"

/*
 * As fc_output_open(). is_text: it is for people, so it is in colours and goes through a pager, if there is a terminal
 * and they want these.
 */
FILE *fc_text_output_open(const struct fc_settings *settings, bool is_text);

#endif
