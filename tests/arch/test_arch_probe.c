/* SPDX-License-Identifier: Apache-2.0 */
/* Static probes: how their arguments are read, and that their stubs keep what is in use at a probe. */
#include "arch/test_arch.h"

#include <sys/mman.h>

#include "arch/x86_64/x86_64.h"
#include "capture/agent/stub_x86_64.h"

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R12 = 12 };

static bool find(void *ctx, const char *name, uint64_t *ret)
{
	*ret = 0x4000;
	return !strcmp(name, "counter") || !strcmp(name, ".LC0");
}

static const struct fc_symbol_finder finder = { find, NULL };

static struct fc_sdt_operand read_one(const char *text)
{
	struct fc_sdt_operand ret[FC_MAX_SDT_OPERANDS];
	if (arch->probe->operands(text, &finder, ret) != 1)
		fail_msg("%s: not one", text);
	return ret[0];
}

static void each_form_of_an_operand_is_read(void **state)
{
	static const struct {
		const char *text;
		struct fc_sdt_operand want;
	} samples[] = {
		{ "-4@%edi", { FC_SDT_REGISTER, 4, .is_signed = true, .reg = RDI } },
		{ "8@%r12", { FC_SDT_REGISTER, 8, .reg = R12 } },
		{ "1@%sil", { FC_SDT_REGISTER, 1, .reg = RSI } },
		{ "-2@%r12w", { FC_SDT_REGISTER, 2, .is_signed = true, .reg = R12 } },
		{ "%rbx", { FC_SDT_REGISTER, 8, .reg = RBX } },
		{ "-4@$-7", { FC_SDT_NUMBER, 4, .is_signed = true, .value = -7 } },
		{ "8@$0xfedcba9876543210",
		  { FC_SDT_NUMBER, 8, .value = (int64_t)0xfedcba9876543210 } },
		{ "$1", { FC_SDT_NUMBER, 8, .value = 1 } },
		{ "8@(%rax)", { FC_SDT_MEMORY, 8, .reg = RAX, .has_base = true } },
		{ "8@-0x10(%rbp)",
		  { FC_SDT_MEMORY, 8, .reg = RBP, .has_base = true, .value = -16 } },
		{ "4@8+16(%rsp)",
		  { FC_SDT_MEMORY, 4, .reg = RSP, .has_base = true, .value = 24 } },
		{ "4@0(%rax,%r12,8)",
		  { FC_SDT_MEMORY, 4, .reg = RAX, .index = R12, .scale = 3, .has_base = true,
		    .has_index = true } },
		{ "4@(%rax,%rcx)",
		  { FC_SDT_MEMORY, 4, .reg = RAX, .index = RCX, .has_base = true,
		    .has_index = true } },
		{ "4@4(,%rdx,4)",
		  { FC_SDT_MEMORY, 4, .index = RDX, .scale = 2, .has_index = true,
		    .value = 4 } },
		{ "4@counter(%rip)", { FC_SDT_MEMORY, 4, .is_vaddr = true, .value = 0x4000 } },
		{ "4@counter+8(%rip)",
		  { FC_SDT_MEMORY, 4, .is_vaddr = true, .value = 0x4008 } },
		{ "4@.LC0", { FC_SDT_MEMORY, 4, .is_vaddr = true, .value = 0x4000 } },
		{ "8f@%xmm3", { FC_SDT_VECTOR, 8, .is_float = true, .reg = 3 } },
		{ "-4f@4(%rax)",
		  { FC_SDT_MEMORY, 4, .is_signed = true, .is_float = true, .reg = RAX,
		    .has_base = true, .value = 4 } },
	};
	for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++) {
		struct fc_sdt_operand got = read_one(samples[i].text), want = samples[i].want;
		if (got.kind != want.kind || got.size != want.size ||
		    got.is_signed != want.is_signed || got.is_float != want.is_float ||
		    got.reg != want.reg || got.index != want.index || got.scale != want.scale ||
		    got.has_base != want.has_base || got.has_index != want.has_index ||
		    got.is_vaddr != want.is_vaddr || got.value != want.value)
			fail_msg("%s: kind %d size %d reg %d value %lld", samples[i].text,
				 got.kind, got.size, got.reg, (long long)got.value);
	}
}

