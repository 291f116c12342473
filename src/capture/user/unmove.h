/* SPDX-License-Identifier: Apache-2.0 */
/* unmove.h - functions are unhooked whose moved instructions fault (moved.h). */
#ifndef FC_CAPTURE_USER_UNMOVE_H
#define FC_CAPTURE_USER_UNMOVE_H

#include "capture/user/session.h"

/* See to one of the threads that wait for that. False: there is none. */
bool fc_unmove_serve(struct fc_tracer *tracer);

#endif
