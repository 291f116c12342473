/* SPDX-License-Identifier: Apache-2.0 */
/*
 * groups.h - which traces are compared with which: two groups of them, as they are typed.
 *
 *	a.data b.data			one trace each
 *	'a*.data' 'b*.data'		a pattern stands for all files that match, unless there is a
 *					file of that very name
 *	a1.data a2.data vs b1.data	"vs" stands between two groups
 */
#ifndef FC_READ_DIFF_GROUPS_H
#define FC_READ_DIFF_GROUPS_H

#include <stddef.h>

struct fc_group_of_traces {
	char **at; /* paths */
	size_t nr, room;
};

/*
 * -EINVAL with a sentence: it is not clear which are compared. -ENOENT with a sentence: nothing
 * matches a pattern. Whether the files exist is not looked at.
 */
int fc_groups_parse(int argc, char **argv, struct fc_group_of_traces ret[2]);
void fc_groups_deinit(struct fc_group_of_traces groups[2]);

#endif
