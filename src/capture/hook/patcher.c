/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/hook/patcher.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/vec.h"
#include "capture/target/remote.h"

enum { MAX_RUN = 1 << 20 };

/*
 * Pages that follow each other and all hold patches: read, changed and written as one. Not of data: that may
 * change meanwhile, by the kernel or a process that shares the memory. Such a patch is a run of its own.
 */
struct run {
	uint64_t taddr;
	size_t size;
	size_t first, nr; /* patches */
};

/* All pages with patches. Of their bytes there is one run at a time here: there may be many. */
struct runs {
	FC_VEC(struct run) list;
	uint8_t *bytes; /* room for the largest */
};

static struct run next_run(const struct fc_patch *patches, size_t nr, size_t first)
{
	struct run run = { .taddr = fc_page_down(patches[first].taddr), .first = first };
	if (patches[first].is_data)
		return (struct run){ patches[first].taddr, patches[first].size, first, 1 };
	uint64_t end = run.taddr;
	for (size_t i = first; i < nr; i++, run.nr++) {
		uint64_t last = fc_page_down(patches[i].taddr + patches[i].size - 1) +
				fc_arch_here->page_size;
		uint64_t page = fc_page_down(patches[i].taddr);
		bool is_before = i > first && patches[i].taddr < patches[i - 1].taddr;
		if (is_before || patches[i].is_data || page > end ||
		    (page == end && last - run.taddr > MAX_RUN))
			break; /* two runs share no page while patches are in order */
		end = last;
	}
	run.size = end - run.taddr;
	return run;
}

static void find_runs(const struct fc_patch *patches, size_t nr, struct runs *ret)
{
	size_t largest = 0;
	*ret = (struct runs){ 0 };
	for (size_t i = 0; i < nr;) {
		struct run run = next_run(patches, nr, i);
		i += run.nr;
		largest = run.size > largest ? run.size : largest;
		fc_vec_push(&ret->list, run);
	}
	ret->bytes = fc_alloc(largest + 1);
}

static void runs_free(struct runs *runs)
{
	free(runs->bytes);
	fc_vec_free(&runs->list);
}

static void describe(char *out, size_t room, const uint8_t *bytes, size_t size)
{
	static const char digits[] = "0123456789abcdef";
	size_t n = 0;
	for (size_t i = 0; i < size && n + 4 < room; i++) {
		out[n++] = digits[bytes[i] >> 4];
		out[n++] = digits[bytes[i] & 15];
		out[n++] = ' ';
	}
	out[n ? n - 1 : 0] = 0;
}

/* Does a run hold what is expected? */
static int check(int mem_fd, const struct run *run, uint8_t *bytes,
		 const struct fc_patch *patches)
{
	int ret = fc_remote_read(mem_fd, run->taddr, bytes, run->size);
	for (size_t i = run->first; !ret && i < run->first + run->nr; i++) {
		const struct fc_patch *patch = &patches[i];
		const uint8_t *at = bytes + (patch->taddr - run->taddr);
		if (memcmp(at, patch->old, patch->size)) {
			char found[48], expected[48];
			describe(found, sizeof(found), at, patch->size);
			describe(expected, sizeof(expected), patch->old, patch->size);
			ret = fc_fail(
				EBUSY,
				"at %#llx: found %s, expected %s; is another tracer attached?",
				(unsigned long long)patch->taddr, found, expected);
		}
	}
	return ret;
}

static bool is_of(const struct fc_patch *patch, int order)
{
	return patch->order == order && patch->size;
}

static bool has_order(const struct run *run, const struct fc_patch *patches, int order)
{
	for (size_t i = run->first; i < run->first + run->nr; i++)
		if (is_of(&patches[i], order))
			return true;
	return false;
}

/* The patches of one order into a run, as it is by now. */
static int change(int mem_fd, const struct run *run, uint8_t *bytes,
		  const struct fc_patch *patches, int order)
{
	int ret = fc_remote_read(mem_fd, run->taddr, bytes, run->size);
	for (size_t i = run->first; i < run->first + run->nr; i++)
		if (is_of(&patches[i], order))
			memcpy(bytes + (patches[i].taddr - run->taddr), patches[i].new,
			       patches[i].size);
	return ret ? ret : fc_remote_write(mem_fd, run->taddr, bytes, run->size);
}