static void what_is_no_operand_is_unknown(void **state)
{
	static const char *const samples[] = {
		"-4@",
		"@",
		"9@%rax",
		"8@%",
		"8@%ah",
		"8@%rip",
		"8@%raxx",
		"8@%xmm0",
		"8f@%xmm15",
		"8@()",
		"8@(",
		"8@(%eax)",
		"8@(%rax",
		"8@(%rax,%rsp)",
		"8@(%rax,%rcx,3)",
		"8@8",
		"8@nosuch",
		"8@nosuch(%rip)",
		"8@counter(%rax)",
		"8@$x",
		"8@$1x",
		"8@--5(%rax)",
		"8@0x80000000(%rax)",
		"8@%rax,",
		"8f",
		"-",
		"8@%fs:(%rax)",
		"8@(%rax,",
		"8@(%rax,%rcx,",
	};
	for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++) {
		struct fc_sdt_operand got = read_one(samples[i]);
		if (got.kind != FC_SDT_UNKNOWN || got.size != 8)
			fail_msg("%s: kind %d", samples[i], got.kind);
	}
	struct fc_sdt_operand ret[FC_MAX_SDT_OPERANDS];
	assert_int_equal(arch->probe->operands("", NULL, ret), 0);
	assert_int_equal(arch->probe->operands("   ", NULL, ret), 0);
	assert_int_equal(arch->probe->operands(" 8@%rax  x 4@%ecx ", NULL, ret), 3);
	assert_int_equal(ret[0].kind, FC_SDT_REGISTER);
	assert_int_equal(ret[1].kind, FC_SDT_UNKNOWN);
	assert_int_equal(ret[2].reg, RCX);
	assert_int_equal(arch->probe->operands("8@counter", NULL, ret), 1);
	assert_int_equal(ret[0].kind, FC_SDT_UNKNOWN);
	assert_int_equal(arch->probe->operands("1 2 3 4 5 6 7 8 9 10 11 12 13 14", NULL, ret),
			 FC_MAX_SDT_OPERANDS);
}

static size_t nop_size(const char *code, size_t room)
{
	return arch->probe->nop_size((const uint8_t *)code, room);
}

static bool is_computed(const char *code)
{
	return arch->probe->is_computed((const uint8_t *)code, 3);
}

static void nops_are_told_from_what_does_something(void **state)
{
	assert_int_equal(nop_size("\x90", 1), 1);
	assert_int_equal(nop_size("\x66\x90", 2), 2);
	assert_int_equal(nop_size("\x0f\x1f\x00", 3), 3);
	assert_int_equal(nop_size("\x0f\x1f\x44\x00\x00", 5), 5);
	assert_int_equal(nop_size("\x0f\x1f\x44\x00\x00", 4), 0);
	assert_int_equal(nop_size("\xf3\x90", 2), 0); /* pause */
	assert_int_equal(nop_size("\x41\x90", 2), 0); /* xchg %r8,%rax */
	assert_int_equal(nop_size("\x31\xc0", 2), 0);
	assert_int_equal(nop_size("\x90", 0), 0);
	assert_true(is_computed("\xff\xe0\x90"));  /* jmp *%rax */
	assert_true(is_computed("\x3e\xff\xe0"));  /* notrack jmp *%rax */
	assert_true(is_computed("\x41\xff\xe3"));  /* jmp *%r11 */
	assert_false(is_computed("\xff\xd0\x90")); /* call *%rax */
	assert_false(is_computed("\xeb\x01\x90"));
}

/* ---- its stub, run ---- */

static uint8_t *pool;

