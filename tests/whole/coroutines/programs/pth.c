// SPDX-License-Identifier: Apache-2.0
/* GNU Pth: threads that are coroutines. */
#include "work.h"
#include <pth.h>

struct co {
	pth_t thread;
	int nr, may_run;
};

static struct co *current;

static void begin(void)
{
	CHECK(pth_init());
}

static void *run(void *arg)
{
	struct co *co = arg;
	while (!co->may_run)
		pth_yield(NULL);
	work(co->nr);
	co->may_run = 0;
	return NULL;
}

static struct co *make(int nr, size_t size)
{
	struct co *co = calloc(1, sizeof(*co));
	pth_attr_t attr = pth_attr_new();
	pth_attr_set(attr, PTH_ATTR_STACK_SIZE, (unsigned)size);
	co->nr = nr;
	co->thread = pth_spawn(attr, run, co);
	pth_attr_destroy(attr);
	CHECK(co->thread);
	return co;
}

static void resume(struct co *co)
{
	current = co;
	co->may_run = 1;
	while (co->may_run)
		pth_yield(co->thread);
}

static void yield(void)
{
	struct co *self = current;
	self->may_run = 0;
	while (!self->may_run)
		pth_yield(NULL);
}

static void release(struct co *co)
{
	CHECK(pth_join(co->thread, NULL));
	free(co);
}
