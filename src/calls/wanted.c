/* SPDX-License-Identifier: Apache-2.0 */
/* wanted.c - hands a filter from the thread that asks for it to the one that drains. */
#include "calls/wanted.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/memory.h"
#include "calls/names.h"

size_t fc_globs_nr(char *const *list)
{
	size_t nr = 0;
	while (list && list[nr])
		nr++;
	return nr;
}

void fc_globs_push(char ***list, const char *text)
{
	size_t nr = fc_globs_nr(*list);
	*list = fc_realloc(*list, (nr + 2) * sizeof(**list));
	(*list)[nr] = fc_strdup(text);
	(*list)[nr + 1] = NULL;
}

int fc_globs_add(char ***list, const char *glob)
{
	int err = fc_glob_check(glob);
	if (!err)
		fc_globs_push(list, glob);
	return err;
}

void fc_globs_free(char **list)
{
	for (size_t i = 0; list && list[i]; i++)
		free(list[i]);
	free(list);
}

void fc_filter_info_copy(struct fc_filter_info *to, const struct fc_filter_info *from)
{
	*to = (struct fc_filter_info){ .depth = from->depth, .min_ns = from->min_ns };
	for (char **glob = from->only; glob && *glob; glob++)
		fc_globs_push(&to->only, *glob);
	for (char **glob = from->except; glob && *glob; glob++)
		fc_globs_push(&to->except, *glob);
}

void fc_filter_info_deinit(struct fc_filter_info *info)
{
	fc_globs_free(info->only);
	fc_globs_free(info->except);
	*info = (struct fc_filter_info){ 0 };
}

/* A time in the largest unit that says it without a fraction. */
static void append_time(char **text, uint64_t ns)
{
	static const struct {
		uint64_t ns;
		const char *name;
	} units[] = { { 1000000000, "s" }, { 1000000, "ms" }, { 1000, "us" }, { 1, "ns" } };
	size_t i = 0;

	while (ns % units[i].ns)
		i++;
	fc_append(text, "%s-t %" PRIu64 "%s", **text ? " " : "", ns / units[i].ns,
		  units[i].name);
}

char *fc_filter_info_text(const struct fc_filter_info *info)
{
	char *text = fc_strdup("");

	for (char **glob = info->only; glob && *glob; glob++)
		fc_append(&text, "%s-F %s", *text ? " " : "", *glob);
	for (char **glob = info->except; glob && *glob; glob++)
		fc_append(&text, "%s-N %s", *text ? " " : "", *glob);
	if (info->depth)
		fc_append(&text, "%s-D %u", *text ? " " : "", info->depth);
	if (info->min_ns)
		append_time(&text, info->min_ns);
	return text;
}

uint64_t fc_clock_ticks_of(const struct fc_clock *clock, uint64_t ns)
{
	uint64_t ticks = clock->tsc1 - clock->tsc0, time_ns = clock->mono1_ns - clock->mono0_ns;

	if (!ticks || !time_ns)
		return ns;
	return (uint64_t)(((unsigned __int128)ns * ticks + time_ns - 1) / time_ns);
}

void fc_wanted_deinit(struct fc_wanted *wanted)
{
	fc_filter_info_deinit(&wanted->info);
}

void fc_wanted_put(struct fc_wanted *wanted, const struct fc_filter_info *info)
{
	fc_filter_info_deinit(&wanted->info);
	fc_filter_info_copy(&wanted->info, info);
	wanted->is_new = true;
	__atomic_store_n(&wanted->is_pending, true, __ATOMIC_RELEASE);
}

bool fc_wanted_take(struct fc_wanted *wanted, struct fc_filter_info *ret)
{
	if (fc_wanted_is_done(wanted))
		return false;
	bool is_ripe = wanted->is_waiting && !wanted->is_new;
	wanted->is_waiting = !is_ripe;
	wanted->is_new = false;
	if (is_ripe) {
		*ret = wanted->info;
		wanted->info = (struct fc_filter_info){ 0 };
		__atomic_store_n(&wanted->is_pending, false, __ATOMIC_RELEASE);
	}
	return is_ripe;
}

bool fc_wanted_is_done(const struct fc_wanted *wanted)
{
	return !__atomic_load_n(&wanted->is_pending, __ATOMIC_ACQUIRE);
}
