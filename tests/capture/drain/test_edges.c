/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls by caller: what the agent counts in a strand's table is what the controller sums up, and
 * whose code a return address is in.
 */
#include "elf/test_elf.h"

#include "capture/agent/strand/edge.c"
#include "capture/drain/edges.h"

enum { FUNC = 77, OTHER = 78 };

static const uint64_t bias = 0x555555000000;

struct fixture {
	struct strand *strand;
	struct fca_edges table;
	struct fc_places places;
};

static struct fixture *create(void)
{
	struct fixture *f = fc_alloc(sizeof(*f));
	f->strand = aligned_alloc(4096, sizeof(*f->strand));
	assert_non_null(f->strand);
	memset(f->strand, 0, sizeof(*f->strand));
	f->strand->counts = (uint64_t *)&f->table;
	return f;
}

static void destroy(struct fixture *f)
{
	fc_places_deinit(&f->places);
	free(f->strand);
	free(f);
}

/* What the tap was told, with the names that outlive the telling. */
static struct told {
	struct fc_edge at[8];
	char path[8][64];
	size_t nr;
	uint64_t nr_lost, nr_calls;
} told;

static int remember(struct fc_tap *tap, const struct fc_edge *edges, size_t nr,
		    uint64_t nr_lost)
{
	told = (struct told){ .nr = nr, .nr_lost = nr_lost };
	for (size_t i = 0; i < nr; i++) {
		told.nr_calls += edges[i].calls;
		if (i >= 8)
			continue;
		told.at[i] = edges[i];
		snprintf(told.path[i], sizeof(told.path[i]), "%s", edges[i].caller_path);
	}
	return 0;
}

static void sum_up(const struct fixture *f)
{
	struct fc_tap tap = { .edges = remember };
	struct fc_edges *edges = fc_edges_create();
	fc_edges_take(edges, &f->places, &f->table);
	fc_edges_tell(edges, &tap);
	fc_edges_destroy(edges);
}

static void calls_are_counted_by_place_and_function(void **state)
{
	struct fixture *f = create();
	for (int i = 0; i < 5; i++)
		edge_count(f->strand, 0x401234, FUNC);
	edge_count(f->strand, 0x401234, OTHER);
	edge_count(f->strand, 0x405678, FUNC);
	assert_int_equal(f->table.nr, 3);
	assert_true(edge_uncount(f->strand, 0x401234, FUNC));
	assert_false(edge_uncount(f->strand, 0x409999, FUNC));

	sum_up(f); /* nothing is known of the callers: one of each function */
	assert_int_equal(told.nr, 2);
	for (size_t i = 0; i < told.nr; i++) {
		assert_null(told.at[i].caller);
		assert_string_equal(told.path[i], "");
		assert_int_equal(told.at[i].calls, told.at[i].callee == FUNC ? 5 : 1);
	}
	destroy(f);
}

static void what_finds_no_place_is_counted_as_lost(void **state)
{
	struct fixture *f = create();
	const uint64_t nr = FCA_NR_EDGES;
	for (uint64_t i = 0; i < nr; i++)
		edge_count(f->strand, 0x400000 + 16 * i, 1 + i % 1000);
	assert_true(f->table.lost > 0);
	assert_int_equal(f->table.nr, FCA_NR_EDGES / 4 * 3);
	assert_int_equal(last_of(&f->table)->ret, 0);
	sum_up(f);
	assert_int_equal(told.nr_lost, f->table.lost);
	assert_int_equal(told.nr_calls + told.nr_lost, nr);
	destroy(f);
}

/* However alike they are, each place is tried and none behind the last. */
static void edges_that_meet_end_before_the_table_does(void **state)
{
	struct fixture *f = create();
	uint64_t first = 0;
	while (fca_edge_index(first, FUNC) != FCA_NR_EDGES - 1)
		first += 4;
	for (uint64_t i = 0; i < 1000; i++)
		edge_count(f->strand, first + (i << 32), FUNC);
	assert_int_equal(f->table.nr, FCA_EDGES_TAIL);
	assert_int_equal(f->table.lost, 1000 - FCA_EDGES_TAIL);
	assert_int_equal(last_of(&f->table)->ret, 0);
	sum_up(f);
	assert_int_equal(told.nr_calls + told.nr_lost, 1000);
	destroy(f);
}

static void a_full_count_goes_on_in_a_place_of_its_own(void **state)
{
	struct fixture *f = create();
	edge_count(f->strand, 0x401234, FUNC);
	struct fca_edge *e = find(&f->table, 0x401234, FUNC);
	for (int i = 0; i < 2; i++) {
		e->calls |= ((1ull << 39) - 1) << FCA_EDGE_CALLS;
		e->calls += ONE_CALL; /* as a stub does, which then comes here */
		edge_count(f->strand, 0x401234, FUNC);
		assert_int_equal(e->calls, FUNC);
	}
	edge_count(f->strand, 0x401234, FUNC);
	sum_up(f);
	assert_int_equal(told.nr, 1);
	assert_int_equal(told.at[0].callee, FUNC);
	assert_int_equal(told.at[0].calls, (2ull << 39) + 1);
	destroy(f);
}

/* A handler's stub that sees a place half taken goes on to the next. */
static void a_place_that_is_being_taken_is_passed_by(void **state)
{
	struct fixture *f = create();
	struct fca_edge *first = &f->table.at[fca_edge_index(0x401234, FUNC)];
	first->ret = 0x401234;
	edge_count(f->strand, 0x401234, FUNC);
	assert_int_equal(first[0].calls, 0);
	assert_int_equal(first[1].calls, ONE_CALL | FUNC);
	first->calls = 3 * ONE_CALL | FUNC; /* its own taker goes on */
	sum_up(f);
	assert_int_equal(told.nr_calls, 4);
	destroy(f);
}

