/* SPDX-License-Identifier: Apache-2.0 */
/*
 * letters.h - what agents ask of the controller: to hook what was loaded, to let go, to dump.
 *
 * A process may write what it likes, to its own desks (struct fca_desk): each letter is copied
 * once, and what it says of processes and threads holds only where the kernel says the same.
 */
#ifndef FC_CAPTURE_USER_LETTERS_H
#define FC_CAPTURE_USER_LETTERS_H

#include "capture/user/session.h"

/* Serve all that were written. Targets' events are handled meanwhile. */
void fc_letters_serve(struct fc_tracer *tracer);

#endif
