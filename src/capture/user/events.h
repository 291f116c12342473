/* SPDX-License-Identifier: Apache-2.0 */
/* events.h - what ptrace tells of the targets is handled: births, execs, signals, stops, deaths. */
#ifndef FC_CAPTURE_USER_EVENTS_H
#define FC_CAPTURE_USER_EVENTS_H

#include "capture/user/session.h"

/* What births, execs and deaths are to a tracer. */
extern const struct fc_lives_does fc_events_lives;

/* Handle all that has happened to the targets. False: nothing is left to be waited for. */
bool fc_events_wait(struct fc_tracer *tracer);

#endif
