/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_detach.c - fctrace detach: nothing of fctrace stays in a process. */
#include "base/fail.h"
#include "capture/user/user.h"
#include "cmd/options/cmd.h"
#include "cmd/options/options.h"
#include "cmd/out/say.h"

static void say(void *ctx, const char *sentence)
{
	fc_say("%s", sentence);
}

static int run_detach(const struct fc_settings *settings, int argc, char **argv)
{
	struct fc_user_opts opts = { .say = say };
	int status = FC_STATUS_OK;

	if (!argc) {
		fc_say("which process? see fctrace detach --help");
		return FC_STATUS_USAGE;
	}
	for (int i = 0; i < argc; i++) {
		int pid = 0;

		if (fc_pid_parse(argv[i], &pid)) {
			fc_say("%s", fc_fail_text());
			return FC_STATUS_USAGE;
		}
		if (fc_user_detach(&opts, pid)) {
			fc_say("%s", fc_fail_text());
			status = 1;
		}
	}
	return status;
}

static const struct fc_option *const options[] = { &fc_option_help, NULL };

const struct fc_cmd fc_cmd_detach = {
	.name = "detach",
	.usage = "PID...",
	.summary = "let go of processes, or tidy up after an fctrace that was killed",
	.options = options,
	.notes = "Exit status: 0; 1 nothing of fctrace is in it, or it could not be removed\n"
		 "(stderr says why), 2 wrong usage.\n",
	.run = run_detach,
};
