/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_saved.c - arbitrary bytes as a plan that was kept on disk, and a good plan with some bytes
 * changed. Of what is taken stubs are made.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/module/cache.h"
#include "capture/patch/plan.h"
#include "capture/patch/saved.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static const struct fc_plan_opts all = { 0 };

/* A small file that is always there when programs can run. */
static const char *path(void)
{
	static const char loader[] = "/lib64/ld-linux-x86-64.so.2";
	return access(loader, R_OK) ? "/proc/self/exe" : loader;
}

static struct fc_elf *own_file(void)
{
	static struct fc_elf *elf;
	if (!elf && fc_elf_open_headers(path(), path(), &elf))
		abort();
	return elf;
}

static void load(const uint8_t *bytes, size_t size)
{
	struct fc_stubs_opts opts = { .bias = 0x555555000000, .pool_taddr = 0x555550000000 };
	struct fc_plan *plan;
	struct fc_stubs stubs;
	if (fc_plan_load(own_file(), &all, bytes, size, &plan))
		return;
	fc_plan_number(plan, 1);
	fc_plan_build(plan, &opts, &stubs);
	for (size_t i = 0; i < stubs.nr_puns; i++) {
		uint64_t first, last;
		fc_stubs_pun_range(&stubs, i, &first, &last);
	}
	fc_stubs_deinit(&stubs);
	fc_plan_destroy(plan);
}

/* The plan of that file as it should be. */
static const struct fc_saved *own_plan(void)
{
	static struct fc_saved saved;
	struct fc_elf *elf;
	struct fc_plan *plan;
	if (saved.list.nr)
		return &saved;
	if (fc_elf_open(path(), path(), &elf) || fc_plan_create(elf, &all, &plan) ||
	    fc_plan_save(plan, &saved))
		abort();
	fc_plan_destroy(plan);
	fc_elf_close(elf);
	return &saved;
}

/* Each 5 bytes of input change one of it: where, and to what. */
static void load_changed(const uint8_t *bytes, size_t size)
{
	const struct fc_saved *saved = own_plan();
	uint8_t *copy = malloc(saved->list.nr);
	memcpy(copy, saved->list.at, saved->list.nr);
	for (; size >= 5; bytes += 5, size -= 5) {
		uint32_t off;
		memcpy(&off, bytes, sizeof(off));
		copy[off % saved->list.nr] = bytes[4];
	}
	load(copy, saved->list.nr);
	free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static const struct fc_cache_key key = { "file", "key" };
	const uint8_t *plan;
	size_t plan_size;
	if (fc_cache_find(bytes, size, &key, &plan, &plan_size))
		load(plan, plan_size);
	load(bytes, size);
	load_changed(bytes, size);
	return 0;
}
