/* SPDX-License-Identifier: Apache-2.0 */
/* Stubs that take values without the agent: their code, and when there is none. */
#include "arch/test_arch.h"

#include "arch/x86_64/x86_64.h"
#include "capture/agent/stub_x86_64.h"

enum { FUNC = 0x123, TADDR = 0x500000, MAX_STUB = 4096 };

enum { RAX, RDX, RCX, RBX, RSI, RDI, R8 = 8, R9, R10, XMM0 = 17, XMM7 = 24, ST0 = 33 };

static const uint8_t nops[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };

#define VALUE(from_, reg_, size_)                                                              \
	{                                                                                      \
		.from = FCA_FROM_##from_, .how = FCA_FETCH_VALUE, .reg = reg_, .size = size_   \
	}

static const struct fca_fetch entry[] = {
	VALUE(INT, RDI, 8),	VALUE(INT, RSI, 4),
	VALUE(INT, RDX, 2),	VALUE(INT, RCX, 1),
	VALUE(INT, R8, 8),	VALUE(INT, RDI, 0), /* it is masked: there is no word of it */
	VALUE(INT, R9, 4),	VALUE(INT, R10, 4),
	VALUE(INT, RAX, 8),	{ .from = FCA_FROM_STACK, .size = 8, .off = 8 },
	VALUE(VECTOR, XMM0, 8), VALUE(VECTOR, XMM7, 4),
};

/* A pointer, which is NULL or -1 where the call has failed. */
static const struct fca_fetch result[] = {
	VALUE(INT, RAX, 8),
	{ .from = FCA_FROM_THREAD, .how = FCA_FETCH_ERROR, .size = 4, .unit = 1 },
};

static struct fca_fetches *fetches_of(const struct fca_fetch *fetch, size_t nr, bool is_exit)
{
	struct fca_fetches *ret = fc_alloc(fca_fetches_size((uint32_t)nr));
	ret->nr = (uint8_t)nr;
	ret->format = fca_format(FUNC, is_exit);
	memcpy(ret->fetch, fetch, nr * sizeof(*fetch));
	return ret;
}

static struct fc_stub stub_with(const struct fca_fetches *values,
				const struct fca_fetches *results)
{
	return (struct fc_stub){
		.kind = FC_STUB_CALL,
		.func = FUNC,
		.code = nops,
		.window = { .vaddr = 0x1000, .jump_size = 5, .size = 5, .moved_size = 5 },
		.bias = TADDR - 0x100000,
		.taddr = TADDR,
		.pool_taddr = TADDR - 0x1000,
		.values = values,
		.result = results,
	};
}

/* Where the stub jumps to from a place. */
static size_t led_to(const uint8_t *stub, size_t place)
{
	int32_t rel;
	assert_int_equal(stub[place], OP_JMP_REL32);
	memcpy(&rel, stub + place + 1, sizeof(rel));
	return place + JUMP_SIZE + (size_t)rel;
}

static void expect_same(const uint8_t *ours, const uint8_t *theirs, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (ours[i] != theirs[i])
			fail_msg("at %#zx: %02x, the assembler says %02x", i, ours[i],
				 theirs[i]);
}

static size_t emit(const struct fc_stub *stub, uint8_t *ret)
{
	size_t most = arch->stub->stub_size(stub->kind, &stub->window, stub->can_count);
	most += stub->values ? arch->stub->values_size(stub->values, false) : 0;
	most += stub->result ? arch->stub->values_size(stub->result, true) : 0;
	size_t size = arch->stub->emit_stub(stub, ret);
	assert_in_range(size, 1, most);
	return size;
}

static void values_are_taken_at_an_entry(void **state)
{
	uint8_t ours[MAX_STUB];
	size_t size;
	if (!has_assembler())
		skip();
	fc_auto_free struct fca_fetches *values =
		fetches_of(entry, sizeof(entry) / sizeof(*entry), false);
	struct fc_stub stub = stub_with(values, NULL);
	emit(&stub, ours);
	assemble("capture_entry.S", "capture.o");
	fc_auto_free uint8_t *theirs = text_of("capture.o", &size);
	size_t taken = symbol_of("capture.o", "taken", NULL);
	uint8_t *check = ours + led_to(ours, CALL_SWITCHED) + VALUED_SIZE;
	memset(check + SAME_PAGE_SLOW, 0, 4); /* to where the agent is asked */
	expect_same(check, theirs, taken);
	expect_same(check + taken + CLAIMED_SIZE, theirs + taken, size - taken);
}

static void a_result_is_taken_unless_the_call_has_failed(void **state)
{
	enum { JUMPS = 2 };
	static const size_t jumps[JUMPS] = { 11, 20 };
	uint8_t ours[MAX_STUB];
	size_t size;
	if (!has_assembler())
		skip();
	fc_auto_free struct fca_fetches *results =
		fetches_of(result, sizeof(result) / sizeof(*result), true);
	struct fc_stub stub = stub_with(NULL, results);
	emit(&stub, ours);
	assemble("capture_exit.S", "capture.o");
	fc_auto_free uint8_t *theirs = text_of("capture.o", &size);
	size_t taken = symbol_of("capture.o", "taken", NULL);
	uint8_t *checks = ours + led_to(ours, CALL_AGAIN) + EXITED_SIZE;
	for (size_t i = 0; i < JUMPS; i++) /* to where the agent is asked */
		memset(checks + jumps[i], 0, 4);
	expect_same(checks, theirs, taken);
	expect_same(checks + taken + RESERVED_SIZE, theirs + taken, size - taken);
}

