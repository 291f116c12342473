/* SPDX-License-Identifier: Apache-2.0 */
/* summed.h - the part of an exporter that lets another sink sum, and writes when all was told. */
#ifndef FC_SHOW_EXPORT_SUMMED_H
#define FC_SHOW_EXPORT_SUMMED_H

#include "show/export/format.h"

/* Begins with the exporter, whose end() and destroy() are the format's to fill in. */
struct fc_summed {
	struct fc_exporter exporter;
	char *note; /* what is to be said; NULL: nothing */
};

/* summing stays the caller's. */
void fc_summed_init(struct fc_summed *summed, struct fc_call_sink *summing);
void fc_summed_deinit(struct fc_summed *summed);

#endif
