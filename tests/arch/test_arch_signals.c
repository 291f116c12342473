/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The stub of a call runs instruction by instruction, and at any two of them a signal comes whose
 * handler makes a traced call: the shadow stack is afterwards as it was, and in the function's body
 * the call is its innermost.
 */
#include "arch/test_arch.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "capture/agent/fetch.h"
#include "rounds.h"

#include <asm/prctl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

enum { BELOW = 4096, NR_WORDS = 256, POOL = 16384, TRAP_FLAG = 0x100 };

static const uint8_t code[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00, 0xc3 };

static uint8_t *pool;
static uint8_t memory[3 * FCA_PAGE] __attribute__((aligned(FCA_PAGE)));
static uint8_t *const strand = memory + 2 * FCA_PAGE; /* there are words below it, too */
static struct fca_shadow entries[16];
static uint64_t words[NR_WORDS];

static struct {
	int at, first, second; /* which instruction this is, and where signals come */
	uint64_t slot;	       /* of the handler's calls, the same each time */
	uint64_t body, depth;  /* the function's own code, and how many calls are open there */
	uint64_t inner;	       /* the slot of the innermost */
} now;

static uint64_t *field(int off)
{
	return (uint64_t *)(strand + off);
}

static struct fca_shadow *top(void)
{
	return (struct fca_shadow *)*field(FCA_STRAND_SHADOW);
}

/* What the agent and a stub do: what lies below the new call was left; its entry; its exit. */
static void call_in_handler(void)
{
	while (top()->slot <= now.slot)
		*field(FCA_STRAND_SHADOW) -= sizeof(struct fca_shadow);
	top()[1] = (struct fca_shadow){ .ret = 1, .slot = now.slot };
	*field(FCA_STRAND_CURSOR) += 2 * sizeof(uint64_t);
}

static void on_step(int sig, siginfo_t *info, void *context)
{
	ucontext_t *at = context;
	uint64_t ip = (uint64_t)at->uc_mcontext.gregs[REG_RIP];
	(void)sig;
	(void)info;
	if (ip - (uint64_t)pool >= POOL)
		return;
	if (!now.at)
		now.slot = (uint64_t)at->uc_mcontext.gregs[REG_RSP] - BELOW;
	if (ip == now.body) {
		now.depth = (uint64_t)(top() - entries);
		now.inner = top()->slot;
	}
	if (now.at == now.first || now.at == now.second)
		call_in_handler();
	now.at++;
}

static void set_gs(void *base)
{
	assert_int_equal(syscall(SYS_arch_prctl, ARCH_SET_GS, base), 0);
}

static struct fca_fetches *fetches_of(const struct fca_fetch *fetch, size_t nr, bool is_exit)
{
	struct fca_fetches *ret = fc_alloc(fca_fetches_size((uint32_t)nr));
	ret->nr = (uint8_t)nr;
	ret->format = fca_format(1, is_exit);
	memcpy(ret->fetch, fetch, nr * sizeof(*fetch));
	return ret;
}

static uint64_t emit(const struct fca_fetches *values, const struct fca_fetches *result)
{
	struct fc_stub stub = {
		.kind = FC_STUB_CALL,
		.func = 1,
		.code = code,
		.window = { .vaddr = (uint64_t)code,
			    .jump_size = 5,
			    .size = 6,
			    .moved_size = 6,
			    .ends = true },
		.taddr = (uint64_t)pool + FCA_PAGE,
		.pool_taddr = (uint64_t)pool,
		.values = values,
		.result = result,
	};
	memset(pool, 0xcc, POOL);
	assert_true(arch->stub->emit_stub(&stub, pool + FCA_PAGE) > 0);
	return stub.taddr;
}

/* Returns how many instructions it had. A signal before the first and the second of these numbers. */
static int call_once(int first, int second)
{
	uint64_t stub = (uint64_t)pool + FCA_PAGE;
	void *const floor = &entries[0];

	memset(entries, 0, sizeof(entries));
	entries[0].slot = UINT64_MAX;
	*field(FCA_STRAND_SELF) = (uint64_t)strand;
	*field(FCA_STRAND_SHADOW) = (uint64_t)floor;
	*field(FCA_STRAND_CURSOR) = (uint64_t)words;
	*field(FCA_STRAND_LIMIT) = (uint64_t)(words + NR_WORDS);
	*field(FCA_STRAND_LOW) = 0;
	now.first = first;
	now.second = second;
	now.at = 0;
	now.depth = now.inner = 0;
	__asm__ volatile("lea	-256(%%rsp), %%rsp\n"
			 "pushfq\n"
			 "orq	%[trap], (%%rsp)\n"
			 "popfq\n"
			 "call	*%[stub]\n"
			 "pushfq\n"
			 "andq	%[no_trap], (%%rsp)\n"
			 "popfq\n"
			 "lea	256(%%rsp), %%rsp\n"
			 :
			 : [stub] "r"(stub), [trap] "i"(TRAP_FLAG), [no_trap] "i"(~TRAP_FLAG)
			 : "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11",
			   "memory", "cc");
	if (top() != floor || entries[0].slot != UINT64_MAX)
		fail_msg("signals before instructions %d and %d: %td calls are open", first,
			 second, top() - entries);
	if (now.depth != 1 || now.inner <= now.slot)
		fail_msg("signals before instructions %d and %d: in the body %d calls are open",
			 first, second, (int)now.depth);
	return now.at;
}

/* Two signals within one stretch of a stub; in the long form wherever. */
static void call_with_signals(const struct fca_fetches *values,
			      const struct fca_fetches *result)
{
	struct sigaction action = { .sa_sigaction = on_step, .sa_flags = SA_SIGINFO }, before;
	now.body = emit(values, result) + arch->stub->places[FCA_PLACE_BODY];
	set_gs(strand);
	sigaction(SIGTRAP, &action, &before);
	int nr = call_once(-1, -1);
	for (int first = 0; first < nr; first++)
		for (int second = first; second < first + rounds(12, 300); second++)
			call_once(first, second);
	sigaction(SIGTRAP, &before, NULL);
	set_gs(NULL);
	assert_in_range(nr, 30, 300);
}

static void a_call_is_the_innermost_whenever_two_signals_come(void **state)
{
	call_with_signals(NULL, NULL);
}

static void so_is_one_whose_values_are_taken(void **state)
{
	enum { RAX = 0, RSI = 4, RDI = 5 };
	static const struct fca_fetch args[] = {
		{ .from = FCA_FROM_INT, .how = FCA_FETCH_VALUE, .reg = RDI, .size = 8 },
		{ .from = FCA_FROM_INT, .how = FCA_FETCH_VALUE, .reg = RSI, .size = 4 },
	};
	static const struct fca_fetch rax = {
		.from = FCA_FROM_INT, .how = FCA_FETCH_VALUE, .reg = RAX, .size = 8
	};
	fc_auto_free struct fca_fetches *values = fetches_of(args, 2, false);
	fc_auto_free struct fca_fetches *result = fetches_of(&rax, 1, true);
	call_with_signals(values, result);
}

static int make_pool(void **state)
{
	(void)state;
	pool = mmap(NULL, POOL, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS,
		    -1, 0);
	return pool == MAP_FAILED;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_call_is_the_innermost_whenever_two_signals_come),
		cmocka_unit_test(so_is_one_whose_values_are_taken),
	};
	return cmocka_run_group_tests(tests, make_pool, NULL);
}
