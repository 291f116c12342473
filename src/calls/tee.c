/* SPDX-License-Identifier: Apache-2.0 */
/* tee.c - passes each call on to two sinks. */
#include "calls/tee.h"

#include <stddef.h>

static struct fc_tee *tee_of(struct fc_call_sink *sink)
{
	return (struct fc_tee *)((char *)sink - offsetof(struct fc_tee, sink));
}

static void tee_enter(struct fc_call_sink *sink, const struct fc_call *call)
{
	struct fc_tee *tee = tee_of(sink);
	tee->to[0]->enter(tee->to[0], call);
	tee->to[1]->enter(tee->to[1], call);
}

static void tee_leave(struct fc_call_sink *sink, const struct fc_call *call)
{
	struct fc_tee *tee = tee_of(sink);
	tee->to[0]->leave(tee->to[0], call);
	tee->to[1]->leave(tee->to[1], call);
}

static void tee_event(struct fc_call_sink *sink, const struct fc_event *event)
{
	struct fc_tee *tee = tee_of(sink);
	tee->to[0]->event(tee->to[0], event);
	tee->to[1]->event(tee->to[1], event);
}

static void tee_finish(struct fc_call_sink *sink)
{
	struct fc_tee *tee = tee_of(sink);
	tee->to[0]->finish(tee->to[0]);
	tee->to[1]->finish(tee->to[1]);
}

void fc_tee_init(struct fc_tee *tee, struct fc_call_sink *first, struct fc_call_sink *second)
{
	tee->sink = (struct fc_call_sink){
		.enter = tee_enter,
		.leave = tee_leave,
		.event = tee_event,
		.finish = tee_finish,
	};
	tee->to[0] = first;
	tee->to[1] = second;
}
