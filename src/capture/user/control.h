/* SPDX-License-Identifier: Apache-2.0 */
/*
 * control.h - how a running fctrace is talked to: a socket named after its process id, on which
 * a thread of its own listens. Only the same user and root are heard.
 *
 *   fctrace ctl --request--> control thread --SIGUSR1--> tracer
 *                <--answer--                <--answer--
 */
#ifndef FC_CAPTURE_USER_CONTROL_H
#define FC_CAPTURE_USER_CONTROL_H

#include <stdbool.h>

#include "capture/user/request.h"

struct fc_control;

/* The calling thread is the tracer: it gets SIGUSR1. -errno with a sentence. */
int fc_control_start(struct fc_control **ret);
/* Who waits for an answer is told that it is over. */
void fc_control_stop(struct fc_control *control);

/* The request that waits, or NULL; it is to be answered. */
const struct fc_request *fc_control_next(struct fc_control *control);
/* status: 0, or what `fctrace ctl` is to exit with. */
void fc_control_answer(struct fc_control *control, int status, const char *text);
/* It is done when is_done() says so, within a second: asked by the control thread. */
void fc_control_answer_when(struct fc_control *control, const char *text,
			    bool (*is_done)(void *ctx), void *ctx);

/*
 * The other side: ask the fctrace that is process controller. *status as above, *answer is
 * malloc()ed. is_own: only if it runs as this user. -errno with a sentence: it cannot be asked.
 */
int fc_control_ask(int controller, bool is_own, const char *bytes, size_t size, int *status,
		   char **answer);

#endif
