/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Faults in the first instructions of a function. The handler calls functions and then goes back to
 * where the fault was: into what a jump would overwrite. argv[1] says on which stacks:
 *
 *   small       the handler's is of 12 KiB: too small for the agent, which has stacks of its own
 *   plain       all on one
 *   nested      as small, and the handler faults likewise in another function
 *   array       what was interrupted lies below the handler's, in the same mapping
 *   executable  what was interrupted stands on one that may be executed
 *   locked      pages between the handler and what was interrupted are a mapping of their own
 *
 * Each line of stdin is an order:
 *   pass        do it once; prints `passed`
 *   wait        the same, but prints `in` first when the handler runs, and waits for a line
 *   often       do it again and again, until stdin is closed; the handler makes so many calls that
 *               rings are full, and the agent waits for room
 */
#define _GNU_SOURCE
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "attached.h"

enum { SMALL = 12288, LARGE = 1 << 18, PAGE = 4096 };

/* The fault is in the middle of what a jump overwrites. */
#define FAULTING(name)                                                                         \
	long name(const volatile int *at);                                                     \
	__asm__("\t.text\n\t.p2align 4\n\t.globl " #name "\n\t.type " #name ", @function\n" #name \
		":\n\t.cfi_startproc\n\txor %eax, %eax\n\tadd (%rdi), %eax\n\tadd $1, %eax\n\tret\n" \
		"\t.cfi_endproc\n\t.size " #name ", .-" #name "\n")
FAULTING(hot);
FAULTING(inner);

static volatile int good = 41;
static bool is_nested, is_array, is_locked, is_to_wait, is_busy;
static int depth, nr_faults; /* of handlers; in a pass */
static volatile unsigned long nr_passes;

/* Never called: it can be hooked and unhooked at any time. */
__attribute__((noinline, noclone, used)) static long spare(long n)
{
	__asm__ volatile("");
	return n + 1;
}

NOINLINE static long leaf(const char *text)
{
	__asm__ volatile("");
	return text[0];
}

NOINLINE static long work(long n)
{
	volatile long mark = n;
	long below = n ? work(n - 1) : leaf("text");
	CHECK(mark == n);
	return below + 1;
}

NOINLINE static void handle(void)
{
	CHECK(work(2) == 't' + 3);
}

static void on_signal(int sig)
{
	(void)sig;
	handle();
}

/* Pages in the middle of what is in use, between this frame and the caller's. */
NOINLINE static void handle_below_locked(void)
{
	volatile char room[LARGE];
	uintptr_t middle = ((uintptr_t)room + LARGE / 2) & -(uintptr_t)PAGE;
	room[0] = room[LARGE - 1] = 1;
	CHECK(!mlock((void *)middle, PAGE));
	handle();
	CHECK(!munlock((void *)middle, PAGE));
}

static void on_fault(int sig, siginfo_t *info, void *context)
{
	ucontext_t *at = context;
	(void)sig;
	CHECK(!info->si_addr && ++nr_faults <= 1 + is_nested);
	depth++;
	if (is_to_wait && depth == 1 + is_nested) {
		char word[16];
		CHECK(write(1, "in\n", 3) == 3 && read(0, word, sizeof(word)) > 0);
		is_to_wait = false;
	}
	if (is_nested && depth == 1)
		CHECK(inner(NULL) == 42);
	if (is_array)
		raise(SIGUSR1);
	else if (is_locked)
		handle_below_locked();
	else
		handle();
	uint64_t end_ns = now_ns() + 30000000;
	while (is_busy && depth == 1 && now_ns() < end_ns)
		CHECK(work(50) == 't' + 51);
	depth--;
	at->uc_mcontext.gregs[REG_RDI] = (greg_t)&good;
}

NOINLINE static void pass(void)
{
	nr_faults = 0;
	CHECK(hot(NULL) == 42);
	CHECK(hot(&good) == 42);
	nr_passes++;
}

static void serve(void)
{
	char word[16];
	ssize_t n;
	while ((n = read(0, word, sizeof(word))) > 0) {
		is_to_wait = word[0] == 'w';
		is_busy = word[0] == 'o';
		do
			pass();
		while (word[0] == 'o' && !is_over());
		if (word[0] != 'o')
			CHECK(write(1, "passed\n", 7) == 7);
	}
}

/* In the heap, so that its mapping has a name: what has none and is code is taken for fctrace's. */
static void serve_on_executable(size_t size)
{
	static ucontext_t here, there;
	void *stack = aligned_alloc(PAGE, size);
	CHECK(stack && !mprotect(stack, size, PROT_READ | PROT_WRITE | PROT_EXEC));
	CHECK(!getcontext(&there));
	there.uc_stack = (stack_t){ .ss_sp = stack, .ss_size = size };
	there.uc_link = &here;
	makecontext(&there, serve, 0);
	CHECK(!swapcontext(&here, &there));
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "small";
	char array[SMALL];
	bool is_plain = !strcmp(how, "plain"), is_executable = !strcmp(how, "executable");
	is_nested = !strcmp(how, "nested");
	is_array = !strcmp(how, "array");
	is_locked = !strcmp(how, "locked");
	bool is_on_own = is_plain || is_array || is_locked;
	struct sigaction fault = { .sa_sigaction = on_fault,
				   .sa_flags = SA_SIGINFO | SA_NODEFER |
					       (is_on_own ? 0 : SA_ONSTACK) };
	struct sigaction other = { .sa_handler = on_signal, .sa_flags = SA_ONSTACK };
	stack_t stack = { .ss_sp = is_array ? array : malloc(SMALL), .ss_size = SMALL };
	sigaction(SIGSEGV, &fault, NULL);
	sigaction(SIGUSR1, &other, NULL);
	if (!is_plain && !is_locked)
		CHECK(!sigaltstack(&stack, NULL));
	ready();
	if (is_executable)
		serve_on_executable(LARGE / 4);
	else
		serve();
	return well(nr_passes);
}
