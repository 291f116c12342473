/* SPDX-License-Identifier: Apache-2.0 */
/* The stubs are kept as bytes, which an assembler makes. */
#include "arch/test_arch.h"

#include <sys/wait.h>

#include "arch/x86_64/stub_bytes_x86_64.h"
#include "capture/agent/stub_x86_64.h"

enum { FUNC = 0x123456, POOL_BEFORE = 0x1000, READ_SIZE = CALL_LOADED - CALL_RETRY };

static const uint8_t nops[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };

/* A stub whose body is one nop, as the witness's is empty. */
static size_t emit_watched(enum fc_stub_kind kind, bool can_count, uint8_t watch,
			   uint64_t taddr, uint8_t *ret)
{
	struct fc_stub stub = {
		.kind = kind,
		.func = FUNC,
		.can_count = can_count,
		.watch = watch,
		.code = nops,
		.window = { .vaddr = 0x1000, .jump_size = 5, .size = 5, .moved_size = 5 },
		.bias = taddr - 0x100000,
		.taddr = taddr,
		.pool_taddr = taddr - POOL_BEFORE,
	};
	size_t size = arch->stub->emit_stub(&stub, ret);
	assert_in_range(size, 1, arch->stub->stub_size(kind, &stub.window, can_count));
	return size;
}

static size_t emit_for(enum fc_stub_kind kind, bool can_count, uint64_t taddr, uint8_t *ret)
{
	return emit_watched(kind, can_count, 0, taddr, ret);
}

static size_t emit(enum fc_stub_kind kind, uint64_t taddr, uint8_t *ret)
{
	return emit_for(kind, false, taddr, ret);
}

static void substitute(uint8_t *code, size_t size, uint32_t from, uint32_t to)
{
	size_t nr = 0;
	for (size_t i = 0; i + 4 <= size; i++)
		if (!memcmp(code + i, &from, 4)) {
			memcpy(code + i, &to, 4);
			nr++;
		}
	assert_int_equal(nr, 1);
}

static uint32_t at32(const uint8_t *at)
{
	uint32_t value;
	memcpy(&value, at, sizeof(value));
	return value;
}

static void expect_bytes(const uint8_t *ours, const uint8_t *theirs, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (ours[i] != theirs[i])
			fail_msg("at %#zx: %02x, the assembler says %02x", i, ours[i],
				 theirs[i]);
}

/* scripts/stubs makes them of one source. */
static void what_is_kept_is_what_the_assembler_makes_of_the_source(void **state)
{
	char command[PATH_MAX + 64];
	snprintf(command, sizeof(command), "'%s/scripts/stubs' --check", source_dir);
	int status = system(command);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		skip();
	assert_int_equal(status, 0);
}

/* Each function that is hooked has one. */
static void no_stub_is_larger_than_it_was(void **state)
{
	assert_in_range(CALL_BODY, 1, 306);
	assert_in_range(ONLY_BODY, 1, 126);
	assert_in_range(COUNT_BODY, 1, 58);
	assert_in_range(EDGE_BODY, 1, 125);
	assert_in_range(COUNTED_SIZE, 1, 46);
	assert_in_range(DETOUR_SIZE, 1, 80);
}

static void the_stub_of_a_call_is_its_bytes_with_the_numbers_filled_in(void **state)
{
	uint8_t ours[1024], theirs[sizeof(call_bytes)];
	memcpy(theirs, call_bytes, sizeof(theirs));
	emit(FC_STUB_CALL, 0x7f1234567890, ours);
	assert_int_equal(arch->stub->places[FCA_PLACE_BODY], sizeof(theirs));
	assert_int_equal(at32(theirs + arch->stub->places[FCA_PLACE_ID]), 0x11111111);
	substitute(theirs, sizeof(theirs), 0x11111111, (uint32_t)fc_record(0, FUNC, FC_ENTRY));
	substitute(theirs, sizeof(theirs), 0x22222222, (uint32_t)fc_record(0, FUNC, FC_EXIT));
	expect_bytes(ours, theirs, sizeof(theirs));
}

