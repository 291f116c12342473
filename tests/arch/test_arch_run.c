/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions run with their first instructions moved: the body of a stub, in memory near this
 * program, does what the function does.
 */
#include "arch/test_arch.h"

#include <sys/mman.h>

typedef long (*function)(long a, long b);

struct sample {
	const char *name;
	const uint8_t *code, *end;
};

/* Each between its own label and the next, 16-aligned with nops between. */
#define SAMPLE(name, text)                                                                     \
	__asm__(".text\n.p2align 4\n.globl sample_" #name "\nsample_" #name ":\n" text         \
		"\nsample_" #name "_end:\n.globl sample_" #name "_end\n.p2align 4\n");         \
	extern const uint8_t sample_##name[], sample_##name##_end[]

__attribute__((visibility("hidden"))) long run_number = 40;
__attribute__((visibility("hidden"))) void *run_pointer;

/* What a callee sees as its return address. */
__attribute__((visibility("hidden"))) void *run_caller;
long run_callee(long a, long b);
__attribute__((noinline, used)) long run_callee(long a, long b)
{
	run_caller = __builtin_return_address(0);
	return a - 3 * b;
}

SAMPLE(plain, "push %rbp\n mov %rsp, %rbp\n lea (%rdi,%rsi,2), %rax\n pop %rbp\n ret");
SAMPLE(endbr, "endbr64\n mov %rdi, %rax\n imul %rsi, %rax\n ret");
SAMPLE(load, "mov run_number(%rip), %rax\n add %rdi, %rax\n ret");
SAMPLE(store, "add %rdi, run_number(%rip)\n mov run_number(%rip), %rax\n"
	      "sub %rdi, run_number(%rip)\n ret");
SAMPLE(compare, "cmpq $40, run_number(%rip)\n sete %al\n movzbl %al, %eax\n ret");
SAMPLE(lea, "lea run_number(%rip), %rcx\n mov (%rcx), %rax\n ret");
SAMPLE(if_short, "test %rdi, %rdi\n je 1f\n mov %rsi, %rax\n ret\n1: mov $7, %eax\n ret");
SAMPLE(if_long, "cmp %rsi, %rdi\n jl 1f\n mov %rsi, %rax\n ret\n .skip 200, 0x90\n"
		"1: mov %rdi, %rax\n ret");
SAMPLE(if_twice, "test %edi, %edi\n js 1f\n je 2f\n mov $1, %eax\n ret\n1: mov $2, %eax\n ret\n"
		 "2: mov $3, %eax\n ret");
SAMPLE(loop, "dec %rdi\n jg sample_loop\n mov %rdi, %rax\n ret");
SAMPLE(jump, "jmp 1f\n .skip 200, 0x90\n1: lea 1(%rdi), %rax\n ret");
SAMPLE(short_jump, "jmp 1f\n .p2align 4\n1: lea 2(%rdi), %rax\n ret");
SAMPLE(tail, "jmp run_callee");
SAMPLE(call, "sub $8, %rsp\n call run_callee\n add $8, %rsp\n inc %rax\n ret");
SAMPLE(call_register,
       "push %rbx\n lea run_callee(%rip), %rbx\n nop\n call 1f\n pop %rbx\n ret\n"
       "1: sub $8, %rsp\n call *%rbx\n add $8, %rsp\n ret");
SAMPLE(call_first, "call 1f\n inc %rax\n ret\n 1: mov %rsi, %rax\n ret");
SAMPLE(call_memory, "sub $8, %rsp\n call *run_pointer(%rip)\n add $8, %rsp\n ret");
SAMPLE(flags, "cmp %rsi, %rdi\n nop\n nop\n seta %al\n setg %cl\n movzbl %al, %eax\n"
	      "movzbl %cl, %ecx\n lea (%rax,%rcx,2), %rax\n ret");
SAMPLE(ret, "ret");
SAMPLE(vector, "movq run_number(%rip), %xmm1\n movq %rdi, %xmm0\n paddq %xmm1, %xmm0\n"
	       "movq %xmm0, %rax\n ret");

#define LIST(name)                                                                             \
	{                                                                                      \
#name, sample_##name, sample_##name##_end                                      \
	}

static const struct sample samples[] = {
	LIST(plain),	  LIST(endbr),	     LIST(load),    LIST(store),    LIST(compare),
	LIST(lea),	  LIST(if_short),    LIST(if_long), LIST(if_twice), LIST(loop),
	LIST(jump),	  LIST(short_jump),  LIST(tail),    LIST(call),	    LIST(call_register),
	LIST(call_first), LIST(call_memory), LIST(flags),   LIST(vector),
};

static uint8_t *pool;

static int make_pool(void **state)
{
	enum { SIZE = 1 << 16 };
	uint64_t near = (uint64_t)(uintptr_t)sample_plain & ~0xffffull;
	for (int i = 1; i < 1000 && !pool; i++) {
		void *at = mmap((void *)(uintptr_t)(near - i * 0x100000ull), SIZE,
				PROT_READ | PROT_WRITE | PROT_EXEC,
				MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
		if (at != MAP_FAILED)
			pool = at;
	}
	run_pointer = (void *)(uintptr_t)run_callee;
	return pool ? 0 : -1;
}

static void emit_sample(const struct sample *sample, struct fc_window *window)
{
	uint64_t vaddr = (uint64_t)(uintptr_t)sample->code;
	const char *why =
		window_at(sample->code, sample->end - sample->code + 16, vaddr, 0, window);
	if (why)
		fail_msg("%s: %s", sample->name, why);
	struct fc_stub stub = {
		.kind = FC_STUB_ENTRY_ONLY,
		.func = 1,
		.code = (const uint8_t *)(uintptr_t)window->vaddr,
		.window = *window,
		.taddr = (uint64_t)(uintptr_t)pool,
		.pool_taddr = (uint64_t)(uintptr_t)pool,
	};
	memset(pool, 0xcc, 4096);
	assert_true(arch->stub->emit_stub(&stub, pool) > 0);
}

static function body(void)
{
	return (function)(uintptr_t)(pool + arch->stub->places[FCA_PLACE_OTHER_BODY]);
}

static void each_sample_does_the_same_when_moved(void **state)
{
	static const long args[][2] = { { 0, 0 },  { 1, 2 },  { 5, -1 },      { -7, 3 },
					{ 40, 9 }, { 9, 40 }, { 1l << 40, 3 } };
	for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++) {
		struct fc_window window;
		emit_sample(&samples[i], &window);
		function original = (function)(uintptr_t)samples[i].code;
		for (size_t j = 0; j < sizeof(args) / sizeof(args[0]); j++) {
			long a = args[j][0], b = args[j][1];
			if (a > 1000000 && !strcmp(samples[i].name, "loop"))
				continue;
			run_caller = NULL;
			long expected = original(a, b);
			void *caller = run_caller;
			run_caller = NULL;
			long got = body()(a, b);
			if (got != expected)
				fail_msg("%s(%ld, %ld) = %ld, moved %ld", samples[i].name, a, b,
					 expected, got);
			if (run_caller != caller && strcmp(samples[i].name, "tail"))
				fail_msg("%s: its callee sees another return address",
					 samples[i].name);
		}
	}
}

/* Unwinders look up what is on the stack: it must be the original code. */
static void a_callee_returns_to_the_original_code(void **state)
{
	struct fc_window window;
	struct sample sample = LIST(call);
	emit_sample(&sample, &window);
	body()(1, 2);
	assert_ptr_equal(run_caller, window.vaddr + window.size);
}

static void nothing_is_left_of_a_function_that_is_a_ret(void **state)
{
	struct fc_window window;
	struct sample sample = LIST(ret);
	emit_sample(&sample, &window);
	assert_true(window.ends);
	assert_int_equal(pool[arch->stub->places[FCA_PLACE_OTHER_BODY]], 0xc3);
	assert_int_equal(pool[arch->stub->places[FCA_PLACE_OTHER_BODY] + 1], 0xcc);
	body()(1, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_sample_does_the_same_when_moved),
		cmocka_unit_test(a_callee_returns_to_the_original_code),
		cmocka_unit_test(nothing_is_left_of_a_function_that_is_a_ret),
	};
	return cmocka_run_group_tests(tests, make_pool, NULL);
}
