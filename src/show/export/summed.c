/* SPDX-License-Identifier: Apache-2.0 */
#include "show/export/summed.h"

#include <stdlib.h>

static struct fc_call_sink *inner_of(struct fc_call_sink *sink)
{
	return ((struct fc_summed *)sink)->inner;
}

static void summed_enter(struct fc_call_sink *sink, const struct fc_call *call)
{
	inner_of(sink)->enter(inner_of(sink), call);
}

static void summed_leave(struct fc_call_sink *sink, const struct fc_call *call)
{
	inner_of(sink)->leave(inner_of(sink), call);
}

static void summed_event(struct fc_call_sink *sink, const struct fc_event *event)
{
	inner_of(sink)->event(inner_of(sink), event);
}

static void summed_finish(struct fc_call_sink *sink)
{
	inner_of(sink)->finish(inner_of(sink));
}

static const char *summed_note(const struct fc_exporter *exporter)
{
	return ((const struct fc_summed *)exporter)->note;
}

void fc_summed_init(struct fc_summed *summed, struct fc_call_sink *inner)
{
	*summed = (struct fc_summed){
		.exporter = {
			.sink = { summed_enter, summed_leave, summed_event, summed_finish },
			.note = summed_note,
		},
		.inner = inner,
	};
}

void fc_summed_deinit(struct fc_summed *summed)
{
	free(summed->note);
}
