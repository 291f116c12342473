/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Plans of real files: nearly every function is hooked, nothing is overwritten twice, and each
 * jump leads to a stub that leads back. The reasons why functions are not hooked are shown.
 */
#include "arch/test_arch.h"

#include "base/vec.h"
#include "capture/patch/plan_private.h"
#include "capture/patch/known/rule.h"

static const char *const real_files[] = {
	"/usr/bin/python3.11",
	"/bin/bash",
	"/lib/x86_64-linux-gnu/libc.so.6",
	"/usr/lib/gcc/x86_64-linux-gnu/12/cc1",
	"/usr/bin/git",
	"/usr/bin/sqlite3",
	"/usr/bin/perl",
	"/usr/bin/openssl",
	"/usr/bin/gawk",
	"/usr/bin/mawk",
	"/usr/bin/make",
	"/usr/bin/tar",
	"/usr/bin/xz",
	"/usr/bin/find",
	"/usr/bin/sort",
	"/usr/bin/ls",
	"/usr/lib/x86_64-linux-gnu/libcrypto.so.3",
	"/usr/lib/x86_64-linux-gnu/libstdc++.so.6",
	"/lib64/ld-linux-x86-64.so.2",
};

enum { NR_FILES = sizeof(real_files) / sizeof(real_files[0]) };

static const uint64_t bias = 0x555555000000;

struct open_plan {
	struct fc_elf *elf;
	struct fc_plan *plan;
};

static struct open_plan open_plan(const char *path)
{
	static const struct fc_plan_opts all = { 0 };
	struct open_plan ret = { .elf = open_elf(path) };
	if (fc_plan_create(ret.elf, &all, &ret.plan))
		fail_msg("%s", fc_fail_text());
	return ret;
}

static void close_plan(struct open_plan *open)
{
	fc_plan_destroy(open->plan);
	fc_elf_close(open->elf);
}

/* Planned once: no check changes more of a plan than the numbers of its functions. */
static struct open_plan plans[NR_FILES];

static void each_file(void (*check)(struct open_plan *open))
{
	for (size_t i = 0; i < NR_FILES; i++) {
		if (access(real_files[i], R_OK))
			continue;
		if (!plans[i].plan)
			plans[i] = open_plan(real_files[i]);
		check(&plans[i]);
	}
}

/* Not functions in the sense of a program: what the linker and the loader put in. */
static bool is_glue(const struct fc_elf *elf, const struct fc_func *func)
{
	const struct fc_rule *rule = func->name ? fc_rule_find(func->name) : NULL;
	return func->vaddr == elf->entry || (rule && rule->kind == FC_RULE_SKIP) ||
	       fc_elf_is_linkage(elf, func->vaddr) || (rule && rule->kind == FC_RULE_DL) ||
	       func->flags & (FC_FUNC_IFUNC | FC_FUNC_SIGNAL | FC_FUNC_NO_RETURN_ADDRESS);
}

struct reason {
	const char *why;
	size_t nr;
	struct fc_func_info first;
};

static void show_reasons(const struct fc_func_info *funcs, size_t nr)
{
	FC_VEC(struct reason) reasons = { 0 };
	for (size_t i = 0; i < nr; i++) {
		struct reason *reason = NULL;
		if (funcs[i].how == FC_HOW_HOOKED && !strcmp(funcs[i].why, "jmp5"))
			continue;
		for (size_t k = 0; k < reasons.nr && !reason; k++)
			if (!strcmp(reasons.at[k].why, funcs[i].why))
				reason = &reasons.at[k];
		if (!reason) {
			fc_vec_push(&reasons, (struct reason){ funcs[i].why, 0, funcs[i] });
			reason = &reasons.at[reasons.nr - 1];
		}
		reason->nr++;
	}
	for (size_t k = 0; k < reasons.nr; k++)
		fprintf(stderr, "# %8zu  %s, as %s+%#llx\n", reasons.at[k].nr,
			reasons.at[k].why,
			reasons.at[k].first.name ? reasons.at[k].first.name : "",
			(unsigned long long)reasons.at[k].first.vaddr);
	fc_vec_free(&reasons);
}

