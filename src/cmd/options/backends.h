/* SPDX-License-Identifier: Apache-2.0 */
/* backends.h - the table of backends. */
#ifndef FC_CMD_OPTIONS_BACKENDS_H
#define FC_CMD_OPTIONS_BACKENDS_H

#include "capture/backend.h"

/* By their names, for --backend. -EINVAL with a sentence that has them all: it is none. */
int fc_backend_find(const char *name, const struct fc_backend **ret);

/* The one that is used if nobody asks. */
const struct fc_backend *fc_backend_first(void);

#endif
