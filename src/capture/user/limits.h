/* SPDX-License-Identifier: Apache-2.0 */
/* limits.h - how much a target may map, when another process changes that. */
#ifndef FC_CAPTURE_USER_LIMITS_H
#define FC_CAPTURE_USER_LIMITS_H

#include "capture/user/session.h"

/* Tell the agents of those that may map less since the last look. */
void fc_limits_look(struct fc_tracer *tracer);

#endif
