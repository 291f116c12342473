/* SPDX-License-Identifier: Apache-2.0 */
/* stops.c - system calls at which threads have stopped become words, which wait for whoever takes them. */
#include "capture/syscall/stops.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/numbered.h"
#include "base/vec.h"
#include "capture/agent/abi.h"
#include "capture/syscall/syscalls.h"
#include "trace/clock.h"
#include "trace/record.h"

/* The system call that a thread is in. */
struct open_call {
	int tid;
	bool is_open; /* it is told of */
	struct fc_syscall_stop stop;
};

/* Words of one thread. */
struct piece {
	int tid;
	uint64_t tsc; /* of the last */
	size_t nr;
};

struct queue {
	FC_VEC(uint64_t) words;
	FC_VEC(struct piece) pieces;
};

struct fc_stops {
	struct fc_well well;
	char *const *only;
	const struct fc_fetch_opts *fetch;
	struct fc_syscalls *syscalls;
	struct fc_tap *tap;
	struct fc_numbered threads; /* struct open_call */
	bool is_on;
	pthread_mutex_t queueing;
	struct queue queue; /* what was not taken yet */
	struct queue spare; /* of who takes: it is empty */
};

static struct fc_stops *stops_of(struct fc_well *well)
{
	return (struct fc_stops *)well;
}

/* ---- on the tracer's thread ---- */

/* The words are made with the time at which they are put there: so they are in order of time. */
static void put(struct fc_stops *stops, int tid, const uint64_t *words, size_t nr, uint64_t tsc)
{
	for (size_t i = 0; i < nr; i++)
		fc_vec_push(&stops->queue.words, words[i]);
	fc_vec_push(&stops->queue.pieces, (struct piece){ tid, tsc, nr });
}

/* Its end was not seen: nothing of it is open any more. */
static void close_call(struct fc_stops *stops, struct open_call *call)
{
	uint64_t tsc = fc_clock_tsc(), word = fc_record(tsc, 0, FC_POP);
	if (call->is_open)
		put(stops, call->tid, &word, 1, tsc);
	call->is_open = false;
}

static void enter(struct fc_stops *stops, struct open_call *call,
		  const struct fc_call_stop *stop)
{
	uint64_t words[FC_SYSCALL_STOP_WORDS];
	close_call(stops, call);
	if (!stops->is_on || !fc_syscalls_wants(stops->syscalls, stop->number) ||
	    fca_is_own_call(stop->number, stop->arg))
		return;
	call->is_open = true;
	call->stop = (struct fc_syscall_stop){ .tid = call->tid,
					       .number = stop->number,
					       .tsc = fc_clock_tsc() };
	memcpy(call->stop.arg, stop->arg, sizeof(stop->arg));
	size_t nr = fc_syscalls_enter_stop(stops->syscalls, &call->stop, words);
	put(stops, call->tid, words, nr, call->stop.tsc);
}

static void leave(struct fc_stops *stops, struct open_call *call,
		  const struct fc_call_stop *stop)
{
	uint64_t words[FC_SYSCALL_STOP_WORDS];
	if (!call->is_open)
		return;
	call->is_open = false;
	call->stop.tsc = fc_clock_tsc();
	call->stop.result = stop->result;
	size_t nr = fc_syscalls_leave_stop(stops->syscalls, &call->stop, words);
	put(stops, call->tid, words, nr, call->stop.tsc);
}

static void take_stop(struct fc_well *well, int tid, const struct fc_call_stop *stop)
{
	struct fc_stops *stops = stops_of(well);
	struct open_call *call = fc_numbered_get(&stops->threads, tid);
	pthread_mutex_lock(&stops->queueing);
	if (stop->is_entry)
		enter(stops, call, stop);
	else
		leave(stops, call, stop);
	pthread_mutex_unlock(&stops->queueing);
}

static void leave_thread(struct fc_well *well, int tid)
{
	struct fc_stops *stops = stops_of(well);
	struct open_call *call = fc_numbered_get(&stops->threads, tid);
	pthread_mutex_lock(&stops->queueing);
	close_call(stops, call);
	pthread_mutex_unlock(&stops->queueing);
}

static void turn_on(struct fc_well *well, bool is_on)
{
	stops_of(well)->is_on = is_on;
}

/* ---- on the thread that takes records ---- */

static int start(struct fc_well *well, struct fc_numbers *numbers, struct fc_tap *tap)
{
	struct fc_stops *stops = stops_of(well);
	stops->tap = tap;
	const struct fc_syscalls_opts syscalls = { .by = "ptrace",
						   .only = stops->only,
						   .fetch = stops->fetch };
	stops->syscalls = fc_syscalls_create(numbers, &syscalls);
	return tap->module(tap, fc_syscalls_module(stops->syscalls));
}

/* What comes from now on has a later time. */
static size_t take(struct fc_well *well, uint64_t now_tsc)
{
	struct fc_stops *stops = stops_of(well);
	struct fc_strand_info strand = { .id = FC_STRAND_BESIDE };
	pthread_mutex_lock(&stops->queueing);
	uint64_t until = fc_clock_tsc();
	struct queue taken = stops->queue;
	stops->queue = stops->spare;
	pthread_mutex_unlock(&stops->queueing);
	size_t nr = taken.words.nr;
	const uint64_t *words = taken.words.at;
	fc_vec_each (&taken.pieces, piece) {
		strand.tid = piece->tid;
		stops->tap->records(stops->tap, &strand, words, piece->nr, piece->tsc);
		words += piece->nr;
	}
	taken.words.nr = taken.pieces.nr = 0;
	stops->spare = taken;
	strand.tid = 0;
	stops->tap->records(stops->tap, &strand, NULL, 0, until);
	return nr;
}

static void stop(struct fc_well *well, uint64_t now_tsc)
{
	take(well, now_tsc);
}

/* ---- its life ---- */

struct fc_stops *fc_stops_create(char *const *only, const struct fc_fetch_opts *fetch)
{
	struct fc_stops *stops = fc_alloc(sizeof(*stops));
	stops->well = (struct fc_well){ .start = start,
					.call = take_stop,
					.leave = leave_thread,
					.turn_on = turn_on,
					.take = take,
					.stop = stop };
	stops->only = only;
	stops->fetch = fetch;
	stops->is_on = true;
	stops->threads.size = sizeof(struct open_call);
	pthread_mutex_init(&stops->queueing, NULL);
	return stops;
}

static void queue_deinit(struct queue *queue)
{
	fc_vec_free(&queue->words);
	fc_vec_free(&queue->pieces);
}

void fc_stops_destroy(struct fc_stops *stops)
{
	if (!stops)
		return;
	fc_numbered_deinit(&stops->threads);
	fc_syscalls_destroy(stops->syscalls);
	queue_deinit(&stops->queue);
	queue_deinit(&stops->spare);
	pthread_mutex_destroy(&stops->queueing);
	free(stops);
}

struct fc_well *fc_stops_well(struct fc_stops *stops)
{
	return &stops->well;
}
