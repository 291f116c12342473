/* SPDX-License-Identifier: Apache-2.0 */
/* A plan is the same however it came to be. */
#include "arch/test_arch.h"

#include <sched.h>

#include "base/crew.h"
#include "capture/patch/plan_private.h"
#include "capture/patch/saved.h"

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
	assert_int_equal(x->vaddr, y->vaddr);
	assert_int_equal(x->size, y->size);
	assert_int_equal(x->how, y->how);
	assert_int_equal(x->id, y->id);
	assert_true(is_same_text(x->name, y->name));
	assert_true(is_same_text(x->why, y->why));
	assert_int_equal(p->is_hooked, q->is_hooked);
	if (!p->is_hooked)
		return;
	assert_int_equal(p->site.window.vaddr, q->site.window.vaddr);
	assert_int_equal(p->site.window.jump_size, q->site.window.jump_size);
	assert_int_equal(p->site.window.size, q->site.window.size);
	assert_int_equal(p->site.window.moved_size, q->site.window.moved_size);
	assert_int_equal(p->site.window.ends, q->site.window.ends);
	assert_int_equal(p->site.hop, q->site.hop);
	assert_int_equal(p->kind, q->kind);
	assert_int_equal(p->site.kind, q->site.kind);
	assert_int_equal(p->loops, q->loops);
}

