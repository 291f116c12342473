// SPDX-License-Identifier: Apache-2.0
/*
 * handles: faults in the first instructions of functions, and what their handlers see and change. It
 * prints both; nothing of it depends on where it is.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#define FUNCTION(name, code)                                                                   \
	long name(long a, long b);                                                             \
	extern const char name##_end[];                                                        \
	__asm__(".text\n.globl " #name "\n.type " #name ",@function\n" #name                   \
		": .cfi_startproc\n" code "\nret\nnop;nop;nop;nop\n" #name                     \
		"_end: .cfi_endproc\n.size " #name ",.-" #name "\n")
FUNCTION(segv_first, "mov (%rdi),%eax");
FUNCTION(segv_second, "mov %esi,%eax\nadd (%rdi),%eax");
FUNCTION(segv_third, "inc %esi\nmov %esi,%eax\nadd (%rdi),%rax");
FUNCTION(segv_pushed, "push %rbx\n.cfi_adjust_cfa_offset 8\nmov %esi,%ebx\nadd (%rdi),%ebx\n"
		      "mov %ebx,%eax\npop %rbx\n.cfi_adjust_cfa_offset -8");
FUNCTION(fpe_first, "idiv %rsi");
FUNCTION(fpe_third, "mov %edi,%eax\ncltd\nidiv %esi");
FUNCTION(ill_first, "ud2\nmov %edi,%eax");
FUNCTION(ill_second, "mov %edi,%eax\nud2\ninc %eax");
FUNCTION(plain, "mov $77,%eax");

static const struct function {
	const char *name;
	long (*call)(long a, long b);
	const char *end;
	int skip;   /* bytes of what faults */
	int mended; /* what it returns then */
} functions[] = {
	{ "segv_first", segv_first, segv_first_end, 2, 5 },
	{ "segv_second", segv_second, segv_second_end, 2, 6 },
	{ "segv_third", segv_third, segv_third_end, 3, 7 },
	{ "segv_pushed", segv_pushed, segv_pushed_end, 2, 6 },
	{ "fpe_first", fpe_first, fpe_first_end, 3, 0 },
	{ "fpe_third", fpe_third, fpe_third_end, 2, 0 },
	{ "ill_first", ill_first, ill_first_end, 2, 0 },
	{ "ill_second", ill_second, ill_second_end, 2, 0 },
};
enum { NR = sizeof(functions) / sizeof(functions[0]) };

static enum { MEND, SKIP, LEAVE, DIVERT, NEST } what;
static sigjmp_buf back;
static const int five = 5;
static int nr_faults;
static int is_quiet;

static void tell(int sig, const char *pc)
{
	char text[100];
	for (int i = 0; i < NR; i++)
		if (pc >= (const char *)functions[i].call && pc < functions[i].end) {
			snprintf(text, sizeof(text), "  signal %d at %s+%ld\n", sig,
				 functions[i].name, (long)(pc - (const char *)functions[i].call));
			if (write(1, text, strlen(text)) < 0)
				_exit(1);
			return;
		}
	if (write(1, "  somewhere else\n", 17) < 0)
		_exit(1);
}

static void on_fault(int sig, siginfo_t *info, void *context)
{
	(void)info;
	greg_t *regs = ((ucontext_t *)context)->uc_mcontext.gregs;
	if (++nr_faults > 5000)
		_exit(9); /* it does not come on */
	if (!is_quiet)
		tell(sig, (const char *)regs[REG_RIP]);
	if (what == LEAVE)
		siglongjmp(back, 1);
	if (what == NEST && nr_faults & 1) { /* the other one is of this call */
		long got = segv_third(8, 1);
		if (!is_quiet)
			printf("  nested %d\n", (int)got);
	}
	if (what == DIVERT && (char *)regs[REG_RIP] >= (char *)segv_pushed &&
	    (char *)regs[REG_RIP] < segv_pushed_end) {
		regs[REG_RDI] = (long)&five; /* it has changed the stack */
		return;
	}
	if (what == DIVERT) {
		regs[REG_RIP] = (greg_t)(long)plain;
		return;
	}
	for (int i = 0; what == SKIP && i < NR; i++)
		if ((char *)regs[REG_RIP] >= (char *)functions[i].call &&
		    (char *)regs[REG_RIP] < functions[i].end) {
			regs[REG_RIP] += functions[i].skip;
			return;
		}
	regs[REG_RDI] = sig == SIGFPE ? 40 : (long)&five;
	if (sig == SIGFPE) {
		regs[REG_RSI] = 8;
		if (!regs[REG_RDX])
			regs[REG_RAX] = 40;
	}
	if (sig == SIGILL)
		regs[REG_RIP] += 2;
}

static void round_of(const struct function *f)
{
	if (sigsetjmp(back, 1)) {
		if (!is_quiet)
			printf("left %s\n", f->name);
		return;
	}
	long got = f->call(8, *f->name == 'f' ? 0 : 1);
	if (!is_quiet)
		printf("%s went on\n", f->name);
	if (what == MEND && *f->name == 's' && (int)got != f->mended)
		printf("%s: wrong: %ld\n", f->name, got);
	if (what == DIVERT && f->call != segv_pushed && got != 77)
		printf("%s: not diverted: %ld\n", f->name, got);
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO };
	static const int signals[] = { SIGSEGV, SIGFPE, SIGILL };
	static char stack[64 * 1024];
	(void)argv;
	setvbuf(stdout, NULL, _IONBF, 0);
	if (argc > 1) {
		sigaltstack(&(stack_t){ .ss_sp = stack, .ss_size = sizeof(stack) }, NULL);
		action.sa_flags |= SA_ONSTACK;
	}
	for (int i = 0; i < 3; i++)
		sigaction(signals[i], &action, NULL);
	for (what = MEND; what < NEST; what++) {
		printf("what %d\n", what);
		for (int i = 0; i < NR; i++)
			round_of(&functions[i]);
	}
	what = MEND;
	is_quiet = 1;
	for (int i = 0; i < 2000; i++)
		round_of(&functions[i % 4]);
	what = LEAVE;
	for (int i = 0; i < 200; i++)
		round_of(&functions[i % NR]);
	printf("%d faults\n", nr_faults);
	if (argc > 1)
		return 3;
	for (int i = 0; i < 3; i++) {
		action.sa_flags |= SA_NODEFER;
		sigaction(signals[i], &action, NULL);
	}
	what = NEST;
	is_quiet = 0;
	nr_faults = 0;
	round_of(&functions[1]);
	round_of(&functions[3]);
	return 3;
}
