/* SPDX-License-Identifier: Apache-2.0 */
/* stacked.h - the part of an exporter that sums stacks, and writes when all was told. */
#ifndef FC_SHOW_EXPORT_STACKED_H
#define FC_SHOW_EXPORT_STACKED_H

#include "read/sums/stacks.h"
#include "show/export/summed.h"

/* Begins with the exporter, whose end() and destroy() are the format's to fill in. */
struct fc_stacked {
	struct fc_summed summed;
	struct fc_stacks *stacks;
};

void fc_stacked_init(struct fc_stacked *stacked, const struct fc_export_opts *opts);
void fc_stacked_deinit(struct fc_stacked *stacked);

/* All was told: if there was no room for some stacks, that will be said. */
void fc_stacked_note(struct fc_stacked *stacked);

#endif
