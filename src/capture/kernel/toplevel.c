/* SPDX-License-Identifier: Apache-2.0 */
/* toplevel.c - the settings of tracefs itself: are they as the kernel starts with; kept, put back. */
#include "capture/kernel/toplevel.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "capture/kernel/tracefile.h"

static const char no_pid[] = "no pid";

/* What these begin with when nobody uses them. */
static const struct {
	const char *file, *text;
} unused[] = {
	{ "current_tracer", "nop\n" },
	{ "set_ftrace_pid", no_pid },
	{ "set_ftrace_filter", "#### all functions enabled" },
	{ "set_ftrace_notrace", "#### no functions disabled" },
	{ "set_graph_function", "#### all functions enabled" },
	{ "set_graph_notrace", "#### no functions disabled" },
	{ "max_graph_depth", "0\n" },
};

/* Empty when nobody uses them. */
static const char *const lists[] = { "set_event", "set_event_pid", "set_event_notrace_pid" };

static const char notrace[] = "set_ftrace_notrace_pid";

/* What these begin with when nobody uses them, where the kernel has them. */
static const struct {
	const char *file, *text;
} unused_if_there[] = {
	{ notrace, no_pid },
	{ FC_TOPLEVEL_TRIGGER, "# Available triggers" },
};

/* What a borrower changes, and the kernel has at its start. */
static const struct {
	const char *file, *text;
} reset[] = {
	{ "tracing_on", "0" },
	{ "current_tracer", "nop" },
	{ FC_TOPLEVEL_TRIGGER, "!stacktrace" }, /* before the events: it keeps its own on */
	{ "set_event", "" },
	{ "set_ftrace_pid", "" },
	{ "set_event_pid", "" },
	{ "set_ftrace_filter", "" },
	{ "set_graph_function", "" },
	{ "set_event_notrace_pid", "" },
	{ notrace, "" },
	{ "set_ftrace_notrace", "" },
	{ "options/function-fork", "0" },
	{ "options/event-fork", "0" },
	{ "trace", "" },
};

/* What may have been set otherwise before. */
static const char *const kept[] = { "trace_clock", "buffer_size_kb", "tracing_on" };

enum { NR_KEPT = sizeof(kept) / sizeof(kept[0]) };

/*
 * A setting of the keeper, which records nothing itself: 0 while the top level is borrowed. Before
 * that nothing was changed there, and what the keeper has is not all kept yet.
 */
static const char borrowed[] = "options/overwrite";

/*
 * The value of a setting: "local" of "[local] global", 1408 of "7 (expanded: 1408)", else its first
 * word. malloc()ed; NULL: it cannot be read.
 */
static char *value_of(const char *folder, const char *file)
{
	static const char expanded[] = "(expanded: ";
	size_t size;
	fc_auto_free char *text = fc_tracefile_read(folder, file, &size);
	if (!text)
		return NULL;
	char *chosen = strchr(text, '['), *later = strstr(text, expanded);
	char *at = chosen ? chosen + 1 : later ? later + strlen(expanded) : text;
	at[strcspn(at, "]) \n")] = 0;
	return fc_strdup(at);
}

static int fail_as_used(const char *root, const char *file)
{
	return fc_fail(EBUSY,
		       "somebody else traces the kernel, and this kernel lets only one use its "
		       "function_graph tracer: %s/%s is set",
		       root, file);
}

static int check_unused(const char *root)
{
	enum { ROOM = 4096 };
	char text[ROOM];
	for (size_t i = 0; i < sizeof(unused) / sizeof(unused[0]); i++) {
		fc_tracefile_read_begin(root, unused[i].file, text, ROOM);
		if (strncmp(text, unused[i].text, strlen(unused[i].text)))
			return fail_as_used(root, unused[i].file);
	}
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		fc_tracefile_read_begin(root, lists[i], text, ROOM);
		if (*text)
			return fail_as_used(root, lists[i]);
	}
	for (size_t i = 0; i < sizeof(unused_if_there) / sizeof(unused_if_there[0]); i++) {
		fc_tracefile_read_begin(root, unused_if_there[i].file, text, ROOM);
		if (*text && strncmp(text, unused_if_there[i].text,
				     strlen(unused_if_there[i].text)) != 0)
			return fail_as_used(root, unused_if_there[i].file);
	}
	fc_tracefile_read_begin(root, "trace", text, ROOM);
	if (strstr(text, "entries-in-buffer/entries-written") &&
	    !strstr(text, "entries-in-buffer/entries-written: 0/0 "))
		return fc_fail(
			EBUSY,
			"%s/trace has a trace that somebody made, which would be lost: save "
			"it, then empty that file",
			root);
	return 0;
}

int fc_toplevel_lock(const char *root, int *lock)
{
	fc_auto_free char *path = fc_asprintf("%s/current_tracer", root);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return fc_fail(errno, "cannot open %s: %s", path, strerror(errno));
	int err =
		flock(fd, LOCK_EX | LOCK_NB)
			? fc_fail(EBUSY, "another fctrace traces the kernel's functions: this "
					 "kernel lets only one do so")
			: check_unused(root);
	if (err)
		close(fd);
	else
		*lock = fd;
	return err;
}

int fc_toplevel_borrow(const char *root, const char *keeper)
{
	for (size_t i = 0; i < NR_KEPT; i++) {
		fc_auto_free char *value = value_of(root, kept[i]);
		int err = value ? fc_tracefile_write(keeper, kept[i], value)
				: fc_fail(EIO, "cannot read %s/%s", root, kept[i]);
		if (err)
			return err;
	}
	int err = fc_tracefile_write(keeper, borrowed, "0");
	return err ? err : fc_tracefile_write(root, "tracing_on", "0");
}

void fc_toplevel_give_back(const char *root, const char *keeper)
{
	char is_free[2];
	fc_tracefile_read_begin(keeper, borrowed, is_free, sizeof(is_free));
	if (strcmp(is_free, "0") != 0)
		return;
	for (size_t i = 0; i < sizeof(reset) / sizeof(reset[0]); i++)
		fc_tracefile_write(root, reset[i].file, reset[i].text);
	for (size_t i = 0; i < NR_KEPT; i++) {
		fc_auto_free char *value = value_of(keeper, kept[i]);
		if (value)
			fc_tracefile_write(root, kept[i], value);
	}
	fc_tracefile_write(keeper, borrowed, "1");
}
