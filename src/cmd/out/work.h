/* SPDX-License-Identifier: Apache-2.0 */
/* work.h - long work: how far it is and how long it takes yet, in a terminal's last line. */
#ifndef FC_CMD_OUT_WORK_H
#define FC_CMD_OUT_WORK_H

#include "base/progress.h"

/*
 * "fctrace: DOING FILE: 12 %, 3 s more", once a second has passed since since_ns
 * (CLOCK_MONOTONIC). Nothing where stderr is no terminal, or stdout is one and has been written to.
 */
void fc_work_show(const char *doing, const struct fc_progress *progress, uint64_t since_ns);

/* The one that is told of what this command reads: "reading FILE: ...". */
struct fc_progress *fc_work_reading(void);

#endif
