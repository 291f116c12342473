/* SPDX-License-Identifier: Apache-2.0 */
/* pids.c - parses -p, and looks for processes by name. */
#include "cmd/options/pids.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "capture/target/namesakes.h"
#include "cmd/options/parse.h"
#include "cmd/out/say.h"

static bool is_listed(const struct fc_settings *settings, int pid)
{
	for (size_t i = 0; i < settings->nr_pids; i++)
		if (settings->pids[i] == pid)
			return true;
	return false;
}

static void add(struct fc_settings *settings, int pid)
{
	if (is_listed(settings, pid))
		return;
	settings->pids =
		fc_realloc(settings->pids, (settings->nr_pids + 1) * sizeof(*settings->pids));
	settings->pids[settings->nr_pids++] = pid;
}

static bool is_name(const char *word)
{
	return *word && word[strspn(word, "0123456789+-.")] != 0;
}

/* The processes that -p could name: those that use the CPU, or all. */
static char *worth_naming(const struct fc_namesakes *namesakes)
{
	char *ret = NULL;
	size_t nr_working = 0;

	fc_vec_each (&namesakes->list, one)
		nr_working += !one->is_waiting;
	fc_vec_each (&namesakes->list, one)
		if (!nr_working || !one->is_waiting)
			fc_append(&ret, "%s%d", ret ? "," : "", one->pid);
	return ret;
}

/* More than a screen of them helps nobody. */
enum { MOST_LISTED = 20 };

/* before: what stands before ids on the command line. */
static int fail_ambiguous(const char *name, const struct fc_namesakes *namesakes,
			  const char *before)
{
	size_t nr = namesakes->list.nr;
	fc_auto_free char *pids = worth_naming(namesakes);

	for (size_t i = 0; i < nr && i < MOST_LISTED; i++) {
		const struct fc_namesake *one = &namesakes->list.at[i];
		fc_say("%8d  %s%s", one->pid, one->command,
		       one->is_waiting ? "  (only waits for its children)" : "");
	}
	if (nr > MOST_LISTED)
		return fc_fail(EINVAL,
			       "%s: %zu processes have this name (%d of them above): choose by "
			       "id, as in %s%d",
			       name, nr, MOST_LISTED, before, namesakes->list.at[0].pid);
	return fc_fail(EINVAL, "%s: %zu processes have this name: choose by id, as in %s%s",
		       name, nr, before, pids);
}

static int find_named(const char *name, const char *before, int *ret)
{
	struct fc_namesakes namesakes;
	int err = 0;

	fc_namesakes_find(name, &namesakes);
	if (namesakes.list.nr == 1)
		*ret = namesakes.list.at[0].pid;
	else if (namesakes.list.nr)
		err = fail_ambiguous(name, &namesakes, before);
	else
		err = fc_fail(
			EINVAL,
			"%s: neither a process id nor the name of a process that runs; ps "
			"-e lists both",
			name);
	fc_namesakes_deinit(&namesakes);
	return err;
}

static int find_pid(const char *word, const char *before, int *ret)
{
	unsigned long n = 0;
	if (is_name(word))
		return find_named(word, before, ret);
	int err = fc_parse_number(word, INT_MAX, "a process id", &n);
	*ret = (int)n;
	return err;
}

int fc_pid_parse(const char *word, int *ret)
{
	return find_pid(word, "", ret);
}

static int add_pid(struct fc_settings *settings, const char *word)
{
	int pid = 0, err = find_pid(word, "-p ", &pid);
	if (!err)
		add(settings, pid);
	return err;
}

/*
 * One process or several: 12,34, or "12 34" as pidof prints them. One that is named twice is traced
 * once.
 */
static int set_pids(struct fc_settings *settings, const char *arg)
{
	static const char blanks[] = " \t\n";
	fc_auto_free char *words = fc_strdup(arg);
	char *word = words + strspn(words, blanks), *end;
	int err = 0;
	do {
		size_t len = strcspn(word, ", \t\n");
		end = word + len;
		bool is_last = !end[strspn(end, blanks)];
		end += strspn(end, blanks);
		end += *end == ',';
		end += strspn(end, blanks);
		word[len] = 0;
		err = add_pid(settings, word);
		word = is_last ? NULL : end;
	} while (!err && word);
	return err;
}

const struct fc_option fc_option_pids = {
	'p', NULL, "PID[,PID]",
	"instead of a program: trace processes that run, by id or by name, until Ctrl-C",
	set_pids
};
