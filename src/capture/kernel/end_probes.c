/* SPDX-License-Identifier: Apache-2.0 */
/* end_probes.c - one event of three functions, which a constant tells apart. */
#include "capture/kernel/end_probes.h"

#include <stddef.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/memory.h"

static const struct {
	const char *function, *argument;
	enum fc_end what;
} rows[] = {
	{ "do_group_exit", "$arg1", FC_END_OF_ALL },
	{ "do_exit", "$arg1", FC_END_OF_ONE },
	{ "taskstats_exit", "$arg2", FC_END_LAST },
};

int fc_end_probes_add(const struct fc_probe_event *event)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		fc_auto_free char *fetch = fc_asprintf(
			FC_END_PROBES_WHAT "=\\%d:s32 " FC_END_PROBES_VALUE "=%s:s32",
			rows[i].what, rows[i].argument);
		int err = fc_probe_event_add_entry(event, rows[i].function, fetch);
		if (!err)
			continue;
		/* Of one alone nothing follows. */
		if (i)
			fc_probe_event_remove(event);
		return err;
	}
	return fc_probe_event_turn_on(event);
}
