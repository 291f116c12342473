/* SPDX-License-Identifier: Apache-2.0 */
/* graph_filter.c - names in set_graph_function, added and taken back one by one: others' stay. */
#include "capture/kernel/graph_filter.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "capture/kernel/function_graph.h"
#include "capture/kernel/tracefile.h"

static const char noted[] = "set_ftrace_filter"; /* of a keeper, which traces nothing itself */

/* ---- others ---- */

/* Those that begin with "w" or "irq" can show graphs, too. */
static bool has_graphs(const char *folder)
{
	static const char *const without[] = { "", "nop", "function" };
	char tracer[64];
	fc_tracefile_read_line(folder, "current_tracer", tracer, sizeof(tracer));
	for (size_t i = 0; i < sizeof(without) / sizeof(without[0]); i++)
		if (!strcmp(tracer, without[i]))
			return false;
	return true;
}

/* take() returns false to go on; false if it never returned true. */
static bool any_instance(const char *root,
			 bool (*take)(const char *root, const char *folder, const char *own),
			 const char *own)
{
	bool ret = false;
	fc_auto_free char *path = fc_asprintf("%s/instances", root);
	DIR *dir = opendir(path);
	for (struct dirent *entry; !ret && dir && (entry = readdir(dir));) {
		fc_auto_free char *folder = fc_asprintf("%s/%s", path, entry->d_name);
		ret = *entry->d_name != '.' && take(root, folder, own);
	}
	if (dir)
		closedir(dir);
	return ret;
}

static bool is_another_with_graphs(const char *root, const char *folder, const char *own)
{
	(void)root;
	return strcmp(folder, own) != 0 && has_graphs(folder);
}

bool fc_graph_filter_is_in_the_way(const char *root, const char *instance)
{
	return has_graphs(root) || any_instance(root, is_another_with_graphs, instance);
}

/* ---- taken back ---- */

void fc_graph_filter_take_back(const char *root, const char *keeper)
{
	size_t size;
	char *rest = NULL;
	fc_auto_free char *text = fc_tracefile_read(keeper, noted, &size);
	char *line = text ? strtok_r(text, "\n", &rest) : NULL;
	for (; line; line = strtok_r(NULL, "\n", &rest)) {
		if (*line == '#') /* none */
			continue;
		fc_auto_free char *name = fc_asprintf("!%.*s", (int)strcspn(line, " \t"), line);
		fc_tracefile_append(root, FC_FUNCTION_GRAPH_STARTS, name);
	}
}

static bool take_back_if_keeper(const char *root, const char *folder, const char *own)
{
	size_t size = strlen(folder), end = strlen(FC_GRAPH_FILTER_SUFFIX);
	(void)own;
	if (size > end && !strcmp(folder + size - end, FC_GRAPH_FILTER_SUFFIX))
		fc_graph_filter_take_back(root, folder);
	return false;
}

void fc_graph_filters_take_back(const char *root)
{
	any_instance(root, take_back_if_keeper, NULL);
}

static char *keeper_of(const char *instance)
{
	return fc_asprintf("%s" FC_GRAPH_FILTER_SUFFIX, instance);
}

void fc_graph_filter_remove(const char *root, const char *instance)
{
	fc_auto_free char *keeper = keeper_of(instance);
	fc_graph_filter_take_back(root, keeper);
	rmdir(keeper);
}

/* ---- set ---- */

bool fc_graph_filter_set(const char *root, const char *instance, struct fc_kernel_funcs *funcs)
{
	fc_auto_free char *keeper = keeper_of(instance);
	if (fc_function_graph_limit(root) || fc_graph_filter_is_in_the_way(root, instance) ||
	    mkdir(keeper, 0700))
		return false;
	fc_tracefile_write(keeper, "buffer_size_kb", "1");
	/* Noted before it is done; and looked at once more, as somebody may have begun meanwhile. */
	if (fc_function_graph_list_starts(keeper, noted, funcs) &&
	    fc_function_graph_list_starts(root, FC_FUNCTION_GRAPH_STARTS, funcs) &&
	    !fc_graph_filter_is_in_the_way(root, instance))
		return true;
	fc_graph_filter_remove(root, instance);
	return false;
}
