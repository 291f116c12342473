/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_dump.c - fctrace dump: write what a flight recorder holds, while it goes on. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/vec.h"
#include "capture/hook/salvage.h"
#include "capture/user/user.h"
#include "cmd/options/cmd.h"
#include "cmd/options/options.h"
#include "cmd/out/say.h"
#include "cmd/run/blackbox.h"
#include "cmd/view/reading.h"

/* The words of the program, as it was started. */
struct words {
	FC_VEC(char *) list;
};

static void read_words(int pid, struct words *ret)
{
	fc_auto_free char *path = fc_asprintf("/proc/%d/cmdline", pid);
	fc_auto_fclose FILE *f = fopen(path, "re");
	size_t room = 0;
	*ret = (struct words){ 0 };
	while (f) {
		char *word = NULL;
		if (getdelim(&word, &room, 0, f) < 0) {
			free(word);
			break;
		}
		fc_vec_push(&ret->list, word);
		room = 0;
	}
}

/*
 * A clock that began with the first record: how fast it runs is seen in a moment, and counted
 * back from now.
 */
static struct fc_clock clock_since(uint64_t first_tsc)
{
	enum { MOMENT_MS = 100 };
	struct fc_clock clock;
	fc_clock_start(&clock);
	nanosleep(&(struct timespec){ .tv_nsec = MOMENT_MS * 1000 * 1000 }, NULL);
	fc_clock_calibrate(&clock);
	if (!first_tsc || first_tsc > clock.tsc0)
		return clock;
	uint64_t ago_ns = fc_clock_duration_ns(&clock, clock.tsc0 - first_tsc);
	clock.tsc0 = first_tsc;
	clock.mono0_ns -= ago_ns;
	clock.real0_ns -= ago_ns;
	return clock;
}

/*
 * Where the fctrace that records writes its own dumps; NULL: there is none any more. Of another user's
 * no word is taken: it could name any file that this one may write.
 */
static char *ask_path(int pid)
{
	static const char words[] = "file"; /* with its zero byte */
	char *answer = NULL;
	int status = 0;

	if (!fc_user_ask_own(pid, words, sizeof(words), &status, &answer) && !status)
		return answer;
	fc_fail_clear();
	free(answer);
	return NULL;
}

static int dump(const struct fc_settings *settings, int pid)
{
	fc_auto_free char *asked = settings->output ? NULL : ask_path(pid);
	const char *path = settings->output ? settings->output
			   : asked	    ? asked
					    : FC_DEFAULT_TRACE;
	fc_auto_free char *why = fc_asprintf("fctrace dump %d", pid);
	struct fc_salvage *salvage;
	struct fc_blackbox *box;

	if (fc_salvage_open(pid, &salvage)) {
		fc_say("%s", fc_fail_text());
		return FC_STATUS_NO;
	}
	struct words words;
	read_words(pid, &words);
	struct fc_session session = {
		.argc = (int)words.list.nr,
		.argv = words.list.at,
		.options = why,
		.clock = clock_since(fc_salvage_first_tsc(salvage)),
	};
	int err = fc_blackbox_create(settings, &session, path, &box);
	if (err) {
		fc_say("%s", fc_fail_text());
	} else {
		fc_salvage_dump(salvage, why, fc_blackbox_tap(box)); /* which says it */
		err = fc_blackbox_has_failed(box);
		fc_blackbox_destroy(box);
	}
	fc_vec_each (&words.list, word)
		free(*word);
	fc_vec_free(&words.list);
	fc_salvage_close(salvage);
	return err ? FC_STATUS_FAILED : FC_STATUS_OK;
}

static int run_dump(const struct fc_settings *settings, int argc, char **argv)
{
	if (argc != 1) {
		fc_say("%s see fctrace dump --help",
		       argc ? "one process at a time;" : "which process?");
		return FC_STATUS_USAGE;
	}
	int pid = 0;
	if (fc_pid_parse(argv[0], &pid)) {
		fc_say("%s", fc_fail_text());
		return FC_STATUS_USAGE;
	}
	return dump(settings, pid);
}

static const struct fc_option *const options[] = {
	FC_OPTION('o', NULL, "FILE",
		  "write the trace to FILE (default: the file that was given to record, or "
		  "fctrace.data)",
		  FC_FILE(output)),
	FC_OPTIONS_CALLS,
	&fc_option_help,
	NULL,
};

const struct fc_cmd fc_cmd_dump = {
	.name = "dump",
	.usage = "[OPTIONS] PID",
	.summary = "write what record --loss=ring keeps of a process",
	.options = options,
	.notes = "Exit status: 0; 1 nothing is kept of it (stderr says why), 2 wrong usage,\n"
		 "125 the trace could not be written.\n",
	.run = run_dump,
};
