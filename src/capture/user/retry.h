/* SPDX-License-Identifier: Apache-2.0 */
/* retry.h - functions that could not be hooked when they were met (late.h) are tried again. */
#ifndef FC_CAPTURE_USER_RETRY_H
#define FC_CAPTURE_USER_RETRY_H

#include "capture/user/session.h"

/* All threads are held meanwhile. */
void fc_retry_late(struct fc_tracer *tracer);

/* It is over: name those that were not hooked. */
void fc_retry_say(struct fc_tracer *tracer);

#endif