static void the_stub_of_an_entry_is_its_bytes_with_the_numbers_filled_in(void **state)
{
	uint8_t ours[1024], theirs[sizeof(only_bytes)];
	memcpy(theirs, only_bytes, sizeof(theirs));
	emit(FC_STUB_ENTRY_ONLY, 0x7f1234567890, ours);
	assert_int_equal(arch->stub->places[FCA_PLACE_OTHER_BODY], sizeof(theirs));
	assert_int_equal(at32(theirs + arch->stub->places[FCA_PLACE_OTHER_ID]), 0x11111111);
	substitute(theirs, sizeof(theirs), 0x11111111,
		   (uint32_t)fc_record(0, FUNC, FC_ENTRY_ONLY));
	expect_bytes(ours, theirs, sizeof(theirs));
}

static void the_stub_of_a_count_is_its_bytes_with_the_numbers_filled_in(void **state)
{
	uint8_t ours[1024], theirs[sizeof(count_bytes)];
	memcpy(theirs, count_bytes, sizeof(theirs));
	emit(FC_STUB_COUNT, 0x7f1234567890, ours);
	assert_int_equal(arch->stub->places[FCA_PLACE_COUNT_BODY], sizeof(theirs));
	assert_int_equal(at32(theirs + arch->stub->places[FCA_PLACE_COUNT]), 0x11111111);
	substitute(theirs, sizeof(theirs), 0x11111111, FUNC * 8);
	expect_bytes(ours, theirs, sizeof(theirs));
}

/* A call comes to the agent also when its strand is off, and so does each return. */
static void a_gate_differs_by_where_two_jumps_lead(void **state)
{
	enum { JNE = 0x75, JMP = 0xeb };
	const struct {
		enum fc_stub_kind kind;
		uint32_t gate;
	} gates[] = { { FC_STUB_CALL, arch->stub->places[FCA_PLACE_GATE] },
		      { FC_STUB_ENTRY_ONLY, arch->stub->places[FCA_PLACE_OTHER_GATE] },
		      { FC_STUB_GO, arch->stub->places[FCA_PLACE_OTHER_GATE] } };
	for (size_t i = 0; i < sizeof(gates) / sizeof(gates[0]); i++) {
		uint8_t plain[1024], gate[1024];
		size_t size = emit(gates[i].kind, 0x500000, plain);
		struct fc_stub stub = {
			.kind = gates[i].kind,
			.func = FUNC,
			.is_gate = true,
			.code = nops,
			.window = { .vaddr = 0x1000,
				    .jump_size = 5,
				    .size = 5,
				    .moved_size = 5 },
			.bias = 0x500000 - 0x100000,
			.taddr = 0x500000,
			.pool_taddr = 0x500000 - POOL_BEFORE,
		};
		assert_int_equal(arch->stub->emit_stub(&stub, gate), size);
		size_t at = gates[i].gate, exit = CALL_EXIT_LOADED + 8;
		assert_int_equal(plain[at - 1], JNE);
		assert_int_equal(at + 1 + plain[at],
				 gates[i].kind == FC_STUB_CALL ? CALL_OFF : ONLY_OFF);
		assert_int_equal(gate[at], 0);
		gate[at] = plain[at];
		if (gates[i].kind == FC_STUB_CALL) {
			assert_int_equal(plain[exit], JNE);
			assert_int_equal(exit + 2 + plain[exit + 1], CALL_SPECIAL_EXIT);
			assert_int_equal(gate[exit], JMP);
			gate[exit] = JNE;
		}
		expect_bytes(gate, plain, size);
	}
}

static void the_stub_of_an_edge_is_its_bytes_with_the_numbers_filled_in(void **state)
{
	uint8_t ours[1024], theirs[sizeof(edge_bytes)];
	memcpy(theirs, edge_bytes, sizeof(theirs));
	emit(FC_STUB_EDGE, 0x7f1234567890, ours);
	assert_int_equal(arch->stub->places[FCA_PLACE_EDGE_BODY], sizeof(theirs));
	assert_int_equal(at32(theirs + arch->stub->places[FCA_PLACE_EDGE_ID]), 0x11111111);
	substitute(theirs, sizeof(theirs), 0x11111111, FUNC);
	substitute(theirs, sizeof(theirs), 0x22222222, fca_edge_scatter(FUNC));
	expect_bytes(ours, theirs, sizeof(theirs));
}

