/* SPDX-License-Identifier: Apache-2.0 */
/* mail.h - letters to the controller, each of which is answered. */
#ifndef FC_CAPTURE_AGENT_BASE_MAIL_H
#define FC_CAPTURE_AGENT_BASE_MAIL_H

#include <stdint.h>

#include "capture/agent/abi.h"

/* A forked child's: what its parent's threads were about to say is not its own. Signals are blocked. */
void mail_forget(void);
/*
 * Tell the controller what has happened, and serve it until it is done with that. Returns without having told it
 * where nobody would answer, or where it does not begin to. Not in quiet.
 */
void mail_send(struct fca_arena *arena, enum fca_letter what, uint64_t arg, uint64_t more);

#endif