static void check_coverage(struct open_plan *open)
{
	size_t nr, real = 0, recorded = 0;
	const struct fc_func_info *funcs = fc_plan_funcs(open->plan, &nr);
	struct fc_plan_sums sums = fc_plan_sums(open->plan);
	assert_int_equal(sums.hooked + sums.entry_only + sums.skipped + sums.parts, nr);
	assert_true(nr >= open->elf->nr_funcs);
	for (size_t i = 0; i < nr; i++) {
		assert_non_null(funcs[i].why);
		if (funcs[i].how == FC_HOW_PART || is_glue(open->elf, &open->plan->funcs[i]))
			continue;
		real++;
		recorded += funcs[i].how != FC_HOW_SKIPPED;
	}
	fprintf(stderr, "# %s: %zu hooked, %zu entry only, %zu skipped, %zu parts: %.2f %%\n",
		open->elf->path, sums.hooked, sums.entry_only, sums.skipped, sums.parts,
		recorded * 100.0 / real);
	show_reasons(funcs, nr);
	assert_true(recorded * 100 >= real * 99);
}

static void nearly_every_function_is_hooked(void **state)
{
	each_file(check_coverage);
}

static void check_ids(struct open_plan *open)
{
	enum { FIRST = 1000 };
	uint32_t end = fc_plan_number(open->plan, FIRST), id = FIRST;
	size_t nr;
	const struct fc_func_info *funcs = fc_plan_funcs(open->plan, &nr);
	for (size_t i = 0; i < nr; i++) {
		bool is_recorded =
			funcs[i].how == FC_HOW_HOOKED || funcs[i].how == FC_HOW_ENTRY_ONLY;
		assert_int_equal(funcs[i].id, is_recorded ? id++ : 0);
	}
	assert_int_equal(end, id);
}

static void function_ids_are_dense(void **state)
{
	each_file(check_ids);
}

static void out_of_ids_is_told_and_not_hooked(void **state)
{
	if (access("/bin/bash", R_OK))
		skip();
	struct open_plan open = open_plan("/bin/bash");
	struct fc_plan_sums before = fc_plan_sums(open.plan);
	assert_int_equal(fc_plan_number(open.plan, FC_FUNC_MAX - 9), FC_FUNC_MAX + 1u);
	struct fc_plan_sums after = fc_plan_sums(open.plan);
	assert_int_equal(after.hooked + after.entry_only, 10);
	assert_int_equal(after.skipped,
			 before.skipped + before.hooked + before.entry_only - 10);
	close_plan(&open);
}

static struct fc_stubs build(const struct open_plan *open, uint64_t *pool_taddr)
{
	struct fc_stubs_opts opts = { .bias = bias, .doors = { 1, 2, 3, 4, 5, 6 } };
	size_t size = fc_plan_pool_size(open->plan, FC_COUNT_NEVER, NULL);
	*pool_taddr = opts.pool_taddr = (bias - size - 0x10000) & ~0xfffull;
	struct fc_stubs stubs;
	fc_plan_build(open->plan, &opts, &stubs);
	assert_in_range(stubs.code_size, FCA_POOL_HEAD, size);
	assert_memory_equal(stubs.pool, opts.doors, sizeof(opts.doors));
	assert_int_equal(stubs.nr_far, 0);
	return stubs;
}

static void check_overlaps(struct open_plan *open)
{
	uint64_t pool;
	struct fc_stubs stubs = build(open, &pool);
	const struct fc_elf *elf = open->elf;
	size_t func = 0;
	for (size_t i = 0; i < stubs.nr_patches; i++) {
		const struct fc_patch *patch = &stubs.patches[i];
		uint64_t vaddr = patch->taddr - bias;
		if (i)
			assert_true(patch[-1].taddr + patch[-1].size <= patch->taddr);
		assert_memory_equal(patch->old, fc_elf_bytes(elf, vaddr, patch->size),
				    patch->size);
		const struct fc_plan *plan = open->plan;
		while (func < plan->nr && plan->funcs[func].vaddr <= vaddr)
			func++;
		if (func < plan->nr && plan->funcs[func].vaddr < vaddr + patch->size)
			fail_msg("%s: the patch at %#llx covers the entry at %#llx", elf->path,
				 (unsigned long long)vaddr,
				 (unsigned long long)plan->funcs[func].vaddr);
	}
	fc_stubs_deinit(&stubs);
}