/* Where the switch leads to when calls are to be counted, and where that leads to. */
static void expect_counted_end(enum fc_stub_kind kind, uint32_t body_off)
{
	uint8_t ours[1024], plain[1024], theirs[COUNTED_SIZE];
	memcpy(theirs, counted_bytes, sizeof(counted_bytes));
	uint32_t end = emit(kind, 0x500000, plain);
	assert_int_equal(at32(plain + CALL_SWITCH) + CALL_SWITCHED, body_off);

	assert_int_equal(emit_for(kind, true, 0x500000, ours), end + sizeof(theirs));
	assert_int_equal(at32(ours + CALL_SWITCH) + CALL_SWITCHED, end);
	expect_bytes(ours + CALL_SWITCHED, plain + CALL_SWITCHED, end - CALL_SWITCHED);

	substitute(theirs, sizeof(theirs), 0x11111111, FUNC * 8);
	substitute(theirs, sizeof(theirs), 0x22222222,
		   (uint32_t)(CALL_SWITCHED - (end + sizeof(theirs))));
	substitute(theirs, sizeof(theirs), 0x33333333,
		   (uint32_t)(body_off - (end + COUNTED_NONE)));
	expect_bytes(ours + end, theirs, sizeof(theirs));
}

static void a_switch_leads_to_a_counter_behind_the_body(void **state)
{
	expect_counted_end(FC_STUB_CALL, arch->stub->places[FCA_PLACE_BODY]);
	expect_counted_end(FC_STUB_ENTRY_ONLY, arch->stub->places[FCA_PLACE_OTHER_BODY]);
}

/* These leave all to the agent: behind the saved registers comes a jump to its door. */
static void the_agents_own_stubs_go_straight_to_it(void **state)
{
	static const struct {
		enum fc_stub_kind kind;
		int door;
	} own[] = { { FC_STUB_UNWIND, FCA_POOL_UNWIND },
		    { FC_STUB_DL, FCA_POOL_DL },
		    { FC_STUB_FILTER, FCA_POOL_FILTER } };
	enum { SAVED = 20, JMP = 0xe9, JMP_MEMORY_SIZE = 6 };
	const uint64_t special = ONLY_AGENT, body = ONLY_OFF;
	uint8_t only[1024], ours[1024];
	emit(FC_STUB_ENTRY_ONLY, 0x500000, only);
	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
		emit(own[i].kind, 0x500000, ours);
		expect_bytes(ours, only, SAVED);
		assert_int_equal(ours[SAVED], JMP);
		assert_int_equal(SAVED + 5 + at32(ours + SAVED + 1), special);
		expect_bytes(ours + special, only + special, body - 4 - special);
		uint64_t pointer = 0x500000 + body + (int32_t)at32(ours + body - 4);
		assert_int_equal(pointer, 0x500000 - POOL_BEFORE + 8 * own[i].door);
		assert_int_equal(ours[body - JMP_MEMORY_SIZE], 0xff);
	}
}

/* What a goroutine's stub writes itself is the same as what any entry-only stub writes. */
/* The jump behind "cmp limit(%rdx),%rax" is taken always, and leads where it led. */
static size_t expect_taken(const uint8_t *plain, const uint8_t *watched, size_t at)
{
	static const uint8_t compare[] = { 0x48, 0x3b, 0x42, 0x08 };
	bool is_far = plain[at] == 0x0f;
	assert_memory_equal(plain + at - sizeof(compare), compare, sizeof(compare));
	assert_int_equal(is_far ? plain[at + 1] : plain[at], is_far ? 0x83 : 0x73); /* jae */
	assert_int_equal(watched[at], is_far ? 0x90 : 0xeb);
	if (is_far)
		assert_int_equal(watched[at + 1], 0xe9);
	return is_far ? 2 : 1;
}