static int write_runs(int mem_fd, const struct runs *runs, const struct fc_patch *patches)
{
	for (int order = 0; order < FC_PATCH_NR_ORDERS; order++)
		fc_vec_each (&runs->list, run) {
			if (!has_order(run, patches, order))
				continue;
			int ret = change(mem_fd, run, runs->bytes, patches, order);
			if (ret)
				return ret;
		}
	return 0;
}

/* All or none. */
static int write_or_undo(int mem_fd, const struct runs *runs, const struct fc_patch *patches,
			 size_t nr)
{
	int ret = write_runs(mem_fd, runs, patches);
	if (!ret)
		return 0;
	fc_auto_free char *why = fc_strdup(fc_fail_text());
	fc_patch_undo(mem_fd, patches, nr);
	return fc_fail(-ret, "%s", why);
}

int fc_patch_write(int mem_fd, const struct fc_patch *patches, size_t nr)
{
	struct runs runs;
	int ret = 0;
	find_runs(patches, nr, &runs);
	for (size_t i = 0; i < runs.list.nr && !ret; i++)
		ret = check(mem_fd, &runs.list.at[i], runs.bytes, patches);
	if (!ret)
		ret = write_or_undo(mem_fd, &runs, patches, nr);
	runs_free(&runs);
	return ret;
}

/* Patches whose bytes are not there any more, or changed since, are made empty. */
static void drop_changed(int mem_fd, const struct run *run, uint8_t *bytes,
			 struct fc_patch *patches)
{
	bool is_there = !fc_remote_read(mem_fd, run->taddr, bytes, run->size);
	for (size_t i = run->first; i < run->first + run->nr; i++) {
		struct fc_patch *patch = &patches[i];
		const uint8_t *at = bytes + (patch->taddr - run->taddr);
		if (!is_there || memcmp(at, patch->old, patch->size))
			patch->size = 0;
	}
}

/* Memory that has gone meanwhile, with its process perhaps, needs no patch. */
static bool is_readable(int mem_fd, const struct fc_patch *patches, size_t nr)
{
	uint8_t byte;
	for (size_t i = 0; i < nr; i++)
		if (patches[i].size && fc_remote_read(mem_fd, patches[i].taddr, &byte, 1))
			return false;
	return true;
}

/* What is not as it is expected is left alone. */
static int write_where_expected(int mem_fd, struct fc_patch *patches, size_t nr)
{
	struct runs runs;
	find_runs(patches, nr, &runs);
	fc_vec_each (&runs.list, run)
		drop_changed(mem_fd, run, runs.bytes, patches);
	int ret = write_runs(mem_fd, &runs, patches);
	runs_free(&runs);
	if (!ret)
		return 0;
	fc_auto_free char *why = fc_strdup(fc_fail_text());
	return is_readable(mem_fd, patches, nr) ? fc_fail(-ret, "%s", why) : 0;
}

bool fc_patch_is_there(int mem_fd, const struct fc_patch *patch)
{
	uint8_t found[sizeof(patch->new)];
	return !fc_remote_read(mem_fd, patch->taddr, found, patch->size) &&
	       !memcmp(found, patch->new, patch->size);
}

int fc_patch_undo(int mem_fd, const struct fc_patch *patches, size_t nr)
{
	struct fc_patch *undo = fc_alloc((nr + 1) * sizeof(*undo));
	for (size_t i = 0; i < nr; i++) {
		undo[i] = (struct fc_patch){
			.taddr = patches[i].taddr,
			.size = patches[i].size,
			.order = FC_PATCH_NR_ORDERS - 1 - patches[i].order,
			.is_data = patches[i].is_data,
		};
		memcpy(undo[i].old, patches[i].new, sizeof(undo[i].old));
		memcpy(undo[i].new, patches[i].old, sizeof(undo[i].new));
	}
	int ret = write_where_expected(mem_fd, undo, nr);
	free(undo);
	return ret;
}

int fc_patch_redo(int mem_fd, const struct fc_patch *patches, size_t nr)
{
	struct fc_patch *redo = fc_alloc((nr + 1) * sizeof(*redo));
	memcpy(redo, patches, nr * sizeof(*redo));
	int ret = write_where_expected(mem_fd, redo, nr);
	free(redo);
	return ret;
}
