/* SPDX-License-Identifier: Apache-2.0 */
/* A tap between two others passes everything on, and what the next cannot do it cannot either. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "calls/pass.h"

/* Of any struct fc_tap, whatever functions there will be. */
enum { NR = sizeof(struct fc_tap) / sizeof(void (*)(void)) };

union tap {
	struct fc_tap tap;
	void (*fn[NR])(void);
};

struct heard {
	union tap as;
	struct fc_tap *tap; /* as it was called with */
	const void *what;
	uint64_t number;
	const char *name;
};

static struct heard heard;

static int hear(struct fc_tap *tap, const char *name, const void *what, uint64_t number)
{
	heard.tap = tap;
	heard.name = name;
	heard.what = what;
	heard.number = number;
	return 17;
}

static int on_module(struct fc_tap *tap, const struct fc_module_info *info)
{
	return hear(tap, "module", info, 0);
}

static int on_map(struct fc_tap *tap, const struct fc_map_info *info)
{
	return hear(tap, "map", info, 0);
}

static int on_life(struct fc_tap *tap, const struct fc_life_info *info)
{
	return hear(tap, "life", info, 0);
}

static int on_records(struct fc_tap *tap, const struct fc_strand_info *strand,
		      const uint64_t *words, size_t nr_words, uint64_t now_tsc)
{
	return hear(tap, "records", strand, words[nr_words - 1] + now_tsc);
}

static int on_strand_end(struct fc_tap *tap, const struct fc_strand_info *strand, uint64_t tsc)
{
	return hear(tap, "strand_end", strand, tsc);
}

static int on_tick(struct fc_tap *tap, uint64_t now_tsc)
{
	return hear(tap, "tick", NULL, now_tsc);
}

static int on_hooks(struct fc_tap *tap, const struct fc_hook_info *info, size_t nr)
{
	return hear(tap, "hooks", info, nr);
}

static int on_counts(struct fc_tap *tap, uint64_t tsc, const uint64_t *calls, uint32_t nr)
{
	return hear(tap, "counts", calls, tsc + nr);
}

static int on_dump(struct fc_tap *tap, const char *why, bool is_end,
		   void (*pour)(void *ctx, struct fc_tap *to), void *ctx)
{
	return hear(tap, why, ctx, is_end + !pour);
}

static int on_filter(struct fc_tap *tap, const struct fc_filter_info *info)
{
	return hear(tap, "filter", info, 0);
}

static bool on_is_filtering(struct fc_tap *tap)
{
	return hear(tap, "is_filtering", NULL, 0);
}

static int on_edges(struct fc_tap *tap, const struct fc_edge *edges, size_t nr, uint64_t nr_lost)
{
	return hear(tap, "edges", edges, nr + nr_lost);
}

static void assert_heard(const char *name, const void *what, uint64_t number)
{
	assert_string_equal(heard.name, name);
	assert_ptr_equal(heard.tap, &heard.as.tap);
	assert_ptr_equal(heard.what, what);
	assert_int_equal(heard.number, number);
	heard.name = "";
}

static struct fc_tap *pass_to_heard(struct fc_pass *pass)
{
	heard.as.tap = (struct fc_tap){
		.module = on_module,
		.map = on_map,
		.life = on_life,
		.records = on_records,
		.strand_end = on_strand_end,
		.tick = on_tick,
		.hooks = on_hooks,
		.counts = on_counts,
		.dump = on_dump,
		.filter = on_filter,
		.is_filtering = on_is_filtering,
		.edges = on_edges,
	};
	fc_pass_init(pass, &heard.as.tap);
	return &pass->tap;
}

static void everything_comes_to_the_next_as_it_was(void **state)
{
	struct fc_pass pass;
	struct fc_tap *tap = pass_to_heard(&pass);
	struct fc_module_info module = { 0 };
	struct fc_map_info map = { 0 };
	struct fc_life_info life = { 0 };
	struct fc_strand_info strand = { 0 };
	struct fc_hook_info hook = { 0 };
	struct fc_filter_info filter = { 0 };
	struct fc_edge edge = { 0 };
	uint64_t words[2] = { 100, 200 };

	assert_int_equal(tap->module(tap, &module), 17);
	assert_heard("module", &module, 0);
	assert_int_equal(tap->map(tap, &map), 17);
	assert_heard("map", &map, 0);
	assert_int_equal(tap->life(tap, &life), 17);
	assert_heard("life", &life, 0);
	assert_int_equal(tap->records(tap, &strand, words, 2, 3), 17);
	assert_heard("records", &strand, 203);
	assert_int_equal(tap->strand_end(tap, &strand, 5), 17);
	assert_heard("strand_end", &strand, 5);
	assert_int_equal(tap->tick(tap, 6), 17);
	assert_heard("tick", NULL, 6);
	assert_int_equal(tap->hooks(tap, &hook, 7), 17);
	assert_heard("hooks", &hook, 7);
	assert_int_equal(tap->counts(tap, 10, words, 2), 17);
	assert_heard("counts", words, 12);
	assert_int_equal(tap->dump(tap, "a reason", true, NULL, &map), 17);
	assert_heard("a reason", &map, 2);
	assert_int_equal(tap->filter(tap, &filter), 17);
	assert_heard("filter", &filter, 0);
	assert_true(tap->is_filtering(tap));
	assert_heard("is_filtering", NULL, 0);
	assert_int_equal(tap->edges(tap, &edge, 20, 1), 17);
	assert_heard("edges", &edge, 21);
}

/* Fails when struct fc_tap has a function that is not passed on. */
static void no_function_of_a_tap_is_forgotten(void **state)
{
	union tap next = { 0 }, is_there;
	struct fc_pass pass;

	for (size_t i = 0; i < NR; i++) {
		next.fn[i] = (void (*)(void))on_tick; /* never called */
		fc_pass_init(&pass, &next.tap);
		is_there.tap = pass.tap;
		for (size_t k = 0; k < NR; k++)
			assert_int_equal(!!is_there.fn[k], k <= i);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everything_comes_to_the_next_as_it_was),
		cmocka_unit_test(no_function_of_a_tap_is_forgotten),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
