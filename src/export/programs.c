/* SPDX-License-Identifier: Apache-2.0 */
#include "export/programs.h"

#include <stdlib.h>
#include <string.h>

static const char *path_of(struct fc_programs *programs, int pid)
{
	uint32_t place = fc_threads_make(&programs->by_pid, pid)->current;
	return place ? programs->paths.at[place - 1] : "";
}

static void set_path(struct fc_programs *programs, int pid, const char *path)
{
	fc_vec_push(&programs->paths, path);
	fc_threads_make(&programs->by_pid, pid)->current = (uint32_t)programs->paths.nr;
}

void fc_programs_init(struct fc_programs *programs, const struct fc_reader *reader)
{
	*programs = (struct fc_programs){ 0 };
	for (size_t i = 0; i < fc_reader_nr_lives(reader); i++) {
		const struct fc_life_info *life = fc_reader_life(reader, i);
		if (life->life == FC_LIFE_EXEC)
			set_path(programs, life->pid, life->text);
		else if (life->life == FC_LIFE_START)
			set_path(programs, life->pid, path_of(programs, life->other));
	}
}

void fc_programs_deinit(struct fc_programs *programs)
{
	fc_threads_deinit(&programs->by_pid);
	fc_vec_free(&programs->paths);
}

const char *fc_programs_of(struct fc_programs *programs, int pid)
{
	const char *path = path_of(programs, pid), *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}
