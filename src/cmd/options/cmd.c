/* SPDX-License-Identifier: Apache-2.0 */
/* cmd.c - holds the list of commands. */
#include "cmd/options/cmd.h"

#include <string.h>

static const struct fc_cmd *const *all;
static size_t nr_all;
static const struct fc_cmd *nameless;

void fc_cmd_set(const struct fc_cmd *const *cmds, size_t nr, const struct fc_cmd *without_name)
{
	all = cmds;
	nr_all = nr;
	nameless = without_name;
}

const struct fc_cmd *fc_cmd_at(size_t i)
{
	return i < nr_all ? all[i] : NULL;
}

const struct fc_cmd *fc_cmd_sibling(const struct fc_cmd *cmd)
{
	if (!cmd->sibling || !*cmd->sibling)
		return cmd->sibling ? nameless : NULL;
	for (size_t i = 0; i < nr_all; i++)
		if (!strcmp(all[i]->name, cmd->sibling))
			return all[i];
	return NULL;
}
