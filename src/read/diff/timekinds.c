/* SPDX-License-Identifier: Apache-2.0 */
/* timekinds.c - recognizes functions that wait, end a process, or belong to the loader. */
#include "read/diff/timekinds.h"

#include <string.h>

#include "calls/waits.h"

static bool is_loader(const char *module)
{
	return !strncmp(module, "ld-linux", 8) || !strncmp(module, "ld-musl", 7) ||
	       !strncmp(module, "ld.so", 5);
}

enum fc_kind_of_time fc_kind_of_time(struct fc_name name)
{
	if (is_loader(name.module))
		return FC_TIME_LOADER;
	if (*name.module == '[') /* the kernel's */
		return FC_TIME_WORK;
	switch (fc_wait_of(name)) {
	case FC_WAIT_NONE:
	case FC_WAIT_EXIT:
		return FC_TIME_WORK;
	case FC_WAIT_TIMER:
		return FC_TIME_SLEEP;
	case FC_WAIT_END:
		return FC_TIME_JOIN;
	default:
		return FC_TIME_WAIT;
	}
}
