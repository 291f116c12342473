/* SPDX-License-Identifier: Apache-2.0 */
/* A stopped thread's registers are found, in whatever mode its program's code is. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "arch/arch.h"
#include "capture/target/registers.h"

#ifdef __x86_64__

static void every_register_is_where_the_kernel_has_it(void **state)
{
	static const struct {
		enum fc_reg reg;
		size_t off;
	} known[] = {
		{ FC_REG_IP, offsetof(struct user, regs.rip) },
		{ FC_REG_SP, offsetof(struct user, regs.rsp) },
		{ FC_REG_RESULT, offsetof(struct user, regs.rax) },
		{ FC_REG_NR, offsetof(struct user, regs.rax) },
		{ FC_REG_CALL, offsetof(struct user, regs.orig_rax) },
		{ FC_REG_ARG, offsetof(struct user, regs.rdi) },
		{ FC_REG_ARG + 1, offsetof(struct user, regs.rsi) },
		{ FC_REG_ARG + 2, offsetof(struct user, regs.rdx) },
		{ FC_REG_ARG + 3, offsetof(struct user, regs.r10) },
		{ FC_REG_ARG + 4, offsetof(struct user, regs.r8) },
		{ FC_REG_ARG + 5, offsetof(struct user, regs.r9) },
		{ FC_REG_STRAND, offsetof(struct user, regs.gs_base) },
		{ FC_REG_THREAD, offsetof(struct user, regs.fs_base) },
	};
	assert_int_equal(sizeof(known) / sizeof(known[0]), FC_NR_REGS);
	for (int i = 0; i < FC_NR_REGS; i++)
		assert_int_equal(fc_arch_here->thread->reg_words[known[i].reg] * 8, known[i].off);
	assert_int_equal(fc_arch_here->thread->regs_size, sizeof(struct user_regs_struct));
	assert_true(sizeof(struct user_regs_struct) <= FC_REGS_WORDS * sizeof(uint64_t));
}

static void a_breakpoint_is_set_where_the_kernel_takes_it(void **state)
{
	struct fc_user_word on[FC_BREAK_WORDS], off[FC_BREAK_WORDS];
	fc_arch_here->thread->breakpoint(0x1234, on);
	fc_arch_here->thread->breakpoint(0, off);
	assert_int_equal(on[0].off, offsetof(struct user, u_debugreg[0]));
	assert_int_equal(on[0].value, 0x1234);
	assert_int_equal(on[1].off, offsetof(struct user, u_debugreg[7]));
	assert_int_equal(off[0].off, on[1].off); /* off, before it is at address 0 */
	assert_int_equal(off[0].value, 0);
}

/* int3; the rest is in 32-bit code's instructions: exit(7) */
static const uint8_t narrow_code[] = { 0xcc, 0x90, 0xb8, 1, 0, 0,    0,
				       0xbb, 7,	   0,	 0, 0, 0xcd, 0x80 };

static void enter_narrow_code(void *at)
{
	struct __attribute__((packed)) {
		uint32_t off;
		uint16_t segment;
	} to = { (uint32_t)(uintptr_t)at, 0x23 };
	memcpy(at, narrow_code, sizeof(narrow_code));
	ptrace(PTRACE_TRACEME, 0, 0, 0);
	raise(SIGSTOP);
	__asm__ volatile("ljmp *%0" : : "m"(to));
}

static void a_thread_in_32_bit_code_has_the_registers_of_its_program(void **state)
{
	int status;
	void *at = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	assert_true(at != MAP_FAILED);
	pid_t pid = fork();
	if (!pid) {
		enter_narrow_code(at);
		_exit(1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSTOPPED(status));
	struct fc_regs wide, narrow;
	assert_int_equal(fc_registers_read(pid, &wide), 0);
	assert_false(wide.is_by_tracer);
	ptrace(PTRACE_CONT, pid, 0, 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (!WIFSTOPPED(status) || WSTOPSIG(status) != SIGTRAP) {
		kill(pid, SIGKILL);
		waitpid(pid, &status, 0);
		skip(); /* the kernel runs no 32-bit code */
	}
	assert_int_equal(fc_registers_read(pid, &narrow), 0);
	assert_true(narrow.is_by_tracer);
	assert_int_equal(fc_regs_get(&narrow, FC_REG_IP), (uintptr_t)at + 1);
	assert_int_equal(fc_regs_get(&narrow, FC_REG_THREAD),
			 fc_regs_get(&wide, FC_REG_THREAD));
	assert_int_equal(fc_register_write(pid, FC_REG_STRAND, 0x12345000), 0);
	fc_regs_set(&narrow, FC_REG_STRAND, 0x12345000);
	fc_regs_set(&narrow, FC_REG_IP, (uintptr_t)at + 2);
	assert_int_equal(fc_registers_write(pid, &narrow), 0);
	assert_int_equal(fc_registers_read(pid, &wide), 0);
	assert_memory_equal(wide.word, narrow.word, fc_arch_here->thread->regs_size);
	ptrace(PTRACE_CONT, pid, 0, 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 7);
	munmap(at, 4096);
}

#else

static void every_register_is_where_the_kernel_has_it(void **state)
{
	skip();
}

static void a_breakpoint_is_set_where_the_kernel_takes_it(void **state)
{
	skip();
}

static void a_thread_in_32_bit_code_has_the_registers_of_its_program(void **state)
{
	skip();
}

#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_register_is_where_the_kernel_has_it),
		cmocka_unit_test(a_breakpoint_is_set_where_the_kernel_takes_it),
		cmocka_unit_test(a_thread_in_32_bit_code_has_the_registers_of_its_program),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