/* What the agent alone can do: its code is where the stub jumps to. */
static void all_else_is_left_to_the_agent(void **state)
{
	static const struct fca_fetch others[] = {
		{ .from = FCA_FROM_INT, .how = FCA_FETCH_STRING, .reg = RDI, .size = 32 },
		{ .from = FCA_FROM_STACK, .how = FCA_FETCH_PLACE, .size = 24 },
		VALUE(EXTENDED, ST0, 10),
		VALUE(VECTOR, XMM0, 16),
		VALUE(INT, RBX, 8),
		VALUE(INT, RDI, 3),
		VALUE(KEPT, 0, 8),
		{ .from = FCA_FROM_THREAD, .how = FCA_FETCH_ERROR, .size = 4, .count = 9 },
	};
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		uint8_t ours[MAX_STUB];
		const struct fca_fetch list[] = { VALUE(INT, RAX, 8), others[i] };
		fc_auto_free struct fca_fetches *values = fetches_of(list, 2, false);
		fc_auto_free struct fca_fetches *results = fetches_of(list, 2, true);
		struct fc_stub stub = stub_with(values, results);
		emit(&stub, ours);
		for (int is_exit = 0; is_exit < 2; is_exit++) {
			size_t at = led_to(ours, is_exit ? CALL_AGAIN : CALL_SWITCHED);
			const struct fca_fetches *made =
				(const void *)(ours + at + VALUES_FETCHES);
			assert_int_equal(made->tried, 0);
			assert_int_equal(made->nr, 2);
			assert_int_equal(made->stub, at + VALUES_GO);
		}
	}
}

/* They come to the agent in any case. */
static void gates_and_what_is_watched_leave_it_to_the_agent(void **state)
{
	fc_auto_free struct fca_fetches *values = fetches_of(entry, 1, false);
	uint8_t ours[MAX_STUB];
	for (int i = 0; i < 3; i++) {
		struct fc_stub stub = stub_with(values, NULL);
		stub.is_gate = i == 1;
		stub.watch = i == 2;
		emit(&stub, ours);
		size_t at = led_to(ours, CALL_SWITCHED);
		struct fc_strand_read reads[FC_MAX_STRAND_READS];
		assert_int_equal(arch->stub->strand_reads(FC_STUB_CALL, ours, sizeof(ours), reads),
				 i ? 2 : 3);
		assert_int_equal(ours[at + VALUES_LOWERED] == 0x48, i > 0);
	}
}

static void no_code_takes_more_values_than_one_word_has_upper_bits_of(void **state)
{
	uint8_t ours[MAX_STUB];
	struct fca_fetch list[FC_PART_PACKED];
	for (int i = 0; i < FC_PART_PACKED; i++)
		list[i] = (struct fca_fetch)VALUE(INT, RDI, 8);
	for (int nr = FC_PART_PACKED - 1; nr <= FC_PART_PACKED; nr++) {
		fc_auto_free struct fca_fetches *values = fetches_of(list, (size_t)nr, false);
		struct fc_stub stub = stub_with(values, NULL);
		emit(&stub, ours);
		size_t at = led_to(ours, CALL_SWITCHED);
		assert_int_equal(ours[at + VALUES_LOWERED] == 0x48, nr == FC_PART_PACKED);
	}
}

static void every_read_of_gs_is_known(void **state)
{
	fc_auto_free struct fca_fetches *values = fetches_of(entry, 3, false);
	fc_auto_free struct fca_fetches *results = fetches_of(result, 2, true);
	struct fc_stub stub = stub_with(values, results);
	struct fc_strand_read reads[FC_MAX_STRAND_READS];
	uint8_t ours[MAX_STUB];
	stub.can_count = true;
	size_t size = emit(&stub, ours);
	size_t nr = arch->stub->strand_reads(FC_STUB_CALL, ours, size, reads);
	assert_int_equal(nr, FC_MAX_STRAND_READS);
	for (size_t i = 0; i < nr; i++)
		arch->stub->drop_strand_read(&reads[i], TADDR, 0x600000, ours + reads[i].off);
	for (size_t i = 0; i + 3 <= size; i++)
		assert_memory_not_equal(ours + i, "\x65\x48\x8b", 3);
	/* Where the agent is asked instead, the stub has saved what it may clobber. */
	for (size_t i = nr - 2; i < nr; i++)
		assert_memory_equal(ours + reads[i].agent_off, "\x48\x83\xec\x18", 4);
	assert_int_equal(arch->stub->strand_reads(FC_STUB_CALL, ours, size, reads), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_are_taken_at_an_entry),
		cmocka_unit_test(a_result_is_taken_unless_the_call_has_failed),
		cmocka_unit_test(all_else_is_left_to_the_agent),
		cmocka_unit_test(gates_and_what_is_watched_leave_it_to_the_agent),
		cmocka_unit_test(no_code_takes_more_values_than_one_word_has_upper_bits_of),
		cmocka_unit_test(every_read_of_gs_is_known),
	};
	return cmocka_run_group_tests(tests, enter_arch_dir, leave_work_dir);
}