static int make_pool(void **state)
{
	pool = mmap((void *)0x20000000, 1 << 16, PROT_READ | PROT_WRITE | PROT_EXEC,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	return pool == MAP_FAILED ? -1 : enter_arch_dir(state);
}

/*
 * Instead of the code that records, which is at the stub's start: a jump to what keeps the words that it
 * finds on the stack, and goes on to the stub's own ret.
 */
static uint64_t kept[FC_MAX_SDT_OPERANDS + 1];
static uint8_t body_of_probe[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };

static void put_jump(uint8_t *at, const uint8_t *to)
{
	int32_t rel = (int32_t)(to - (at + 5));
	at[0] = 0xe9;
	memcpy(at + 1, &rel, sizeof(rel));
}

static void make_recorder(uint32_t nr_words)
{
	uint8_t *at = pool + 0x9000;
	uint64_t to = (uint64_t)(uintptr_t)kept;
	*at++ = 0x50;		   /* push %rax */
	*at++ = 0x51;		   /* push %rcx */
	memcpy(at, "\x48\xb9", 2); /* movabs $kept,%rcx */
	memcpy(at + 2, &to, sizeof(to));
	at += 10;
	for (uint32_t i = 0; i < nr_words; i++) {
		memcpy(at, "\x48\x8b\x44\x24", 4); /* mov 24+8i(%rsp),%rax */
		at[4] = (uint8_t)(24 + 8 * i);
		memcpy(at + 5, "\x48\x89\x41", 3); /* mov %rax,8i(%rcx) */
		at[8] = (uint8_t)(8 * i);
		at += 9;
	}
	memcpy(at, "\x48\x31\xc0\xfc\x59\x58", 6); /* xor %rax,%rax; cld; pop %rcx; pop %rax */
	at += 6;
	put_jump(at, pool + ONLY_BODY);
	put_jump(pool, pool + 0x9000);
}

static void make_stub(const char *args)
{
	static struct fc_sdt_operand operands[FC_MAX_SDT_OPERANDS];
	uint64_t pool_taddr = (uint64_t)(uintptr_t)pool;
	struct fc_stub stub = {
		.kind = FC_STUB_PROBE,
		.func = 1,
		.code = body_of_probe,
		/* What follows the window is in the pool, too: a ret. */
		.window = { .vaddr = pool_taddr + 0x8000,
			    .jump_size = 5,
			    .size = 5,
			    .moved_size = 5 },
		.operands = operands,
		.nr_operands = (uint8_t)arch->probe->operands(args, &finder, operands),
		.taddr = pool_taddr,
		.pool_taddr = pool_taddr,
	};
	memset(pool, 0xcc, 0x8000);
	size_t size = arch->stub->emit_stub(&stub, pool);
	assert_in_range(size, PROBE_BODY,
			arch->stub->stub_size(stub.kind, &stub.window, stub.can_count));
	pool[0x8005] = 0xc3;
	make_recorder(stub.nr_operands);
}

/* Registers by their numbers, then flags; what is in the red zone, at its top and at its bottom. */
struct state {
	uint64_t reg[16], flags, high, low, rsp;
};

static struct state before, after __attribute__((used));
static uint64_t own_rsp __attribute__((used)), probe_at __attribute__((used));

/* All registers from before, then the probe, and all to after. */
void pass_probe(void);
__asm__(".text\n.globl pass_probe\npass_probe:\n"
	"push %rbx\n push %rbp\n push %r12\n push %r13\n push %r14\n push %r15\n"
	"mov %rsp, own_rsp(%rip)\n lea before(%rip), %r15\n"
	"mov 144(%r15), %rax\n mov %rax, -16(%rsp)\n mov 136(%r15), %rax\n mov %rax, "
	"-136(%rsp)\n"
	"lea 1f(%rip), %rax\n mov %rax, -8(%rsp)\n"
	"sub $8, %rsp\n sub $256, %rsp\n push 128(%r15)\n popfq\n lea 256(%rsp), %rsp\n"
	"mov (%r15), %rax\n mov 8(%r15), %rcx\n mov 16(%r15), %rdx\n mov 24(%r15), %rbx\n"
	"mov 40(%r15), %rbp\n mov 48(%r15), %rsi\n mov 56(%r15), %rdi\n mov 64(%r15), %r8\n"
	"mov 72(%r15), %r9\n mov 80(%r15), %r10\n mov 88(%r15), %r11\n mov 96(%r15), %r12\n"
	"mov 104(%r15), %r13\n mov 112(%r15), %r14\n mov 120(%r15), %r15\n"
	"mov %rsp, before+152(%rip)\n jmp *probe_at(%rip)\n"
	"1: mov %rsp, after+152(%rip)\n mov %r15, after+120(%rip)\n mov -16(%rsp), %r15\n"
	"mov %r15, after+144(%rip)\n mov -136(%rsp), %r15\n mov %r15, after+136(%rip)\n"
	"lea -256(%rsp), %rsp\n pushfq\n lea after(%rip), %r15\n pop 128(%r15)\n cld\n"
	"mov %rax, (%r15)\n mov %rcx, 8(%r15)\n mov %rdx, 16(%r15)\n mov %rbx, 24(%r15)\n"
	"mov %rbp, 40(%r15)\n mov %rsi, 48(%r15)\n mov %rdi, 56(%r15)\n mov %r8, 64(%r15)\n"
	"mov %r9, 72(%r15)\n mov %r10, 80(%r15)\n mov %r11, 88(%r15)\n mov %r12, 96(%r15)\n"
	"mov %r13, 104(%r15)\n mov %r14, 112(%r15)\n"
	"mov own_rsp(%rip), %rsp\n pop %r15\n pop %r14\n pop %r13\n pop %r12\n pop %rbp\n pop "
	"%rbx\n"
	"ret\n");

static void pass(uint64_t flags)
{
	for (int i = 0; i < 16; i++)
		before.reg[i] = 0x1111111111111111ull * (uint64_t)i + 0x100;
	before.flags = flags;
	before.high = 0xaaaa;
	before.low = 0xbbbb;
	probe_at = (uint64_t)(uintptr_t)pool + arch->stub->entry_off(FC_STUB_PROBE);
	memset(kept, 0, sizeof(kept));
	pass_probe();
	for (int i = 0; i < 16; i++)
		if (i != RSP && after.reg[i] != before.reg[i])
			fail_msg("register %d: %#llx", i, (unsigned long long)after.reg[i]);
	assert_int_equal(after.flags | 0x202, before.flags | 0x202);
	assert_int_equal(after.high, before.high);
	assert_int_equal(after.low, before.low);
	assert_int_equal(after.rsp, before.rsp + 8); /* the ret behind the probe */
}

static void a_stub_keeps_flags_registers_and_the_red_zone(void **state)
{
	enum { CF = 1, PF = 4, AF = 0x10, ZF = 0x40, SF = 0x80, DF = 0x400, OF = 0x800 };
	static const uint64_t flags[] = { 0,  CF,	    ZF | PF,	 SF | OF,
					  DF, DF | CF | AF, OF | CF | PF };
	static const char *const args[] = {
		"",
		"8@%rax",
		"-4@8(%rax,%rcx,8) 8@%rax $5 8@(%rax) 8@%rsp 8@-8(%rsp)",
		"1@$1 1@$2 1@$3 1@$4 1@$5 1@$6 1@$7 1@$8 1@$9 1@$10 1@$11 8@%rax",
		"$1 8@(%rax) $1 8@(%rax) $1 8@(%rax) $1 8@(%rax) $1 8@(%rax) $1 8@(%rax)",
	};
	for (size_t i = 0; i < sizeof(args) / sizeof(args[0]); i++) {
		make_stub(args[i]);
		for (size_t k = 0; k < sizeof(flags) / sizeof(flags[0]); k++)
			pass(flags[k]);
	}
}

static void a_stub_puts_what_arguments_are_on_the_stack(void **state)
{
	make_stub(
		"8@%rcx 8@$0xfedcba9876543210 8@8(%rax,%rcx,8) 8@%rax 8@%rsp 8@-8(%rsp) -4@$-7 "
		"4@(,%r12,2) 8@counter(%rip) x 8@-16(%rsp,%rax) 8@4(%r12)");
	pass(0);
	const uint64_t *reg = before.reg;
	uint64_t rsp = before.rsp;
	assert_int_equal(kept[0], reg[RCX]);
	assert_int_equal(kept[1], 0xfedcba9876543210);
	assert_int_equal(kept[2], reg[RAX] + 8 * reg[RCX] + 8);
	assert_int_equal(kept[3], reg[RAX]);
	assert_int_equal(kept[4], rsp);
	assert_int_equal(kept[5], rsp - 8);
	assert_int_equal(kept[6], (uint64_t)-7);
	assert_int_equal(kept[7], 2 * reg[R12]);
	assert_int_equal(kept[8], 0x4000);
	assert_int_equal(kept[10], rsp - 16 + reg[RAX]);
	assert_int_equal(kept[11], reg[R12] + 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_form_of_an_operand_is_read),
		cmocka_unit_test(what_is_no_operand_is_unknown),
		cmocka_unit_test(nops_are_told_from_what_does_something),
		cmocka_unit_test(a_stub_keeps_flags_registers_and_the_red_zone),
		cmocka_unit_test(a_stub_puts_what_arguments_are_on_the_stack),
	};
	return cmocka_run_group_tests(tests, make_pool, leave_work_dir);
}