static void a_stub_that_is_watched_always_asks_the_agent(void **state)
{
	uint8_t plain[1024] = { 0 }, watched[1024] = { 0 };
	size_t flags = arch->stub->places[FCA_PLACE_LOOPS];
	emit(FC_STUB_CALL, 0x7f1234567890, plain);
	size_t size = emit_watched(FC_STUB_CALL, false, 100, 0x7f1234567890, watched);
	assert_int_equal(watched[flags] >> FCA_WATCH_SHIFT, 100);
	watched[flags] = plain[flags];
	size_t nr = 0;
	for (size_t i = 0; i < size; i++)
		if (plain[i] != watched[i]) {
			i += expect_taken(plain, watched, i) - 1;
			nr++;
		}
	assert_int_equal(nr, 2); /* at the entry and at the exit */

	emit(FC_STUB_ENTRY_ONLY, 0x7f1234567890, plain);
	size = emit_watched(FC_STUB_ENTRY_ONLY, false, 1, 0x7f1234567890, watched);
	assert_int_equal(watched[ONLY_LIMIT], ONLY_WATCHED);
	expect_taken(plain, watched, ONLY_LIMIT);
	assert_int_equal(watched[ONLY_WATCH], 1);
	assert_int_equal(ONLY_WATCH, ONLY_LIMIT + 2); /* behind the jump */
	watched[ONLY_LIMIT] = plain[ONLY_LIMIT];
	watched[ONLY_WATCH] = plain[ONLY_WATCH];
	assert_memory_equal(plain, watched, size);
}

static void a_go_stub_differs_by_its_door_alone(void **state)
{
	uint8_t only[1024], go[1024];
	emit(FC_STUB_ENTRY_ONLY, 0x500000, only);
	emit(FC_STUB_GO, 0x500000, go);
	size_t door = ONLY_OFF - 4;
	expect_bytes(go, only, door);
	assert_int_equal(at32(go + door) - at32(only + door),
			 8 * (FCA_POOL_GO - FCA_POOL_ENTRY_ONLY));
}

/* The record's low half is func << 3 | kind, added to a time whose low 26 bits are 0. */
static void the_largest_function_id_fits(void **state)
{
	uint8_t ours[1024];
	struct fc_stub stub = {
		.kind = FC_STUB_CALL,
		.func = FC_FUNC_MAX,
		.code = nops,
		.window = { .vaddr = 0x1000, .jump_size = 5, .size = 5, .moved_size = 5 },
		.taddr = 0x10000,
		.pool_taddr = 0xf000,
	};
	arch->stub->emit_stub(&stub, ours);
	uint32_t head = at32(ours + arch->stub->places[FCA_PLACE_ID]);
	assert_int_equal(head >> FC_RECORD_KIND_BITS, FC_FUNC_MAX);
	assert_true((int32_t)head > 0); /* lea sign-extends it */
}

static size_t nr_gs_reads_in(const uint8_t *stub, size_t size)
{
	static const uint8_t read[] = { 0x65, 0x48, 0x8b };
	size_t nr = 0;
	for (size_t i = 0; i + sizeof(read) <= size; i++)
		nr += !memcmp(stub + i, read, sizeof(read));
	return nr;
}

static void every_read_of_gs_in_a_stub_is_known(void **state)
{
	static const struct {
		enum fc_stub_kind kind;
		bool can_count;
		size_t nr;
	} kinds[] = {
		{ FC_STUB_CALL, false, 2 },	  { FC_STUB_CALL, true, 3 },
		{ FC_STUB_ENTRY_ONLY, false, 1 }, { FC_STUB_ENTRY_ONLY, true, 2 },
		{ FC_STUB_GO, false, 1 },	  { FC_STUB_COUNT, false, 1 },
		{ FC_STUB_EDGE, false, 1 },	  { FC_STUB_UNWIND, false, 0 },
		{ FC_STUB_DL, false, 0 },	  { FC_STUB_FILTER, false, 0 },
	};
	static const uint64_t detours[] = { 0, 0x600000 };
	for (size_t i = 0; i < 2 * sizeof(kinds) / sizeof(kinds[0]); i++) {
		uint8_t stub[1024];
		struct fc_strand_read reads[FC_MAX_STRAND_READS];
		size_t size =
			emit_for(kinds[i / 2].kind, kinds[i / 2].can_count, 0x500000, stub);
		size_t nr = arch->stub->strand_reads(kinds[i / 2].kind, stub, size, reads);
		assert_int_equal(nr, kinds[i / 2].nr);
		assert_int_equal(nr, nr_gs_reads_in(stub, size));
		for (size_t k = 0; k < nr; k++)
			assert_in_range(arch->stub->drop_strand_read(&reads[k], 0x500000, detours[i % 2],
							   stub + reads[k].off),
					1, READ_SIZE);
		assert_int_equal(nr_gs_reads_in(stub, size), 0);
		assert_int_equal(arch->stub->strand_reads(kinds[i / 2].kind, stub, size, reads), 0);
	}
}

