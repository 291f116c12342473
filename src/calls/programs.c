/* SPDX-License-Identifier: Apache-2.0 */
/* programs.c - follows exec and fork to know which program runs in each process. */
#include "calls/programs.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/path.h"

#define NAMES_MAX 1024 /* more are not known: names are compared one by one */

void fc_programs_deinit(struct fc_programs *programs)
{
	fc_vec_each (&programs->names, name)
		free(*name);
	fc_vec_free(&programs->names);
	fc_pairs_deinit(&programs->pids);
	fc_vec_free(&programs->of_pid);
}

static uint32_t number_of(struct fc_programs *programs, const char *path)
{
	const char *name = fc_base_name(path);

	for (size_t i = 0; i < programs->names.nr; i++) {
		if (!strcmp(programs->names.at[i], name))
			return (uint32_t)i + 1;
	}
	if (!*name || programs->names.nr >= NAMES_MAX)
		return 0;
	fc_vec_push(&programs->names, fc_strdup(name));
	return (uint32_t)programs->names.nr;
}

static void set(struct fc_programs *programs, int pid, uint32_t number)
{
	uint64_t pair = fc_pair((uint32_t)pid, 0);
	uint32_t at = fc_pairs_find(&programs->pids, pair);

	if (!at) {
		at = fc_pairs_add(&programs->pids, pair);
		fc_vec_push(&programs->of_pid, 0);
	}
	programs->of_pid.at[at - 1] = number;
}

void fc_programs_life(struct fc_programs *programs, const struct fc_life_info *life)
{
	if (life->life == FC_LIFE_EXEC)
		set(programs, life->pid, number_of(programs, life->text));
	else if (life->life == FC_LIFE_START)
		set(programs, life->pid, fc_programs_of(programs, life->other));
}

uint32_t fc_programs_of(const struct fc_programs *programs, int pid)
{
	uint32_t at = fc_pairs_find(&programs->pids, fc_pair((uint32_t)pid, 0));

	return at ? programs->of_pid.at[at - 1] : 0;
}

const char *fc_programs_name(const struct fc_programs *programs, uint32_t number)
{
	return number ? programs->names.at[number - 1] : "process";
}
