/* SPDX-License-Identifier: Apache-2.0 */
/* print_unshown.h - says which functions' calls a trace does not show one by one. */
#ifndef FC_CMD_VIEW_PRINT_UNSHOWN_H
#define FC_CMD_VIEW_PRINT_UNSHOWN_H

#include "cmd/out/json.h"
#include "read/sums/report.h"
#include "trace/reader.h"

/* A table of them; nothing if all calls are shown. */
void fc_unshown_print(FILE *out, struct fc_reader *reader);
void fc_unshown_json(struct fc_json *json, struct fc_reader *reader);

/* Their counted calls into the report. */
void fc_unshown_add(struct fc_reader *reader, struct fc_report *report);
/* One line to stderr, if there are any. */
void fc_unshown_say(struct fc_reader *reader);

#endif
