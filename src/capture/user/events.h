/* SPDX-License-Identifier: Apache-2.0 */
/* events.h - what ptrace tells of the targets: births, execs, signals, stops, deaths. */
#ifndef FC_CAPTURE_USER_EVENTS_H
#define FC_CAPTURE_USER_EVENTS_H

#include "capture/user/session.h"

/* What births, execs and deaths are to a tracer. */
extern const struct fc_lives_does fc_events_lives;

/*
 * Learn what has happened to the targets: births, deaths and execs are known from then on, signals
 * are passed on. Programs that were executed stand still. False: nothing is left to be waited for.
 */
bool fc_events_take(struct fc_tracer *tracer);

/* The same, and those programs are hooked and run. Nothing is held, nobody waits for a thread. */
bool fc_events_serve(struct fc_tracer *tracer);

#endif
