/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pass.h - a tap that passes everything on to the next: what a tap begins as that does one thing
 * in between.
 *
 *   fc_pass_init(&meter->pass, next);
 *   meter->pass.tap.records = count_records;       which calls next->records() itself
 */
#ifndef FC_CALLS_PASS_H
#define FC_CALLS_PASS_H

#include "trace/source.h"

struct fc_pass {
	struct fc_tap tap;
	struct fc_tap *next;
};

/* next outlives it. What next cannot do (NULL), it cannot do either. */
void fc_pass_init(struct fc_pass *pass, struct fc_tap *next);

#endif
