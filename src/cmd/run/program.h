/* SPDX-License-Identifier: Apache-2.0 */
/* program.h - running the program under a backend, and ending as it ended. */
#ifndef FC_CMD_RUN_PROGRAM_H
#define FC_CMD_RUN_PROGRAM_H

#include "cmd/options/options.h"

/* Start the session's clock, and when -t asks for it learn how long a tick is. */
void fc_program_start_clock(const struct fc_settings *settings, struct fc_clock *clock);

/* The settings as options of a backend. */
struct fc_user_opts fc_program_opts(const struct fc_settings *settings);

/*
 * Run argv into the tap. True with its wait status in *wait_status; false: it could not be
 * run, which has been said, and *status is what to exit with.
 */
bool fc_program_run(const struct fc_settings *settings, char **argv, struct fc_tap *tap,
		    int *wait_status, int *status);

/* The same with opts that were changed. */
bool fc_program_run_as(const struct fc_settings *settings, const struct fc_user_opts *opts,
		       char **argv, struct fc_tap *tap, int *wait_status, int *status);

/* The exit status for an error of finding or starting a program. */
int fc_program_failure(int err);

/* The program's exit status; if a signal ended it, fctrace ends by the same and this does
 * not return. */
int fc_program_end(const struct fc_settings *settings, int wait_status);

#endif
