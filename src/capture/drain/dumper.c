/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/drain/dumper.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/memory.h"

struct fc_dumper {
	struct fc_flight *flight;
	struct fc_tap *tap;
	pthread_t thread;
	bool is_running; /* there is a thread, which may have finished */
	bool is_done;	 /* the dump is written */
	char *why;
	bool is_end;
	int ret;
};

struct fc_dumper *fc_dumper_create(struct fc_flight *flight, struct fc_tap *tap)
{
	struct fc_dumper *dumper = fc_alloc(sizeof(*dumper));
	dumper->flight = flight;
	dumper->tap = tap;
	return dumper;
}

void fc_dumper_destroy(struct fc_dumper *dumper)
{
	free(dumper);
}

static void pour(void *ctx, struct fc_tap *to)
{
	fc_flight_pour(ctx, to);
}

static void *write_dump(void *ctx)
{
	struct fc_dumper *dumper = ctx;
	dumper->ret = dumper->tap->dump(dumper->tap, dumper->why, dumper->is_end, pour,
					dumper->flight);
	__atomic_store_n(&dumper->is_done, true, __ATOMIC_RELEASE);
	return NULL;
}

void fc_dumper_start(struct fc_dumper *dumper, const char *why, bool is_end)
{
	dumper->why = fc_strdup(why);
	dumper->is_end = is_end;
	dumper->is_done = false;
	fc_flight_hold(dumper->flight);
	dumper->is_running = !pthread_create(&dumper->thread, NULL, write_dump, dumper);
	if (!dumper->is_running) /* no memory for a thread: it takes this one's time */
		write_dump(dumper);
}

bool fc_dumper_is_busy(struct fc_dumper *dumper, bool is_patient, int *ret)
{
	*ret = 0;
	if (!dumper->why)
		return false;
	if (!is_patient && !__atomic_load_n(&dumper->is_done, __ATOMIC_ACQUIRE))
		return true;
	if (dumper->is_running)
		pthread_join(dumper->thread, NULL);
	dumper->is_running = false;
	free(dumper->why);
	dumper->why = NULL;
	fc_flight_release(dumper->flight);
	*ret = dumper->ret;
	return false;
}