static const char source[] =
	"void _start(void) {}\n"
	"__attribute__((noinline)) int first(int a) { return a * 3; }\n"
	"__asm__(\".text\\n.p2align 4\\n.globl second\\n.type second, @function\\nsecond:\\n"
	" call first\\n call first\\n.size second, .-second\\n .zero 64, 0xcc\\n"
	".type second.cold, @function\\nsecond.cold:\\n call first\\n ud2\\n"
	".size second.cold, .-second.cold\\n\");\n";

static struct fc_module open_module(void)
{
	static const struct fc_plan_opts all = { 0 };
	write_text("callers.c", source);
	run("gcc -O1 -nostdlib -static -o callers callers.c");
	struct fc_module module = { .elf = open_elf("callers") };
	assert_int_equal(fc_plan_create(module.elf, &all, &module.plan), 0);
	return module;
}

static uint64_t vaddr_of(const struct fc_module *module, const char *name)
{
	uint64_t vaddr = 0;
	assert_int_equal(fc_elf_symbol(module->elf, name, &vaddr), 0);
	return vaddr;
}

/* By a call of so many that returns to ret. */
static void expect_caller(const struct fc_places *places, uint64_t ret, const char *name,
			  const char *path)
{
	struct fixture *f = create();
	f->places = *places;
	edge_count(f->strand, ret, FUNC);
	sum_up(f);
	assert_int_equal(told.nr, 1);
	assert_string_equal(told.path[0], path);
	if (!name)
		assert_null(told.at[0].caller);
	else
		assert_string_equal(told.at[0].caller->name, name);
	f->places = (struct fc_places){ 0 };
	destroy(f);
}

static void a_caller_is_the_function_that_the_call_is_in(void **state)
{
	enum { CALL = 5, SPAN = 0x100000 };
	struct fc_module module = open_module();
	struct fc_places places = { 0 };
	uint64_t start = bias + (vaddr_of(&module, "second") & ~0xfffull);
	uint64_t second = vaddr_of(&module, "second") + bias;
	uint64_t cold = vaddr_of(&module, "second.cold") + bias;
	fc_places_add(&places, &(struct fc_mapped){ start, start + SPAN, bias, &module,
						    "/bin/callers" });
	fc_places_add(&places, &(struct fc_mapped){ start + 2 * SPAN, start + 3 * SPAN, 0, NULL,
						    "/lib/other.so" });

	expect_caller(&places, second + CALL, "second", "/bin/callers");
	/* The last instruction of its function: it returns to what follows. */
	expect_caller(&places, second + 2 * CALL, "second", "/bin/callers");
	expect_caller(&places, second + 2 * CALL + 16, NULL, "/bin/callers");
	expect_caller(&places, cold + CALL, "second", "/bin/callers");
	expect_caller(&places, start + 2 * SPAN + 8, NULL, "/lib/other.so");
	expect_caller(&places, start + SPAN + 8, NULL, "");

	/* The same again is the same; other code at the same place leaves it open. */
	fc_places_add(&places, &(struct fc_mapped){ start, start + SPAN, bias, &module,
						    "/bin/callers" });
	assert_int_equal(places.list.nr, 2);
	expect_caller(&places, second + CALL, "second", "/bin/callers");
	fc_places_add(&places,
		      &(struct fc_mapped){ start, start + SPAN, 0, NULL, "/lib/third.so" });
	expect_caller(&places, second + CALL, NULL, "");

	fc_places_deinit(&places);
	fc_plan_destroy(module.plan);
	fc_elf_close(module.elf);
}

static void strands_and_places_of_one_function_are_summed_up(void **state)
{
	struct fc_module module = open_module();
	struct fc_tap tap = { .edges = remember };
	struct fc_edges *edges = fc_edges_create();
	uint64_t second = vaddr_of(&module, "second") + bias;
	for (int i = 1; i <= 2; i++) {
		struct fixture *f = create();
		fc_places_add(&f->places, &(struct fc_mapped){ second, second + 4096, bias,
							       &module, "/bin/callers" });
		for (int k = 0; k < 10 * i; k++)
			edge_count(f->strand, second + 5 * i, FUNC);
		fc_edges_take(edges, &f->places, &f->table);
		destroy(f);
	}
	fc_edges_lose(edges, 3);
	fc_edges_tell(edges, &tap);
	assert_int_equal(told.nr, 1);
	assert_int_equal(told.at[0].calls, 30);
	assert_int_equal(told.nr_lost, 3);
	fc_edges_destroy(edges);
	fc_plan_destroy(module.plan);
	fc_elf_close(module.elf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls_are_counted_by_place_and_function),
		cmocka_unit_test(what_finds_no_place_is_counted_as_lost),
		cmocka_unit_test(edges_that_meet_end_before_the_table_does),
		cmocka_unit_test(a_full_count_goes_on_in_a_place_of_its_own),
		cmocka_unit_test(a_place_that_is_being_taken_is_passed_by),
		cmocka_unit_test(a_caller_is_the_function_that_the_call_is_in),
		cmocka_unit_test(strands_and_places_of_one_function_are_summed_up),
	};
	return cmocka_run_group_tests(tests, enter_work_dir, leave_work_dir);
}
