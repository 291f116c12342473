/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whole stubs at work in this very program: %gs points to a strand made here, and the doors
 * of the pool lead to a stand-in for the agent that counts and goes on. Calls give what they
 * gave, every register is as it was, and the ring holds what was called.
 */
#include "arch/test_arch.h"

#include <sys/mman.h>
#include <sys/syscall.h>

#include "capture/drain/ring.h"

enum { PAGE = 4096, SHADOW = 2 * PAGE, RING = 3 * PAGE, POOL_BYTES = 1 << 16, FUNC = 77 };
enum { SET_GS = 0x1001, NR_DOORS = FCA_POOL_EDGE + 1 };

static uint8_t *pool, *strand;
static uint64_t *ring_words;

/* What the stand-in saw: how often each door was used, and where it was to go on. */
__attribute__((visibility("hidden"))) uint64_t live_doors[NR_DOORS], live_go;

/*
 * A door: rax = where to go on; on the stack, lowest first, rdx, rcx, rax, return slot. As
 * agent_x86_64.S, it puts the registers back and jumps there, here to the body.
 */
#define DOOR(name, nr)                                                                         \
	__asm__(".text\n" #name ":\n"                                                          \
		"	mov %rax, live_go(%rip)\n"                                                   \
		"	incq live_doors+8*" #nr "(%rip)\n"                                     \
		"	push %rax\n"                                                                 \
		"	mov 8(%rsp), %rdx\n"                                                         \
		"	mov 16(%rsp), %rcx\n"                                                        \
		"	mov 24(%rsp), %rax\n"                                                        \
		"	lea 32(%rsp), %rsp\n"                                                        \
		"	jmp *-32(%rsp)\n");                                                    \
	extern const uint8_t name[]

DOOR(live_door_entry, 0);
DOOR(live_door_exit, 1);
DOOR(live_door_only, 2);
DOOR(live_door_unwind, 3);
DOOR(live_door_dl, 4);
DOOR(live_door_edge, 9);
_Static_assert(FCA_POOL_EDGE == 9, "as above");

/* A function that keeps every register but rax, and flags. */
__asm__(".text\n.p2align 4\nlive_leaf:\n	lea (%rdi,%rsi), %rax\n	nop\n	ret\n"
	"	.p2align 4\n");
extern const uint8_t live_leaf[];

/*
 * long live_probe(const uint64_t *in, uint64_t *out, const void *function)
 *   loads 13 registers and 2 vectors from in, calls function, stores them to out.
 */
__asm__(".text\n.p2align 4\n.globl live_probe\nlive_probe:\n"
	"	push %rbx\n	push %rbp\n	push %r12\n	push %r13\n"
	"	push %r14\n	push %r15\n	push %rsi\n	push %rdx\n"
	"	mov %rdi, %rax\n"
	"	mov (%rax), %rcx\n	mov 8(%rax), %rdx\n	mov 16(%rax), %rsi\n"
	"	mov 24(%rax), %rdi\n	mov 32(%rax), %r8\n	mov 40(%rax), %r9\n"
	"	mov 48(%rax), %r10\n	mov 56(%rax), %r11\n	mov 64(%rax), %rbx\n"
	"	mov 72(%rax), %rbp\n	mov 80(%rax), %r12\n	mov 88(%rax), %r13\n"
	"	mov 96(%rax), %r14\n	mov 104(%rax), %r15\n"
	"	movups 112(%rax), %xmm0\n	movups 128(%rax), %xmm15\n"
	"	call *(%rsp)\nlive_back:\n"
	"	push %rax\n	mov 16(%rsp), %rax\n"
	"	mov %rcx, (%rax)\n	mov %rdx, 8(%rax)\n	mov %rsi, 16(%rax)\n"
	"	mov %rdi, 24(%rax)\n	mov %r8, 32(%rax)\n	mov %r9, 40(%rax)\n"
	"	mov %r10, 48(%rax)\n	mov %r11, 56(%rax)\n	mov %rbx, 64(%rax)\n"
	"	mov %rbp, 72(%rax)\n	mov %r12, 80(%rax)\n	mov %r13, 88(%rax)\n"
	"	mov %r14, 96(%rax)\n	mov %r15, 104(%rax)\n"
	"	movups %xmm0, 112(%rax)\n	movups %xmm15, 128(%rax)\n"
	"	pop %rax\n	pop %rdx\n	pop %rsi\n"
	"	pop %r15\n	pop %r14\n	pop %r13\n	pop %r12\n"
	"	pop %rbp\n	pop %rbx\n	ret\n");
