/* SPDX-License-Identifier: Apache-2.0 */
/* Where a stub pool goes: in reach of its module, and in nobody's way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
/* after those it needs */
#include <cmocka.h>

#include "base/memory.h"
#include "capture/target/maps.h"

enum { MIB = 1 << 20, BRK_RANDOM = 32 * MIB };
static const uint64_t gib = 1ull << 30;

struct area {
	uint64_t start, end;
	const char *path;
};

static struct fc_maps make_maps(const struct area *areas, size_t nr)
{
	struct fc_maps maps = { 0 };
	for (size_t i = 0; i < nr; i++) {
		fc_maps_add(&maps, areas[i].start, areas[i].end);
		free(maps.at[i].path);
		maps.at[i].path = fc_strdup(areas[i].path);
	}
	return maps;
}

static uint64_t absolute_difference(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

/* What must hold of every place. */
static void check_place(const struct fc_maps *maps, uint64_t start, uint64_t end, uint64_t at,
			uint64_t size)
{
	assert_int_equal(at % 4096, 0);
	assert_true(at >= 0x10000);
	assert_true(at + size < 1ull << 47);
	assert_true(absolute_difference(at, end) < 1ull << 31);
	assert_true(absolute_difference(at + size, start) < 1ull << 31);
	for (size_t i = 0; i < maps->nr; i++)
		assert_true(at + size <= maps->at[i].start || at >= maps->at[i].end);
}

static uint64_t place(const struct area *areas, size_t nr, uint64_t start, uint64_t end,
		      uint64_t size)
{
	struct fc_maps maps = make_maps(areas, nr);
	uint64_t at = fc_maps_place(&maps, start, end, size);
	if (at)
		check_place(&maps, start, end, at, size);
	fc_maps_deinit(&maps);
	return at;
}

#define PLACE(areas, start, end, size)                                                         \
	place(areas, sizeof(areas) / sizeof((areas)[0]), start, end, size)

static const struct area pie[] = {
	{ 0x555555554000, 0x555555700000, "/bin/x" },
	{ 0x555555710000, 0x555555731000, "[heap]" },
	{ 0x7ffff7d00000, 0x7ffff7f00000, "/lib/libc.so.6" },
	{ 0x7ffff7fc5000, 0x7ffff7ffe000, "/lib/ld.so" },
	{ 0x7ffffffde000, 0x7ffffffff000, "[stack]" },
	{ 0xffffffffff600000, 0xffffffffff601000, "[vsyscall]" },
};

static void below_a_pie_program(void **state)
{
	uint64_t at = PLACE(pie, 0x555555554000, 0x555555700000, 2 * MIB);
	assert_true(at && at + 2 * MIB <= 0x555555554000);
	assert_true(0x555555554000 - at < 4 * MIB);
}

static void below_the_libraries(void **state)
{
	uint64_t at = PLACE(pie, 0x7ffff7d00000, 0x7ffff7f00000, MIB);
	assert_true(at && at < 0x7ffff7d00000);
}

/* The kernel lets no stack grow to within 1 MiB of another mapping. */
static void never_where_the_stack_grows(void **state)
{
	static const struct area full[] = {
		{ 0x10000, 0x7fff00000000, "/lib/large" },
		{ 0x7ffff7000000, 0x7ffff7100000, "/lib/ld.so" },
		{ 0x7ffffffde000, 0x7ffffffff000, "[stack]" },
	};
	uint64_t at = PLACE(full, 0x7ffff7000000, 0x7ffff7100000, MIB);
	assert_true(at < 0x7ffff7000000);
	static const struct area fuller[] = {
		{ 0x10000, 0x7ffff7100000, "/lib/ld.so" },
		{ 0x7ffffffde000, 0x7ffffffff000, "[stack]" },
	};
	assert_int_equal(PLACE(fuller, 0x7ffff7000000, 0x7ffff7100000, MIB), 0);
}

static void a_small_pool_goes_below_a_program_at_4_mib(void **state)
{
	static const struct area exec[] = {
		{ 0x400000, 0x500000, "/bin/x" },
		{ 0x7ffff7fc5000, 0x7ffff7ffe000, "/lib/ld.so" },
		{ 0x7ffffffde000, 0x7ffffffff000, "[stack]" },
	};
	uint64_t at = PLACE(exec, 0x400000, 0x500000, MIB);
	assert_true(at && at < 0x400000);
}

/* Before a program runs its heap is not there yet: it will start up to 32 MiB above. */
static void a_large_pool_leaves_room_for_the_heap_of_a_program_at_4_mib(void **state)
{
	static const struct area exec[] = {
		{ 0x400000, 0x2400000, "/bin/x" },
		{ 0x7ffff7fc5000, 0x7ffff7ffe000, "/lib/ld.so" },
		{ 0x7ffffffde000, 0x7ffffffff000, "[stack]" },
	};
	uint64_t at = PLACE(exec, 0x400000, 0x2400000, 6 * MIB);
	assert_true(at >= 0x2400000 + gib / 2 + BRK_RANDOM);
	at = PLACE(exec, 0x400000, 0x2400000, 40 * MIB);
	assert_true(at >= 0x2400000 + gib / 2 + BRK_RANDOM);
}

static void a_large_pool_leaves_room_above_a_heap(void **state)
{
	static const struct area exec[] = {
		{ 0x400000, 0x500000, "/bin/x" },
		{ 0x512000, 0x533000, "[heap]" },
		{ 0x7ffff7fc5000, 0x7ffff7ffe000, "/lib/ld.so" },
		{ 0x7ffffffde000, 0x7ffffffff000, "[stack]" },
	};
	uint64_t at = PLACE(exec, 0x400000, 0x500000, 6 * MIB);
	assert_true(at >= 0x533000 + gib / 2);
}

static void between_libraries_that_leave_a_gap(void **state)
{
	static const struct area libs[] = {
		{ 0x7fff70000000, 0x7ffff0000000, "/lib/large" },
		{ 0x7ffff4000000, 0x7ffff4100000, "/lib/here" },
		{ 0x7ffff4100000, 0x7ffff8000000, "/lib/large" },
	};
	uint64_t at = PLACE(libs, 0x7ffff4000000, 0x7ffff4100000, 2 * MIB);
	assert_in_range(at, 0x7ffff0000000, 0x7ffff4000000 - 2 * MIB);
}

static void a_module_larger_than_a_jump_has_no_place(void **state)
{
	static const struct area large[] = { { 0x100000000000, 0x100080000000, "/lib/huge" } };
	assert_int_equal(PLACE(large, 0x100000000000, 0x100080000000, MIB), 0);
}

static void no_place_in_a_full_neighbourhood(void **state)
{
	static const struct area full[] = { { 0x100000000000, 0x200000000000, "/lib/x" } };
	assert_int_equal(PLACE(full, 0x180000000000, 0x180000100000, MIB), 0);
}

/* The vsyscall page is 10 MiB below the end of all addresses. */
static void a_pool_of_100_mib_does_not_run_over_the_end_of_all_addresses(void **state)
{
	static const struct area full[] = {
		{ 0x10000, 0x7fffff000000, "/lib/x" },
		{ 0xffffffffff600000, 0xffffffffff601000, "[vsyscall]" },
	};
	assert_int_equal(PLACE(full, 0x7ffff7000000, 0x7ffff7100000, 100 * MIB), 0);
}

static void maps_noted_later_keep_the_order_and_are_kept_free(void **state)
{
	struct fc_maps maps = make_maps(pie, sizeof(pie) / sizeof(pie[0]));
	for (int i = 0; i < 100; i++) {
		uint64_t at = fc_maps_place(&maps, 0x7ffff7d00000, 0x7ffff7f00000, MIB);
		assert_true(at);
		check_place(&maps, 0x7ffff7d00000, 0x7ffff7f00000, at, MIB);
		fc_maps_add(&maps, at, at + MIB);
	}
	for (size_t i = 1; i < maps.nr; i++)
		assert_true(maps.at[i - 1].end <= maps.at[i].start);
	fc_maps_deinit(&maps);
}

static void every_place_is_good_in_random_address_spaces(void **state)
{
	srand(1);
	size_t nr_places = 0;
	for (int round = 0; round < 20000; round++) {
		struct fc_maps maps = { 0 };
		uint64_t at = rand() % 2 ? 0x400000 : 0x7ff000000000 + rand() % 4096 * 4096;
		int nr = 1 + rand() % 12, chosen = rand() % nr;
		uint64_t start = 0, end = 0;
		for (int i = 0; i < nr; i++) {
			uint64_t size = (1 + rand() % (1 << rand() % 18)) * 4096ull;
			fc_maps_add(&maps, at, at + size);
			if (i == chosen) {
				start = at;
				end = at + size;
			}
			at += size + rand() % (1 << rand() % 18) * 4096ull;
		}
		uint64_t size = (1 + rand() % (1 << rand() % 16)) * 4096ull;
		uint64_t place = fc_maps_place(&maps, start, end, size);
		if (place) {
			check_place(&maps, start, end, place, size);
			nr_places++;
		}
		fc_maps_deinit(&maps);
	}
	assert_true(nr_places > 19000);
}

static void this_process_own_maps_are_read(void **state)
{
	struct fc_maps maps;
	assert_int_equal(fc_maps_read(getpid(), &maps), 0);
	uint64_t here = (uint64_t)(uintptr_t)this_process_own_maps_are_read;
	bool is_found = false, has_stack = false;
	for (size_t i = 0; i < maps.nr; i++) {
		const struct fc_map *map = &maps.at[i];
		assert_true(map->start < map->end);
		assert_true(!i || maps.at[i - 1].end <= map->start);
		if (here >= map->start && here < map->end) {
			assert_true(map->is_exec && map->ino && map->path[0] == '/');
			is_found = true;
		}
		has_stack |= !strcmp(map->path, "[stack]");
	}
	assert_true(is_found && has_stack);
	fc_maps_deinit(&maps);
}

static void a_process_that_is_gone_has_no_maps(void **state)
{
	struct fc_maps maps;
	assert_true(fc_maps_read(0x7ffffff0, &maps) < 0);
	fc_maps_deinit(&maps);
}

#define FIND(areas, first, last, keep_start, keep_end)                                         \
	find(areas, sizeof(areas) / sizeof((areas)[0]), first, last, keep_start, keep_end)

static uint64_t find(const struct area *areas, size_t nr, uint64_t first, uint64_t last,
		     uint64_t keep_start, uint64_t keep_end)
{
	struct fc_maps maps = make_maps(areas, nr);
	uint64_t at = fc_maps_find(&maps, first, last, 16, keep_start, keep_end);
	fc_maps_deinit(&maps);
	return at;
}

static void a_hop_is_where_it_must_be_or_nowhere(void **state)
{
	/* free */
	assert_int_equal(FIND(pie, 0x555500001234, 0x555500001234, 0, 0), 0x555500001234);
	/* a page of its own, if there is a choice */
	assert_int_equal(FIND(pie, 0x555500001234, 0x555500002233, 0, 0), 0x555500002000);
	assert_int_equal(FIND(pie, 0x555500001234, 0x555500001fff, 0, 0), 0x555500001234);
	/* in a mapping, or close to one */
	assert_int_equal(FIND(pie, 0x7ffff7d01234, 0x7ffff7d01234, 0, 0), 0);
	assert_int_equal(FIND(pie, 0x7ffff7cff000, 0x7ffff7cfffff, 0, 0), 0);
	assert_int_equal(FIND(pie, 0x7ffff7f00000, 0x7ffff7f01000, 0, 0), 0);
	/* a part of the range is free: the gap between two libraries */
	uint64_t at = FIND(pie, 0x7ffff7d00000, 0x7ffff7fff000, 0, 0);
	assert_in_range(at, 0x7ffff7f10000, 0x7ffff7fb4ff0);
	/* where the stack may grow, and beyond what is a program's */
	assert_int_equal(FIND(pie, 0x7ffffff00000, 0x7ffffff00fff, 0, 0), 0);
	assert_int_equal(FIND(pie, 0x800000000000, 0x800000100000, 0, 0), 0);
	assert_int_equal(FIND(pie, 0xfffffffff0000000, 0xfffffffff0000000, 0, 0), 0);
	assert_int_equal(FIND(pie, 0x1000, 0x2000, 0, 0), 0);
}

static void no_hop_is_where_a_heap_grows(void **state)
{
	uint64_t end = 0x555555700000;
	assert_int_equal(FIND(pie, end + 256 * MIB, end + 256 * MIB + 255, end, end + gib), 0);
	uint64_t at = FIND(pie, end + 256 * MIB, end + 2 * gib, end, end + gib);
	assert_in_range(at, end + gib, end + 2 * gib);
	assert_true(FIND(pie, end + gib + MIB, end + gib + MIB, end, end + gib));
	assert_true(FIND(pie, 0x555500001234, 0x555500001234, end, end + gib));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(below_a_pie_program),
		cmocka_unit_test(below_the_libraries),
		cmocka_unit_test(never_where_the_stack_grows),
		cmocka_unit_test(a_small_pool_goes_below_a_program_at_4_mib),
		cmocka_unit_test(a_large_pool_leaves_room_for_the_heap_of_a_program_at_4_mib),
		cmocka_unit_test(a_large_pool_leaves_room_above_a_heap),
		cmocka_unit_test(between_libraries_that_leave_a_gap),
		cmocka_unit_test(a_module_larger_than_a_jump_has_no_place),
		cmocka_unit_test(no_place_in_a_full_neighbourhood),
		cmocka_unit_test(a_pool_of_100_mib_does_not_run_over_the_end_of_all_addresses),
		cmocka_unit_test(maps_noted_later_keep_the_order_and_are_kept_free),
		cmocka_unit_test(every_place_is_good_in_random_address_spaces),
		cmocka_unit_test(this_process_own_maps_are_read),
		cmocka_unit_test(a_process_that_is_gone_has_no_maps),
		cmocka_unit_test(a_hop_is_where_it_must_be_or_nowhere),
		cmocka_unit_test(no_hop_is_where_a_heap_grows),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
