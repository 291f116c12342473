/* SPDX-License-Identifier: Apache-2.0 */
/* command.h - what a running session does when it is asked to, by `fctrace ctl`. */
#ifndef FC_CAPTURE_USER_COMMAND_H
#define FC_CAPTURE_USER_COMMAND_H

#include "capture/user/session.h"

/* Do what is asked, if anything is, and answer. */
void fc_command_serve(struct fc_tracer *tracer);

#endif
