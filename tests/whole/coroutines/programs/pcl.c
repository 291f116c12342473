// SPDX-License-Identifier: Apache-2.0
/* The Portable Coroutine Library. */
#include "work.h"
#include <pcl.h>

static void begin(void)
{
	co_thread_init();
}

static void run(void *nr)
{
	work((int)(long)nr);
}

static struct co *make(int nr, size_t size)
{
	return (struct co *)co_create(run, (void *)(long)nr, NULL, (int)size);
}

static void resume(struct co *co)
{
	co_call((coroutine_t)co);
}

static void yield(void)
{
	co_resume();
}

static void release(struct co *co)
{
	(void)co; /* it has ended */
}
