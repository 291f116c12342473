/* SPDX-License-Identifier: Apache-2.0 */
/* summed.c - begins an exporter whose calls go to a sink that sums them. */
#include "show/export/summed.h"

#include <stdlib.h>

static const char *summed_note(const struct fc_exporter *exporter)
{
	return ((const struct fc_summed *)exporter)->note;
}

void fc_summed_init(struct fc_summed *summed, struct fc_call_sink *summing)
{
	*summed = (struct fc_summed){ .exporter = { .summing = summing, .note = summed_note } };
}

void fc_summed_deinit(struct fc_summed *summed)
{
	free(summed->note);
}
