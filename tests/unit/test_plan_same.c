/* SPDX-License-Identifier: Apache-2.0 */
/* A plan is the same however it came to be. */
#include "test_arch.h"

#include <sched.h>

#include "base/crew.h"
#include "patch/plan_private.h"

static const char *const real_files[] = {
	"/usr/bin/python3.11",
	"/lib/x86_64-linux-gnu/libc.so.6",
	"/usr/lib/gcc/x86_64-linux-gnu/12/cc1",
	"/usr/lib/x86_64-linux-gnu/libcrypto.so.3",
	"/usr/lib/x86_64-linux-gnu/libstdc++.so.6",
	"/usr/bin/git",
	"/lib64/ld-linux-x86-64.so.2",
};

enum { NR_FILES = sizeof(real_files) / sizeof(real_files[0]) };

static bool is_same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static void expect_same_function(const struct fc_plan *a, const struct fc_plan *b, size_t i)
{
	const struct fc_func_info *x = &a->infos[i], *y = &b->infos[i];
	const struct fc_planned *p = &a->planned[i], *q = &b->planned[i];
	assert_int_equal(a->funcs[i].vaddr, b->funcs[i].vaddr);
	assert_int_equal(x->vaddr, y->vaddr);
	assert_int_equal(x->size, y->size);
	assert_int_equal(x->how, y->how);
	assert_int_equal(x->id, y->id);
	assert_true(is_same_text(x->name, y->name));
	assert_true(is_same_text(x->why, y->why));
	assert_int_equal(p->is_hooked, q->is_hooked);
	if (!p->is_hooked)
		return;
	assert_int_equal(p->window.vaddr, q->window.vaddr);
	assert_int_equal(p->window.jump_size, q->window.jump_size);
	assert_int_equal(p->window.size, q->window.size);
	assert_int_equal(p->window.moved_size, q->window.moved_size);
	assert_int_equal(p->window.ends, q->window.ends);
	assert_int_equal(p->hop, q->hop);
	assert_int_equal(p->kind, q->kind);
	assert_int_equal(p->is_pun, q->is_pun);
	assert_int_equal(p->loops, q->loops);
}

static void expect_same_stubs(const struct fc_plan *a, const struct fc_plan *b)
{
	struct fc_stubs_opts opts = { .bias = 0x555555000000, .pool_taddr = 0x555550000000 };
	struct fc_stubs x, y;
	assert_int_equal(fc_plan_pool_size(a), fc_plan_pool_size(b));
	if (!fc_plan_pool_size(a))
		return;
	fc_plan_build(a, &opts, &x);
	fc_plan_build(b, &opts, &y);
	assert_int_equal(x.pool_size, y.pool_size);
	assert_memory_equal(x.pool, y.pool, x.pool_size);
	assert_int_equal(x.nr_patches, y.nr_patches);
	assert_memory_equal(x.patches, y.patches, x.nr_patches * sizeof(*x.patches));
	fc_stubs_deinit(&x);
	fc_stubs_deinit(&y);
}

static void expect_same(const struct fc_plan *a, const struct fc_plan *b)
{
	assert_int_equal(a->nr, b->nr);
	for (size_t i = 0; i < a->nr; i++)
		expect_same_function(a, b, i);
	assert_true(is_same_text(fc_plan_entry_only(a), fc_plan_entry_only(b)));
	expect_same_stubs(a, b);
}

static const struct fc_plan_opts kinds[] = {
	{ 0 },
	{ .exported_only = true },
	{ .control_only = true },
};

enum { NR_KINDS = sizeof(kinds) / sizeof(kinds[0]) };

static void each_plan(void (*check)(const char *path, const struct fc_plan_opts *opts))
{
	for (size_t i = 0; i < NR_FILES; i++)
		for (size_t k = 0; k < NR_KINDS && !access(real_files[i], R_OK); k++)
			check(real_files[i], &kinds[k]);
}

static struct fc_plan *make_plan(struct fc_elf *elf, const struct fc_plan_opts *opts)
{
	struct fc_plan *plan;
	if (fc_plan_create(elf, opts, &plan))
		fail_msg("%s", fc_fail_text());
	fc_plan_number(plan, 1);
	return plan;
}

static void use_cpus(const cpu_set_t *cpus)
{
	assert_int_equal(sched_setaffinity(0, sizeof(*cpus), cpus), 0);
}

static cpu_set_t first_of(const cpu_set_t *cpus)
{
	cpu_set_t ret;
	int cpu = 0;
	while (!CPU_ISSET(cpu, cpus))
		cpu++;
	CPU_ZERO(&ret);
	CPU_SET(cpu, &ret);
	return ret;
}

static void expect_same_from_one_thread(const char *path, const struct fc_plan_opts *opts)
{
	cpu_set_t all, one;
	assert_int_equal(sched_getaffinity(0, sizeof(all), &all), 0);
	one = first_of(&all);
	struct fc_elf *elf = open_elf(path);
	struct fc_plan *by_all = make_plan(elf, opts);
	use_cpus(&one);
	assert_int_equal(fc_crew_size(), 1);
	struct fc_plan *by_one = make_plan(elf, opts);
	use_cpus(&all);
	expect_same(by_one, by_all);
	fc_plan_destroy(by_one);
	fc_plan_destroy(by_all);
	fc_elf_close(elf);
}

static void one_thread_plans_as_several_do(void **state)
{
	if (fc_crew_size() == 1)
		skip();
	each_plan(expect_same_from_one_thread);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_thread_plans_as_several_do),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
