/* SPDX-License-Identifier: Apache-2.0 */
/* groups.c - splits the arguments of diff into two groups, and expands patterns. */
#include "read/diff/groups.h"

#include <errno.h>
#include <glob.h>
#include <string.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/memory.h"
#include "base/vec.h"

#define BETWEEN "vs"

static int add_matches(struct fc_group_of_traces *group, const char *pattern)
{
	glob_t found = { 0 };
	int err = glob(pattern, 0, NULL, &found);

	for (size_t i = 0; !err && i < found.gl_pathc; i++)
		fc_vec_push(group, fc_strdup(found.gl_pathv[i]));
	globfree(&found);
	return err ? fc_fail(ENOENT, "%s: no file matches this pattern", pattern) : 0;
}

static int add_word(struct fc_group_of_traces *group, const char *word)
{
	if (strpbrk(word, "*?[") && access(word, F_OK))
		return add_matches(group, word);
	fc_vec_push(group, fc_strdup(word));
	return 0;
}

static int add_words(struct fc_group_of_traces *group, int nr, char **words)
{
	int err = 0;

	for (int i = 0; !err && i < nr; i++)
		err = add_word(group, words[i]);
	return err;
}

int fc_groups_parse(int argc, char **argv, struct fc_group_of_traces ret[2])
{
	int nr_before = argc == 2 ? 1 : 0, nr_between = 0;

	for (int i = 0; i < argc; i++) {
		if (strcmp(argv[i], BETWEEN) != 0)
			continue;
		nr_before = i;
		nr_between++;
	}
	if (nr_between > 1 || !nr_before || nr_before + nr_between == argc)
		return fc_fail(EINVAL,
			       "%d traces: which are compared with which? Put vs "
			       "between them: fctrace diff a1 a2 vs b1 b2",
			       argc - nr_between);
	return add_words(&ret[0], nr_before, argv)
		       ?: add_words(&ret[1], argc - nr_before - nr_between,
				    argv + nr_before + nr_between);
}

void fc_groups_deinit(struct fc_group_of_traces groups[2])
{
	for (int side = 0; side < 2; side++) {
		fc_vec_each (&groups[side], path)
			free(*path);
		fc_vec_free(&groups[side]);
	}
}
