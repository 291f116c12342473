/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coroutines whose stacks lie side by side, each freed from the one beside it while calls are open on it:
 * size of a stack; which goes first, the upper or the lower one; bytes of guard between them.
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <ucontext.h>

#define NOIPA __attribute__((noipa))

enum { NR = 12 };

/* At the upper end of its own stack. */
struct task {
	int number, is_done;
	char *stack;
	char name[24];
	struct task *next;
	ucontext_t here, back;
};

static struct task *tasks[NR];
static long size;
static int step;
static volatile int sum;

NOIPA int leaf(int n, const char *name)
{
	sum = sum + n + name[0];
	return n;
}

NOIPA int deep(int n, const char *name)
{
	volatile char room[100] = { (char)n };
	return n ? deep(n - 1, name) + room[0] : leaf(n, name);
}

/* What is passed is not there any more when this returns. */
NOIPA int release(struct task *task, const char *name)
{
	int number = task->number + (name == task->name);
	munmap(task->stack, (size_t)size);
	return number;
}

NOIPA void set_done(int *is_done, char *name, char *stack)
{
	*is_done = name[0] = 1;
	munmap(stack, (size_t)size);
}

/* It is gone already, and is not looked at. */
NOIPA int look(const struct task *task, const char *name, const int *number)
{
	return (const char *)task != name && number;
}

NOIPA int fail(int n, const char *name)
{
	if (n)
		return fail(n - 1, name) + 1;
	throw n + name[0];
}

NOIPA int attempt(int n, const char *name)
{
	try {
		return fail(n, name);
	} catch (int what) {
		return what;
	}
}

static void body(int i)
{
	struct task *task = tasks[i], *other;
	char local[32];
	snprintf(local, sizeof(local), "on the stack of %d", i);
	deep(3, local);
	swapcontext(&task->here, &task->back);
	int at = i + step;
	if (at >= 0 && at < NR && (other = tasks[at])) {
		char *name = other->name;
		int *number = &other->number;
		if (i % 2)
			leaf(release(other, name), local);
		else
			set_done(&other->is_done, name, other->stack);
		tasks[at] = nullptr;
		leaf(look(other, name, number), local);
	}
	deep(4, local);
	sum = sum + attempt(3, local) + attempt(0, task->name);
	swapcontext(&task->here, &task->back);
}

NOIPA void resume(struct task *task)
{
	if (task)
		swapcontext(&task->back, &task->here);
}

int main(int argc, char **argv)
{
	size = atol(argv[1]);
	step = strcmp(argv[2], "upper") ? 1 : -1;
	long each = size + atol(argv[3]);
	char *all = (char *)mmap(nullptr, (size_t)each * NR, PROT_READ | PROT_WRITE,
				 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (int i = 0; i < NR; i++) {
		char *stack = all + (NR - 1 - i) * each;
		struct task *task =
			(struct task *)((unsigned long)(stack + size - sizeof(*task)) & ~63ul);
		if (each > size)
			mprotect(stack + size, (size_t)(each - size), PROT_NONE);
		task->number = i;
		task->stack = stack;
		task->next = i ? tasks[i - 1] : nullptr;
		strcpy(task->name, "a task");
		getcontext(&task->here);
		task->here.uc_stack.ss_sp = stack;
		task->here.uc_stack.ss_size = (size_t)((char *)task - stack);
		task->here.uc_link = nullptr;
		makecontext(&task->here, (void (*)(void))body, 1, i);
		tasks[i] = task;
	}
	for (int round = 0; round < 2; round++)
		for (int k = 0; k < NR; k++)
			resume(tasks[step < 0 ? k : NR - 1 - k]);
	printf("%d\n", sum);
	return argc > 4;
}
