/* SPDX-License-Identifier: Apache-2.0 */
/* lock_names.c - finds the file that was mapped at an address, and asks its symbols. */
#include "cmd/view/lock_names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "base/path.h"
#include "base/vec.h"
#include "cmd/out/say.h"
#include "elf/variables.h"

struct file {
	struct fc_variables *variables; /* NULL: not known */
	bool is_opened;
};

struct fc_lock_names {
	const struct fc_reader *reader;
	struct file *files; /* by module */
	size_t nr_files;
	FC_VEC(char *) wrong; /* sentences */
};

struct fc_lock_names *fc_lock_names_create(const struct fc_reader *reader)
{
	struct fc_lock_names *names = fc_alloc(sizeof(*names));

	names->reader = reader;
	names->nr_files = fc_reader_nr_modules(reader);
	names->files = fc_alloc((names->nr_files + 1) * sizeof(*names->files));
	return names;
}

void fc_lock_names_destroy(struct fc_lock_names *names)
{
	if (!names)
		return;
	fc_vec_each (&names->wrong, sentence) {
		fc_say("no names of variables of %s", *sentence);
		free(*sentence);
	}
	fc_vec_free(&names->wrong);
	for (size_t i = 0; i < names->nr_files; i++)
		fc_variables_close(names->files[i].variables);
	free(names->files);
	free(names);
}

static const struct fc_variables *variables_of(struct fc_lock_names *names, size_t module)
{
	struct file *file = &names->files[module];
	const struct fc_module_info *info = fc_reader_module(names->reader, module);

	if (file->is_opened)
		return file->variables;
	file->is_opened = true;
	if (info->path[0] != '/' ||
	    !fc_variables_open(info->path, info->build_id, &file->variables))
		return file->variables;
	fc_vec_push(&names->wrong, fc_strdup(fc_fail_text()));
	fc_fail_clear();
	return NULL;
}

/* A process for some time, in which it had the same memory. */
struct span {
	int pid, parent; /* 0: not known, or another program's */
	uint64_t from_tsc, to_tsc;
};

/* That with tsc in it. */
static struct span span_of(const struct fc_reader *reader, int pid, uint64_t tsc)
{
	struct span span = { .pid = pid, .to_tsc = UINT64_MAX };

	for (size_t i = 0; i < fc_reader_nr_lives(reader); i++) {
		const struct fc_life_info *life = fc_reader_life(reader, i);
		bool is_start = life->life == FC_LIFE_START;
		if (life->pid != pid || (life->life != FC_LIFE_EXEC && !is_start))
			continue;
		if (life->tsc > tsc) {
			span.to_tsc = life->tsc;
			return span;
		}
		span.from_tsc = life->tsc;
		span.parent = is_start ? life->other : 0;
	}
	return span;
}

static bool is_better(const struct fc_map_info *map, const struct fc_map_info *found,
		      const struct span *span, uint64_t address)
{
	return map->pid == span->pid && map->taddr <= address && map->tsc >= span->from_tsc &&
	       map->tsc < span->to_tsc && (!found || map->taddr >= found->taddr);
}

/*
 * The last file that was mapped at or below the address, in the process or in those that it was forked
 * from before they did; NULL: none was. Files do not overlap.
 */
static const struct fc_map_info *find_map(const struct fc_reader *reader,
					  const struct fc_lock *lock)
{
	enum { MAX_FORKS = 64 };
	struct span span = span_of(reader, lock->pid, lock->first_tsc);
	const struct fc_map_info *found = NULL;

	for (int forks = 0; forks < MAX_FORKS; forks++) {
		for (size_t i = 0; i < fc_reader_nr_maps(reader); i++) {
			const struct fc_map_info *map = fc_reader_map(reader, i);
			if (is_better(map, found, &span, lock->address))
				found = map;
		}
		if (!span.parent)
			break;
		uint64_t forked_tsc = span.from_tsc;
		span = span_of(reader, span.parent, forked_tsc);
		span.to_tsc = forked_tsc;
	}
	return found;
}

static char *name_in(const struct fc_variables *variables, uint64_t vaddr, const char *module)
{
	const char *name;
	uint64_t offset;

	if (!fc_variables_find(variables, vaddr, &name, &offset))
		return fc_asprintf("%s+0x%" PRIx64, module, vaddr);
	return offset ? fc_asprintf("%s+0x%" PRIx64, name, offset) : fc_strdup(name);
}

char *fc_lock_names_find(struct fc_lock_names *names, const struct fc_lock *lock,
			 const char **module)
{
	const struct fc_map_info *map = find_map(names->reader, lock);

	*module = NULL;
	if (!map || !map->module_id || map->module_id > names->nr_files)
		return NULL;
	const struct fc_variables *variables = variables_of(names, map->module_id - 1);
	uint64_t vaddr = lock->address - map->taddr;
	if (!variables || !fc_variables_has(variables, vaddr))
		return NULL;
	*module = fc_base_name(fc_reader_module(names->reader, map->module_id - 1)->path);
	return name_in(variables, vaddr, *module);
}
