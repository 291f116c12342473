/* SPDX-License-Identifier: Apache-2.0 */
/* return_probes.c - definitions in kprobe_events: made, switched on, removed. */
#include "capture/kernel/return_probes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "capture/kernel/tracefile.h"

#define DEFINITIONS "kprobe_events"
#define MOST_ACTIVE 256 /* calls of a function whose results are waited for at a time */

static int switch_event(const char *folder, const char *group, bool is_on)
{
	fc_auto_free char *file =
		fc_asprintf("events/%s/" FC_RETURN_PROBES_EVENT "/enable", group);
	return fc_tracefile_write(folder, file, is_on ? "1" : "0");
}

static void undefine(const char *root, const char *group)
{
	fc_auto_free char *text = fc_asprintf("-:%s/" FC_RETURN_PROBES_EVENT, group);
	fc_tracefile_append(root, DEFINITIONS, text);
}

int fc_return_probes_add(const char *root, const char *folder, const char *group,
			 struct fc_kernel_funcs *funcs)
{
	size_t nr, nr_probes = 0;
	struct fc_kernel_func *all = fc_kernel_funcs_all(funcs, &nr);
	for (size_t i = 0; i < nr; i++) {
		if (!all[i].result_size)
			continue;
		fc_auto_free char *text =
			fc_asprintf("r%d:%s/" FC_RETURN_PROBES_EVENT
				    " %s " FC_RETURN_PROBES_RESULT "=$retval:u64\n",
				    MOST_ACTIVE, group, all[i].name);
		if (fc_tracefile_append(root, DEFINITIONS, text))
			all[i].result_size = 0; /* the kernel forbids probes there */
		else
			nr_probes++;
	}
	if (!nr_probes)
		return fc_fail(ENOENT, "the kernel probes none of the functions: %s",
			       fc_fail_text());
	int err = switch_event(folder, group, true);
	if (err)
		undefine(root, group);
	return err;
}

void fc_return_probes_remove(const char *root, const char *folder, const char *group)
{
	switch_event(folder, group, false);
	undefine(root, group);
}

void fc_return_probes_clean(const char *root, bool (*is_left)(const char *group))
{
	size_t size;
	fc_auto_free char *text = fc_tracefile_read(root, DEFINITIONS, &size);
	fc_auto_free char *last = fc_strdup("");
	char *rest = NULL, *line = text ? strtok_r(text, "\n", &rest) : NULL;
	for (; line; line = strtok_r(NULL, "\n", &rest)) {
		char *group = strchr(line, ':'), *end = group ? strchr(group, '/') : NULL;
		if (!end)
			continue;
		*end = 0;
		group++;
		if (!strcmp(group, last) || !is_left(group))
			continue;
		free(last);
		last = fc_strdup(group);
		undefine(root, group);
	}
}
