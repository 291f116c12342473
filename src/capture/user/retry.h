/* SPDX-License-Identifier: Apache-2.0 */
/* retry.h - functions that could not be hooked when they were met are tried again. */
#ifndef FC_CAPTURE_USER_RETRY_H
#define FC_CAPTURE_USER_RETRY_H

#include "capture/user/session.h"

/* When to try again, by the monotonic clock; UINT64_MAX: none is left. */
uint64_t fc_retry_next_ns(const struct fc_tracer *tracer);
/* A function that is unhooked is to be tried. */
void fc_retry_add(struct fc_tracer *tracer, uint32_t func);
/* All threads are held meanwhile. */
void fc_retry_late(struct fc_tracer *tracer);

/* It is over: name those that were not hooked. */
void fc_retry_say(struct fc_tracer *tracer);

#endif
