/* SPDX-License-Identifier: Apache-2.0 */
#include "export/program.h"

#include <string.h>

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* Lives are in order of time: backwards, a parent's are before those of its child. */
const char *fc_program_of(const struct fc_reader *reader, int pid, uint64_t tsc)
{
	for (size_t i = fc_reader_nr_lives(reader); i-- > 0;) {
		const struct fc_life_info *life = fc_reader_life(reader, i);
		if (life->tsc > tsc || life->pid != pid)
			continue;
		if (life->life == FC_LIFE_EXEC && life->text && *life->text)
			return base_name(life->text);
		if (life->life == FC_LIFE_START && life->other)
			pid = life->other;
		else if (life->life == FC_LIFE_START)
			break;
	}
	return fc_reader_argc(reader) ? base_name(fc_reader_arg(reader, 0)) : "";
}