static void expect_same_stubs(const struct fc_plan *a, const struct fc_plan *b)
{
	struct fc_stubs_opts opts = { .bias = 0x555555000000, .pool_taddr = 0x555550000000 };
	struct fc_stubs x, y;
	assert_int_equal(fc_plan_pool_size(a, opts.counting, NULL),
			 fc_plan_pool_size(b, opts.counting, NULL));
	if (!fc_plan_pool_size(a, opts.counting, NULL))
		return;
	fc_plan_build(a, &opts, &x);
	fc_plan_build(b, &opts, &y);
	assert_int_equal(x.code_size, y.code_size);
	assert_memory_equal(x.pool, y.pool, x.code_size);
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

/* Planned once, by all threads: what a check compares others with. */
static struct made {
	const char *path;
	struct fc_elf *elf;
	const struct fc_plan_opts *opts;
	struct fc_plan *plan;
} made[NR_FILES][NR_KINDS];

static struct fc_plan *make_plan(struct fc_elf *elf, const struct fc_plan_opts *opts)
{
	struct fc_plan *plan;
	if (fc_plan_create(elf, opts, &plan))
		fail_msg("%s", fc_fail_text());
	fc_plan_number(plan, 1);
	return plan;
}

static void each_plan(void (*check)(const struct made *made))
{
	for (size_t i = 0; i < NR_FILES; i++)
		for (size_t k = 0; k < NR_KINDS && !access(real_files[i], R_OK); k++) {
			if (!made[i][k].plan) {
				struct fc_elf *elf = open_elf(real_files[i]);
				made[i][k] = (struct made){ real_files[i], elf, &kinds[k],
							    make_plan(elf, &kinds[k]) };
			}
			check(&made[i][k]);
		}
}

static int leave(void **state)
{
	for (size_t i = 0; i < NR_FILES; i++)
		for (size_t k = 0; k < NR_KINDS; k++)
			if (made[i][k].plan) {
				fc_plan_destroy(made[i][k].plan);
				fc_elf_close(made[i][k].elf);
			}
	return 0;
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

static void expect_same_from_one_thread(const struct made *made)
{
	cpu_set_t all, one;
	assert_int_equal(sched_getaffinity(0, sizeof(all), &all), 0);
	one = first_of(&all);
	use_cpus(&one);
	assert_int_equal(fc_crew_size(), 1);
	struct fc_plan *by_one = make_plan(made->elf, made->opts);
	use_cpus(&all);
	expect_same(by_one, made->plan);
	fc_plan_destroy(by_one);
}

static void one_thread_plans_as_several_do(void **state)
{
	if (fc_crew_size() == 1)
		skip();
	each_plan(expect_same_from_one_thread);
}

static struct fc_elf *open_headers(const char *path)
{
	struct fc_elf *elf;
	if (fc_elf_open_headers(path, path, &elf))
		fail_msg("%s", fc_fail_text());
	return elf;
}

static void expect_same_when_saved(const struct made *made)
{
	struct fc_elf *headers = open_headers(made->path);
	struct fc_plan *loaded;
	struct fc_saved saved = { 0 };
	assert_int_equal(fc_plan_save(made->plan, &saved), 0);
	if (fc_plan_load(headers, made->opts, saved.list.at, saved.list.nr, &loaded))
		fail_msg("the plan of %s is not taken back", made->path);
	fc_vec_free(&saved.list);
	fc_plan_number(loaded, 1);
	expect_same(made->plan, loaded);
	assert_int_equal(fc_plan_takes_register(made->plan), fc_plan_takes_register(loaded));
	fc_plan_destroy(loaded);
	fc_elf_close(headers);
}

static void a_saved_plan_is_taken_back_as_it_was(void **state)
{
	each_plan(expect_same_when_saved);
}

/* What is forgotten is not what stubs are made of. */
static void a_plan_goes_on_without_what_only_planning_needs(void **state)
{
	struct fc_elf *elf = open_elf(real_files[1]), *lean = open_elf(real_files[1]);
	struct fc_plan *plan = make_plan(elf, &kinds[0]), *other = make_plan(lean, &kinds[0]);
	uint64_t a, b;
	fc_plan_forget(other);
	fc_elf_forget(lean);
	assert_int_equal(lean->nr_funcs, 0);
	for (size_t i = 0; i < plan->nr; i++)
		assert_true(is_same_text(plan->infos[i].name, other->infos[i].name));
	expect_same_stubs(plan, other);
	assert_int_equal(fc_elf_symbol(elf, "malloc", &a), 0);
	assert_int_equal(fc_elf_symbol(lean, "malloc", &b), 0);
	assert_int_equal(a, b);
	fc_plan_destroy(plan);
	fc_plan_destroy(other);
	fc_elf_close(elf);
	fc_elf_close(lean);
}

/* A plan of damaged bytes may be any plan, but it is one: stubs can be made of it. */
static bool try_bytes(const struct fc_elf *elf, const uint8_t *bytes, size_t size)
{
	struct fc_plan *plan;
	struct fc_stubs stubs;
	struct fc_stubs_opts opts = { .bias = 0x555555000000, .pool_taddr = 0x555550000000 };
	uint8_t *edge = malloc(size ? size : 1); /* a sanitizer sees what is read behind it */
	memcpy(edge, bytes, size);
	int ret = fc_plan_load(elf, &kinds[0], edge, size, &plan);
	free(edge);
	if (ret) {
		assert_int_equal(ret, -EBADMSG);
		return false;
	}
	fc_plan_number(plan, 1);
	fc_plan_build(plan, &opts, &stubs);
	fc_stubs_deinit(&stubs);
	fc_plan_destroy(plan);
	return true;
}

static void damaged_plans_are_refused_or_plans(void **state)
{
	static const char path[] = "/lib64/ld-linux-x86-64.so.2"; /* a small one */
	struct fc_elf *elf = open_elf(path), *headers = open_headers(path);
	struct fc_plan *plan = make_plan(elf, &kinds[0]);
	struct fc_saved saved = { 0 };
	assert_int_equal(fc_plan_save(plan, &saved), 0);
	uint8_t *bytes = saved.list.at;
	size_t size = saved.list.nr, nr_taken = 0;
	assert_true(try_bytes(headers, bytes, size));
	for (size_t cut = 0; cut < size; cut += cut < 64 ? 1 : 97)
		assert_false(try_bytes(headers, bytes, cut));
	for (size_t i = 0; i < size; i += i < 256 ? 1 : 7) {
		uint8_t before = bytes[i];
		bytes[i] ^= i % 2 ? 0xff : 1 << i / 2 % 8;
		nr_taken += try_bytes(headers, bytes, size);
		bytes[i] = before;
	}
	print_message("# %zu damaged plans were plans\n", nr_taken);
	struct fc_elf *other = open_headers(real_files[1]);
	assert_false(try_bytes(other, bytes, size)); /* of another file */
	fc_elf_close(other);
	fc_vec_free(&saved.list);
	fc_plan_destroy(plan);
	fc_elf_close(headers);
	fc_elf_close(elf);
}

/* A pool as it comes, part by part. */
struct parts {
	uint8_t *bytes;
	size_t size, nr;
};

static int take_part(void *ctx, size_t off, const uint8_t *bytes, size_t size)
{
	struct parts *parts = ctx;
	assert_int_equal(off, parts->size);
	parts->bytes = fc_realloc(parts->bytes, off + size);
	memcpy(parts->bytes + off, bytes, size);
	parts->size += size;
	parts->nr++;
	return 0;
}

static int refuse_second(void *ctx, size_t off, const uint8_t *bytes, size_t size)
{
	return off ? -EIO : 0;
}

static void stubs_are_the_same_when_written_part_by_part(void **state)
{
	struct fc_elf *elf = open_elf("/usr/lib/x86_64-linux-gnu/libcrypto.so.3");
	struct fc_plan *plan = make_plan(elf, &kinds[0]);
	struct fc_stubs_opts opts = { .bias = 0x555555000000, .pool_taddr = 0x555550000000 };
	struct parts parts = { 0 };
	struct fc_stubs whole, written;
	assert_int_equal(fc_plan_build(plan, &opts, &whole), 0);
	opts.write = take_part;
	opts.ctx = &parts;
	assert_int_equal(fc_plan_build(plan, &opts, &written), 0);
	assert_null(written.pool);
	assert_true(parts.nr > 1);
	assert_int_equal(parts.size, whole.code_size);
	assert_memory_equal(parts.bytes, whole.pool, parts.size);
	assert_int_equal(written.nr_patches, whole.nr_patches);
	assert_memory_equal(written.patches, whole.patches,
			    whole.nr_patches * sizeof(*whole.patches));
	fc_stubs_deinit(&written);
	opts.write = refuse_second;
	assert_int_equal(fc_plan_build(plan, &opts, &written), -EIO);
	fc_stubs_deinit(&written);
	fc_stubs_deinit(&whole);
	free(parts.bytes);
	fc_plan_destroy(plan);
	fc_elf_close(elf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_thread_plans_as_several_do),
		cmocka_unit_test(a_saved_plan_is_taken_back_as_it_was),
		cmocka_unit_test(a_plan_goes_on_without_what_only_planning_needs),
		cmocka_unit_test(stubs_are_the_same_when_written_part_by_part),
		cmocka_unit_test(damaged_plans_are_refused_or_plans),
	};
	return cmocka_run_group_tests(tests, NULL, leave);
}