static void detours_are_what_the_assembler_makes_of_them(void **state)
{
	static const uint64_t table = 0x1122334455667788;
	enum { OFF = 20, AT = 0x500000, BACK = AT + 0x1000, AGENT = AT + 0x2000 };
	const uint64_t stub = BACK - READ_SIZE - OFF;
	if (!has_assembler())
		skip();
	for (int is_counts = 0; is_counts < 2; is_counts++) {
		size_t size;
		assemble(is_counts ? "detour_counts.S" : "detour_strand.S", "detour.o");
		fc_auto_free uint8_t *theirs = text_of("detour.o", &size);
		uint8_t ours[DETOUR_SIZE];
		struct fc_strand_read read = { OFF, (uint16_t)(AGENT - stub), is_counts };
		assert_int_equal(size, sizeof(ours));
		arch->stub->make_detour(&read, stub, AT, table, ours);
		expect_bytes(ours, theirs, size);
		assert_int_equal(ours[0] == COUNTS_DETOUR_FIRST, is_counts);
	}
}

/* A ledger is read from a program's memory, and may say anything of its windows. */
static void a_window_of_any_bytes_has_no_more_moves_than_there_is_room_for(void **state)
{
	static const uint8_t insns[][3] = { { 1, 0x90 }, { 2, 0x74, 0 }, { 2, 0xff, 0xd0 } };
	for (size_t i = 0; i < sizeof(insns) / sizeof(insns[0]); i++)
		for (unsigned size = 1; size <= UINT8_MAX; size++) {
			uint8_t code[UINT8_MAX + 2];
			struct {
				struct fc_move at[FC_MAX_MOVES];
				uint8_t guard[64];
			} moves = { 0 };
			for (size_t at = 0; at < UINT8_MAX; at += insns[i][0])
				memcpy(code + at, insns[i] + 1, insns[i][0]);
			struct fc_stub stub = {
				.kind = FC_STUB_CALL,
				.code = code,
				.window = { .vaddr = 1ull << 40, .size = (uint8_t)size },
				.taddr = (1ull << 40) + 0x10000,
				.pool_taddr = (1ull << 40) + 0xf000,
			};
			assert_in_range(arch->stub->moves(&stub, moves.at), 0, FC_MAX_MOVES);
			for (size_t k = 0; k < sizeof(moves.guard); k++)
				assert_int_equal(moves.guard[k], 0);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_kept_is_what_the_assembler_makes_of_the_source),
		cmocka_unit_test(no_stub_is_larger_than_it_was),
		cmocka_unit_test(the_stub_of_a_call_is_its_bytes_with_the_numbers_filled_in),
		cmocka_unit_test(the_stub_of_an_entry_is_its_bytes_with_the_numbers_filled_in),
		cmocka_unit_test(the_stub_of_a_count_is_its_bytes_with_the_numbers_filled_in),
		cmocka_unit_test(a_gate_differs_by_where_two_jumps_lead),
		cmocka_unit_test(the_stub_of_an_edge_is_its_bytes_with_the_numbers_filled_in),
		cmocka_unit_test(a_switch_leads_to_a_counter_behind_the_body),
		cmocka_unit_test(the_agents_own_stubs_go_straight_to_it),
		cmocka_unit_test(a_stub_that_is_watched_always_asks_the_agent),
		cmocka_unit_test(a_go_stub_differs_by_its_door_alone),
		cmocka_unit_test(the_largest_function_id_fits),
		cmocka_unit_test(every_read_of_gs_in_a_stub_is_known),
		cmocka_unit_test(detours_are_what_the_assembler_makes_of_them),
		cmocka_unit_test(
			a_window_of_any_bytes_has_no_more_moves_than_there_is_room_for),
	};
	return cmocka_run_group_tests(tests, enter_arch_dir, leave_work_dir);
}
