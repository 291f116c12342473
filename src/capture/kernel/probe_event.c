/* SPDX-License-Identifier: Apache-2.0 */
/* probe_event.c - definitions in kprobe_events: made, switched on, removed. */
#include "capture/kernel/probe_event.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "capture/kernel/tracefile.h"

#define DEFINITIONS "dynamic_events"
#define MOST_ACTIVE 256 /* calls of a function whose returns are waited for at a time */

static int turn(const struct fc_probe_event *event, bool is_on)
{
	fc_auto_free char *file = fc_asprintf("events/%s/%s/enable", event->group, event->name);
	return fc_tracefile_write(event->folder, file, is_on ? "1" : "0");
}

/* name: "GROUP/EVENT". */
static void undefine(const char *root, const char *name)
{
	fc_auto_free char *text = fc_asprintf("-:%s", name);
	fc_tracefile_append(root, DEFINITIONS, text);
}

int fc_probe_event_add_entry(const struct fc_probe_event *event, const char *function,
			     const char *fetch)
{
	fc_auto_free char *text =
		fc_asprintf("p:%s/%s %s %s\n", event->group, event->name, function, fetch);
	return fc_tracefile_append(event->root, DEFINITIONS, text);
}

int fc_probe_event_add_return(const struct fc_probe_event *event, const char *function,
			      const char *fetch)
{
	fc_auto_free char *text = fc_asprintf("r%d:%s/%s %s %s\n", MOST_ACTIVE, event->group,
					      event->name, function, fetch);
	return fc_tracefile_append(event->root, DEFINITIONS, text);
}

int fc_probe_event_add_returns(const struct fc_probe_event *event, const char *glob,
			       const char *fetch)
{
	fc_auto_free char *text =
		fc_asprintf("f:%s/%s %s%%return %s\n", event->group, event->name, glob, fetch);
	return fc_tracefile_append(event->root, DEFINITIONS, text);
}

int fc_probe_event_turn_on(const struct fc_probe_event *event)
{
	int err = turn(event, true);
	if (err)
		fc_probe_event_remove(event);
	return err;
}

void fc_probe_event_remove(const struct fc_probe_event *event)
{
	fc_auto_free char *name = fc_asprintf("%s/%s", event->group, event->name);
	turn(event, false);
	undefine(event->root, name);
}

/* "r256:fctrace_7_1/result vfs_read ret=$retval" becomes "fctrace_7_1/result"; NULL: it is another. */
static char *name_in(char *line, char *last)
{
	char *name = strchr(line, ':');
	if (!name || !strchr(name, '/'))
		return NULL;
	name[1 + strcspn(name + 1, " \t")] = '\0';
	return strcmp(++name, last) != 0 ? name : NULL;
}

void fc_probe_events_clean(const char *root, bool (*is_left)(const char *group))
{
	size_t size;
	fc_auto_free char *text = fc_tracefile_read(root, DEFINITIONS, &size);
	char *rest = NULL, *line = text ? strtok_r(text, "\n", &rest) : NULL, *last = "";
	for (; line; line = strtok_r(NULL, "\n", &rest)) {
		char *name = name_in(line, last);
		if (!name)
			continue;
		fc_auto_free char *group = fc_asprintf("%.*s", (int)strcspn(name, "/"), name);
		last = name;
		if (is_left(group))
			undefine(root, name);
	}
}
