/* SPDX-License-Identifier: Apache-2.0 */
/* path_probes.c - a probe of whichever functions this kernel takes names of files by. */
#include "capture/kernel/path_probes.h"

#include <errno.h>
#include <stddef.h>

#include "base/fail.h"

/* As fs/namei.c has them from 6.1 to 7.2: all others call one of these, where the compiler left it... */
static const char *const innermost[] = { "do_getname", "getname_flags.part.0" };
/* ...or else each does so itself. */
static const char *const others[] = { "getname_flags", "getname", "getname_uflags" };

/*
 * The name is the first member, the program's pointer the second; where it is another (since Linux
 * 7.0), it is none of the system call's arguments.
 */
static const char fetch[] = FC_PATH_PROBES_STRUCT
	"=$retval:u64 " FC_PATH_PROBES_NAME "=+0(+0($retval)):string " FC_PATH_PROBES_POINTER
	"=+8($retval):u64";

/* How many of them can be probed. */
static size_t add(const struct fc_probe_event *event, const char *const *names, size_t nr)
{
	size_t nr_added = 0;
	for (size_t i = 0; i < nr; i++)
		nr_added += !fc_probe_event_add_return(event, names[i], fetch);
	return nr_added;
}

int fc_path_probes_add(const struct fc_probe_event *event)
{
	if (!add(event, innermost, sizeof(innermost) / sizeof(innermost[0])) &&
	    !add(event, others, sizeof(others) / sizeof(others[0])))
		return fc_fail(ENOENT, "the kernel cannot be probed where it takes them: %s",
			       fc_fail_text());
	return fc_probe_event_turn_on(event);
}
