/* SPDX-License-Identifier: Apache-2.0 */
/* recording.h - a program that is run, with its calls written to a trace. */
#ifndef FC_CMD_RUN_RECORDING_H
#define FC_CMD_RUN_RECORDING_H

#include "cmd/options/options.h"
#include "trace/writer.h"

struct fc_recording {
	const char *path; /* of -o, or the default */
	struct fc_writer_sums sums;
	int wait_status; /* of the program, as wait() has it */
};

/* fctrace's own options as one string: the words before the program. The caller frees it. */
char *fc_recording_typed(const struct fc_settings *settings, char **argv);

/*
 * Run argv, or attach to what -p names, until it is over. What was lost is said. False: there is no
 * trace; it has been said why, and *status is what to exit with.
 */
bool fc_recording_make(const struct fc_settings *settings, char **argv,
		       struct fc_recording *ret, int *status);

#endif
