/* SPDX-License-Identifier: Apache-2.0 */
/* foreground.h - the terminal that fctrace's session has, as a shell hands it from job to job. */
#ifndef FC_CAPTURE_TARGET_FOREGROUND_H
#define FC_CAPTURE_TARGET_FOREGROUND_H

#include <stdbool.h>

/* Is there one? */
bool fc_foreground_exists(void);
/* Is this process in its foreground process group? tcgetpgrp(3). */
bool fc_foreground_is_ours(void);
/* `stty tostop`: who writes in the background is stopped by SIGTTOU, unless it blocks that. */
bool fc_foreground_stops_others(void);

#endif
