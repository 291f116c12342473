/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/drain/ids.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/memory.h"

/* tid 0: a free place. */
struct id {
	uint32_t number;
	int own_tid, pid, tid;
};

/* A table with open addressing, at most half full. */
struct fc_ids {
	pthread_mutex_t lock;
	struct id *at;
	uint32_t nr, room; /* a power of two */
};

struct fc_ids *fc_ids_create(void)
{
	enum { ROOM = 64 };
	struct fc_ids *ids = fc_alloc(sizeof(*ids));
	pthread_mutex_init(&ids->lock, NULL);
	ids->room = ROOM;
	ids->at = fc_alloc(ROOM * sizeof(*ids->at));
	return ids;
}

void fc_ids_destroy(struct fc_ids *ids)
{
	if (!ids)
		return;
	pthread_mutex_destroy(&ids->lock);
	free(ids->at);
	free(ids);
}

static ino_t namespace_of(const char *who)
{
	struct stat st;
	fc_auto_free char *link = fc_asprintf("/proc/%s/ns/pid", who);
	return stat(link, &st) ? 0 : st.st_ino;
}

bool fc_ids_are_own(int pid)
{
	static ino_t here;
	fc_auto_free char *who = fc_asprintf("%d", pid);
	if (!here)
		here = namespace_of("self");
	return namespace_of(who) != here;
}

/* Where it is, or may be put. */
static struct id *place_of(const struct fc_ids *ids, uint32_t number, int own_tid)
{
	uint32_t i = (number * 0x9e3779b1u ^ (uint32_t)own_tid) * 0x85ebca6bu;
	for (;; i++) {
		struct id *id = &ids->at[i & (ids->room - 1)];
		if (!id->tid || (id->number == number && id->own_tid == own_tid))
			return id;
	}
}

static void grow(struct fc_ids *ids)
{
	struct id *old = ids->at;
	uint32_t nr = ids->room;
	ids->room *= 2;
	ids->at = fc_alloc(ids->room * sizeof(*ids->at));
	for (uint32_t i = 0; i < nr; i++)
		if (old[i].tid)
			*place_of(ids, old[i].number, old[i].own_tid) = old[i];
	free(old);
}

void fc_ids_add(struct fc_ids *ids, uint32_t number, int own_tid, int pid, int tid)
{
	pthread_mutex_lock(&ids->lock);
	struct id *id = place_of(ids, number, own_tid);
	ids->nr += !id->tid;
	*id = (struct id){ number, own_tid, pid, tid };
	if (ids->nr > ids->room / 2)
		grow(ids);
	pthread_mutex_unlock(&ids->lock);
}

void fc_ids_find(struct fc_ids *ids, uint32_t number, int *pid, int *tid)
{
	if (!number)
		return;
	pthread_mutex_lock(&ids->lock);
	struct id id = *place_of(ids, number, *tid);
	pthread_mutex_unlock(&ids->lock);
	*pid = id.pid;
	*tid = id.tid;
}