static void no_patch_covers_another_or_an_entry(void **state)
{
	each_file(check_overlaps);
}

static int64_t rel_at(const uint8_t *at, size_t size)
{
	int32_t rel32;
	if (size == 1)
		return (int8_t)at[0];
	memcpy(&rel32, at, sizeof(rel32));
	return rel32;
}

static const struct fc_patch *patch_at(const struct fc_stubs *stubs, uint64_t taddr)
{
	size_t lo = 0, hi = stubs->nr_patches;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if (stubs->patches[mid].taddr == taddr)
			return &stubs->patches[mid];
		if (stubs->patches[mid].taddr < taddr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return NULL;
}

/* Where the jumps of a patch lead in the end. */
static uint64_t follow(const struct fc_stubs *stubs, const struct fc_patch *patch)
{
	if (patch->size == 2) {
		assert_int_equal(patch->new[0], 0xeb);
		patch = patch_at(stubs, patch->taddr + 2 + rel_at(patch->new + 1, 1));
		assert_non_null(patch);
	}
	assert_int_equal(patch->size, 5);
	assert_int_equal(patch->new[0], 0xe9);
	return patch->taddr + 5 + rel_at(patch->new + 1, 4);
}

/* The body of a stub ends in a jump to what is behind the window. */
static bool leads_back(const struct fc_planned *p, const uint8_t *stub, uint64_t taddr)
{
	size_t off = p->kind == FC_STUB_CALL ? arch->stub->places[FCA_PLACE_BODY]
					     : arch->stub->places[FCA_PLACE_OTHER_BODY];
	size_t end = arch->stub->stub_size(p->kind, &p->site.window, false);
	while (off + 5 <= end) {
		bool is_branch;
		size_t len = arch->code->insn_len(stub + off, end - off, &is_branch);
		if (!len)
			return p->site.window.ends; /* what is behind a return is never run */
		if (len == 5 && stub[off] == 0xe9 &&
		    taddr + off + 5 + rel_at(stub + off + 1, 4) ==
			    p->site.window.vaddr + p->site.window.size + bias)
			return true;
		off += len;
	}
	return p->site.window.ends;
}

static void check_stubs(struct open_plan *open)
{
	uint64_t pool, last = 0;
	struct fc_stubs stubs = build(open, &pool);
	size_t nr_hooked = 0;
	for (size_t i = 0; i < open->plan->nr; i++) {
		const struct fc_planned *p = &open->plan->planned[i];
		if (!p->is_hooked)
			continue;
		if (p->site.kind == FC_SITE_PUN)
			continue;
		nr_hooked += 1 + (p->site.kind == FC_SITE_NEAR);
		const struct fc_patch *patch = patch_at(&stubs, p->site.window.vaddr + bias);
		assert_non_null(patch);
		uint64_t taddr = follow(&stubs, patch);
		assert_int_equal(taddr % 8, 0);
		assert_in_range(taddr, pool + FCA_POOL_HEAD, pool + stubs.code_size - 1);
		assert_true(taddr > last); /* each has one of its own */
		last = taddr;
		const uint8_t *stub = stubs.pool + (taddr - pool);
		size_t id_off = p->kind == FC_STUB_CALL ? arch->stub->places[FCA_PLACE_ID]
							: arch->stub->places[FCA_PLACE_OTHER_ID];
		uint32_t id = open->plan->infos[i].id;
		assert_int_equal((uint32_t)rel_at(stub + id_off, 4) >> FC_RECORD_KIND_BITS, id);
		if (!leads_back(p, stub, taddr))
			fail_msg("%s: the stub of %#llx (kind %d) does not lead back",
				 open->elf->path, (unsigned long long)p->site.window.vaddr,
				 p->kind);
	}
	assert_int_equal(nr_hooked, stubs.nr_patches);
	/* Who finds the ledger knows how much was mapped. */
	fc_stubs_add_ledger(&stubs, NULL, 0);
	assert_int_equal(stubs.ledger_off + stubs.nr_ledger * sizeof(*stubs.ledger),
			 fc_plan_pool_size(open->plan, FC_COUNT_NEVER, NULL));
	assert_true(stubs.ledger_off >= stubs.code_size);
	fc_stubs_deinit(&stubs);
}

/* Who finds the ledger goes by it: also where a thread stands in a stub. */
static void check_ledger(const struct open_plan *open, enum fc_counting counting,
			 enum fc_stub_kind counted)
{
	struct fc_stubs_opts opts = { .bias = bias, .counting = counting };
	size_t nr = 0, size = fc_plan_pool_size(open->plan, counting, NULL);
	opts.nr_counters = counting == FC_COUNT_NEVER ? 0 : FCA_NR_COUNTERS;
	opts.pool_taddr = (bias - size - 0x10000) & ~0xfffull;
	struct fc_stubs stubs;
	fc_plan_build(open->plan, &opts, &stubs);
	fc_stubs_add_ledger(&stubs, NULL, 0);
	for (size_t i = 0; i < stubs.nr_ledger; i++) {
		const struct fca_patch *entry = &stubs.ledger[i];
		bool is_counted = entry->kind == FC_STUB_COUNT || entry->kind == FC_STUB_EDGE;
		if (!entry->window)
			continue;
		const uint8_t *stub = stubs.pool + entry->stub;
		uint8_t on[FC_MAX_SWITCH];
		size_t size = arch->stub->make_switch(stub, true, on);
		assert_int_equal(memcmp(stub, on, size) != 0, is_counted);
		nr += entry->kind == counted;
	}
	assert_true(nr);
	fc_stubs_deinit(&stubs);
}

static void a_ledger_tells_which_kind_each_stub_is(void **state)
{
	struct open_plan open = open_plan("/bin/bash");
	fc_plan_number(open.plan, 1);
	check_ledger(&open, FC_COUNT_NEVER, FC_STUB_CALL);
	check_ledger(&open, FC_COUNT_ONLY, FC_STUB_COUNT);
	check_ledger(&open, FC_COUNT_EDGES, FC_STUB_EDGE);
	close_plan(&open);
}

/* The function whose window holds vaddr behind its first byte: of two that meet there. */
static const struct fc_planned *window_of(const struct fc_plan *plan, uint64_t vaddr)
{
	const struct fc_planned *p = fc_plan_at(plan, vaddr);
	for (int i = 0; i < 2 && p && p >= plan->planned; i++, p--)
		if (p->is_hooked && vaddr - p->site.window.vaddr < p->site.window.size)
			return p;
	return NULL;
}

static void check_moves_of(const struct open_plan *open, const struct fc_stubs *stubs,
			   const struct fc_planned *p)
{
	uint64_t start = p->site.window.vaddr + bias, last = 0;
	const uint8_t *code =
		fc_elf_bytes(open->elf, p->site.window.vaddr, p->site.window.size);
	for (size_t off = 0; off < p->site.window.size;) {
		bool is_branch;
		size_t len = arch->code->insn_len(code + off, p->site.window.size - off, &is_branch);
		assert_true(len);
		uint64_t to = fc_stubs_moved_to(stubs, start + off);
		assert_int_equal(!to, !off);
		if (to) {
			assert_true(to > last);
			last = to;
		}
		for (size_t inside = 1; inside < len; inside++)
			assert_int_equal(fc_stubs_moved_to(stubs, start + off + inside), 0);
		off += len;
	}
}

/* A thread may stand at any instruction: each that a patch overwrites is found in a stub. */
static void check_moves(struct open_plan *open)
{
	uint64_t pool;
	struct fc_stubs stubs = build(open, &pool);
	for (size_t i = 0; i < stubs.nr_patches; i++) {
		uint64_t vaddr = stubs.patches[i].taddr - bias;
		const struct fc_planned *p = window_of(open->plan, vaddr);
		if (p && i % (1 + stubs.nr_patches / 500) == 0)
			check_moves_of(open, &stubs, p);
		else if (!p) /* padding */
			assert_int_equal(fc_stubs_moved_to(&stubs, vaddr + bias), 0);
	}
	fc_stubs_deinit(&stubs);
}

static void each_overwritten_instruction_is_found_in_its_stub(void **state)
{
	each_file(check_moves);
}

static void check_numbered_stubs(struct open_plan *open)
{
	fc_plan_number(open->plan, 1);
	check_stubs(open);
}

static void each_jump_leads_to_a_stub_that_leads_back(void **state)
{
	each_file(check_numbered_stubs);
}

static void a_library_traced_by_its_exports_hooks_no_more(void **state)
{
	static const char path[] = "/usr/lib/x86_64-linux-gnu/libcrypto.so.3";
	static const struct fc_plan_opts api = { .exported_only = true };
	if (access(path, R_OK))
		skip();
	struct fc_elf *elf = open_elf(path);
	struct fc_plan *plan;
	assert_int_equal(fc_plan_create(elf, &api, &plan), 0);
	size_t nr;
	const struct fc_func_info *funcs = fc_plan_funcs(plan, &nr);
	size_t nr_hooked = 0;
	for (size_t i = 0; i < nr; i++) {
		if (funcs[i].how == FC_HOW_HOOKED)
			assert_true(plan->funcs[i].flags & FC_FUNC_EXPORTED);
		nr_hooked += funcs[i].how == FC_HOW_HOOKED;
	}
	assert_true(nr_hooked > 4000);
	fc_plan_destroy(plan);
	fc_elf_close(elf);
}

/* Only what the agent must know of: the loader's notice, the unwinder's entries. */
static void a_module_not_asked_for_records_nothing(void **state)
{
	static const struct fc_plan_opts control = { .control_only = true };
	static const char *const files[] = { "/lib64/ld-linux-x86-64.so.2",
					     "/lib/x86_64-linux-gnu/libgcc_s.so.1" };
	for (int f = 0; f < 2; f++) {
		if (access(files[f], R_OK))
			continue;
		struct open_plan open = { .elf = open_elf(files[f]) };
		assert_int_equal(fc_plan_create(open.elf, &control, &open.plan), 0);
		struct fc_plan_sums sums = fc_plan_sums(open.plan);
		assert_int_equal(sums.hooked + sums.entry_only, 0);
		assert_int_equal(fc_plan_number(open.plan, 5), 5);
		size_t nr_own = 0;
		for (size_t i = 0; i < open.plan->nr; i++)
			nr_own += open.plan->planned[i].is_hooked;
		assert_true(nr_own >= 1 && nr_own <= 5);
		check_stubs(&open);
		close_plan(&open);
	}
}

static int leave(void **state)
{
	for (size_t i = 0; i < NR_FILES; i++)
		if (plans[i].plan)
			close_plan(&plans[i]);
	return leave_work_dir(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nearly_every_function_is_hooked),
		cmocka_unit_test(function_ids_are_dense),
		cmocka_unit_test(out_of_ids_is_told_and_not_hooked),
		cmocka_unit_test(no_patch_covers_another_or_an_entry),
		cmocka_unit_test(each_jump_leads_to_a_stub_that_leads_back),
		cmocka_unit_test(a_ledger_tells_which_kind_each_stub_is),
		cmocka_unit_test(each_overwritten_instruction_is_found_in_its_stub),
		cmocka_unit_test(a_library_traced_by_its_exports_hooks_no_more),
		cmocka_unit_test(a_module_not_asked_for_records_nothing),
	};
	return cmocka_run_group_tests(tests, enter_arch_dir, leave);
}