long live_probe(const uint64_t *in, uint64_t *out, const void *function);
extern const uint8_t live_back[];

static uint64_t *at_gs(int off)
{
	return (uint64_t *)(strand + PAGE + off);
}

static struct fca_shadow *shadow(int i)
{
	return (struct fca_shadow *)(strand + SHADOW) + i;
}

/* An empty strand whose ring has room for nr words. */
static void reset(size_t nr)
{
	memset(strand, 0, 16 * PAGE);
	memset(live_doors, 0, sizeof(live_doors));
	live_go = 0;
	shadow(0)->slot = ~0ull;
	*at_gs(FCA_STRAND_SHADOW) = (uint64_t)(uintptr_t)shadow(0);
	*at_gs(FCA_STRAND_CURSOR) = (uint64_t)(uintptr_t)ring_words;
	*at_gs(FCA_STRAND_LIMIT) = (uint64_t)(uintptr_t)(ring_words + nr);
	*at_gs(FCA_STRAND_LOW) = 0;
	*at_gs(FCA_STRAND_SELF) = (uint64_t)(uintptr_t)at_gs(0);
}

static int set_up(void **state)
{
	uint64_t near = (uint64_t)(uintptr_t)live_leaf & ~0xffffull;
	strand = mmap(NULL, 16 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		      0);
	for (int i = 1; i < 1000 && !pool; i++) {
		void *at = mmap((void *)(uintptr_t)(near - i * 0x100000ull), POOL_BYTES,
				PROT_READ | PROT_WRITE | PROT_EXEC,
				MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
		if (at != MAP_FAILED)
			pool = at;
	}
	if (strand == MAP_FAILED || !pool)
		return -1;
	ring_words = (uint64_t *)(strand + RING);
	const uint8_t *doors[] = { live_door_entry, live_door_exit, live_door_only,
				   live_door_unwind, live_door_dl };
	memcpy(pool, doors, sizeof(doors));
	((const uint8_t **)pool)[FCA_POOL_EDGE] = live_door_edge;
	return (int)syscall(SYS_arch_prctl, SET_GS, strand + PAGE);
}

static int tear_down(void **state)
{
	return (int)syscall(SYS_arch_prctl, SET_GS, 0);
}

/* The stub of live_leaf. */
static const uint8_t *stub_of(enum fc_stub_kind kind)
{
	struct fc_stub stub = { .kind = kind, .func = FUNC };
	uint64_t vaddr = (uint64_t)(uintptr_t)live_leaf;
	assert_null(window_at(live_leaf, 16, vaddr, 0, &stub.window));
	stub.code = live_leaf;
	stub.pool_taddr = (uint64_t)(uintptr_t)pool;
	stub.taddr = stub.pool_taddr + FCA_POOL_HEAD;
	assert_true(arch->stub->emit_stub(&stub, pool + FCA_POOL_HEAD) > 0);
	return pool + FCA_POOL_HEAD;
}

static void call_and_compare(const uint8_t *function)
{
	uint64_t in[18], out[18] = { 0 };
	for (int i = 0; i < 18; i++)
		in[i] = 0x0123456789abcdefull * (i + 3);
	long ret = live_probe(in, out, function);
	assert_int_equal(ret, in[2] + in[3]);
	for (int i = 0; i < 18; i++)
		if (in[i] != out[i])
			fail_msg("register %d of live_probe's was changed", i);
}

static size_t nr_records(void)
{
	return (*at_gs(FCA_STRAND_CURSOR) - (uint64_t)(uintptr_t)ring_words) / 8;
}

static void expect_record(size_t i, enum fc_kind kind, uint64_t after)
{
	uint64_t tick = after & ((1ull << FC_RECORD_TICK_BITS) - 1);
	assert_int_equal(fc_record_kind(ring_words[i]), kind);
	assert_int_equal(fc_record_func(ring_words[i]), FUNC);
	assert_true(fc_record_tick(ring_words[i]) >= tick);
}

static void a_call_is_recorded_and_nothing_else_is_changed(void **state)
{
	const uint8_t *stub = stub_of(FC_STUB_CALL);
	reset(4);
	uint64_t before = __builtin_ia32_rdtsc();
	call_and_compare(stub);
	assert_int_equal(nr_records(), 2);
	expect_record(0, FC_ENTRY, before);
	expect_record(1, FC_EXIT, before);
	assert_true(fc_record_tick(ring_words[1]) > fc_record_tick(ring_words[0]));
	assert_int_equal(*at_gs(FCA_STRAND_SHADOW), (uint64_t)(uintptr_t)shadow(0));
	for (int i = 0; i < NR_DOORS; i++)
		assert_int_equal(live_doors[i], 0);
	call_and_compare(stub);
	assert_int_equal(nr_records(), 4);
}

static void an_entry_is_recorded_and_nothing_else_is_changed(void **state)
{
	const uint8_t *stub = stub_of(FC_STUB_ENTRY_ONLY);
	reset(4);
	uint64_t before = __builtin_ia32_rdtsc();
	call_and_compare(stub);
	assert_int_equal(nr_records(), 1);
	expect_record(0, FC_ENTRY_ONLY, before);
	assert_int_equal(*at_gs(FCA_STRAND_SHADOW), (uint64_t)(uintptr_t)shadow(0));
	assert_int_equal(live_doors[FCA_POOL_ENTRY_ONLY], 0);
}

/* The agent is given the body to go on with. */
static void expect_door(enum fc_stub_kind kind, int door, uint32_t body_off)
{
	const uint8_t *stub = stub_of(kind);
	call_and_compare(stub);
	assert_int_equal(nr_records(), 0);
	for (int i = 0; i < NR_DOORS; i++)
		assert_int_equal(live_doors[i], i == door);
	assert_int_equal(live_go, (uint64_t)(uintptr_t)stub + body_off);
	assert_int_equal(*at_gs(FCA_STRAND_SHADOW), (uint64_t)(uintptr_t)shadow(0));
}

static void a_full_ring_is_the_agents(void **state)
{
	reset(0);
	expect_door(FC_STUB_CALL, FCA_POOL_ENTRY, arch->stub->places[FCA_PLACE_BODY]);
	reset(0);
	expect_door(FC_STUB_ENTRY_ONLY, FCA_POOL_ENTRY_ONLY,
		    arch->stub->places[FCA_PLACE_OTHER_BODY]);
}

static void another_stack_is_the_agents(void **state)
{
	reset(4);
	shadow(0)->slot = 0x1000; /* this stack is above it */
	expect_door(FC_STUB_CALL, FCA_POOL_ENTRY, arch->stub->places[FCA_PLACE_BODY]);
	reset(4);
	*at_gs(FCA_STRAND_LOW) = ~0ull; /* this stack is below it */
	expect_door(FC_STUB_CALL, FCA_POOL_ENTRY, arch->stub->places[FCA_PLACE_BODY]);
	reset(4);
	*at_gs(FCA_STRAND_LOW) = ~0ull;
	expect_door(FC_STUB_ENTRY_ONLY, FCA_POOL_ENTRY_ONLY,
		    arch->stub->places[FCA_PLACE_OTHER_BODY]);
}

static void the_agents_own_stubs_always_go_to_it(void **state)
{
	reset(4);
	expect_door(FC_STUB_UNWIND, FCA_POOL_UNWIND, arch->stub->places[FCA_PLACE_OTHER_BODY]);
	reset(4);
	expect_door(FC_STUB_DL, FCA_POOL_DL, arch->stub->places[FCA_PLACE_OTHER_BODY]);
}

static void expect_edge_doors(uint64_t nr)
{
	assert_int_equal(live_doors[FCA_POOL_EDGE], nr);
	assert_int_equal(nr_records(), 0);
}

static void an_edge_is_counted_and_nothing_else_is_changed(void **state)
{
	const uint8_t *stub = stub_of(FC_STUB_EDGE);
	fc_auto_free struct fca_edges *edges = fc_alloc(sizeof(*edges));
	uint64_t back = (uint64_t)(uintptr_t)live_back;
	struct fca_edge *first = &edges->at[fca_edge_index(back, FUNC)];

	reset(0);
	*at_gs(FCA_STRAND_COUNTS) = (uint64_t)(uintptr_t)edges;
	*first = (struct fca_edge){ back, FUNC };
	call_and_compare(stub);
	call_and_compare(stub);
	assert_int_equal(first->calls, 2ull << FCA_EDGE_CALLS | FUNC);
	expect_edge_doors(0);

	/* Where others came first, it is behind them. */
	first[0] = (struct fca_edge){ back, FUNC + 1 };
	first[1] = (struct fca_edge){ back + 1, FUNC };
	first[2] = (struct fca_edge){ back, 0 }; /* is being taken */
	first[3] = (struct fca_edge){ back, FUNC };
	call_and_compare(stub);
	assert_int_equal(first[0].calls, FUNC + 1);
	assert_int_equal(first[1].calls, FUNC);
	assert_int_equal(first[2].calls, 0);
	assert_int_equal(first[3].calls, 1ull << FCA_EDGE_CALLS | FUNC);
	expect_edge_doors(0);
}

static void an_edge_without_a_place_is_the_agents(void **state)
{
	const uint8_t *stub = stub_of(FC_STUB_EDGE);
	fc_auto_free struct fca_edges *edges = fc_alloc(sizeof(*edges));
	uint64_t back = (uint64_t)(uintptr_t)live_back;
	struct fca_edge *first = &edges->at[fca_edge_index(back, FUNC)];

	reset(0);
	expect_door(FC_STUB_EDGE, FCA_POOL_EDGE, arch->stub->places[FCA_PLACE_EDGE_BODY]);
	*at_gs(FCA_STRAND_COUNTS) = (uint64_t)(uintptr_t)edges;
	call_and_compare(stub);
	expect_edge_doors(2);
	first[0] = (struct fca_edge){ back, FUNC + 1 };
	call_and_compare(stub);
	expect_edge_doors(3);
	assert_int_equal(first[1].ret, 0);

	/* The most that a place can count is the agent's to take away. */
	first[0] = (struct fca_edge){ back, ((1ull << 39) - 1) << FCA_EDGE_CALLS | FUNC };
	call_and_compare(stub);
	expect_edge_doors(4);
	assert_true(first[0].calls == (1ull << 63 | FUNC));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_call_is_recorded_and_nothing_else_is_changed),
		cmocka_unit_test(an_entry_is_recorded_and_nothing_else_is_changed),
		cmocka_unit_test(a_full_ring_is_the_agents),
		cmocka_unit_test(another_stack_is_the_agents),
		cmocka_unit_test(the_agents_own_stubs_always_go_to_it),
		cmocka_unit_test(an_edge_is_counted_and_nothing_else_is_changed),
		cmocka_unit_test(an_edge_without_a_place_is_the_agents),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
