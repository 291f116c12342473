/* SPDX-License-Identifier: Apache-2.0 */
/* locks.c - follows what the open calls of each strand do to locks. */
#include "read/locks/locks.h"

#include <errno.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/pairs.h"
#include "calls/strands.h"
#include "trace/source.h"
#include "values/parameter.h"
#include "values/text.h"

/* How a call ended that returns 0, an error, or -1 and sets errno. */
struct result {
	bool is_known, has_failed;
	int error; /* 0: not known */
};

/* What an open call does to a lock. */
struct act {
	size_t depth; /* of its frame, from 1 on */
	const struct fc_lock_op *op;
	enum {
		ACT_JOIN,
		ACT_ASK,     /* a function that takes, or waits */
		ACT_SLEEP,   /* futex() within that */
		ACT_FUTEX,   /* futex() that waits, alone */
		ACT_WAKE,    /* futex() that wakes */
		ACT_TRY,     /* what it did is known at its end */
		ACT_RELEASE, /* the same; its thread did not have it */
		ACT_SIGNAL,
	} kind;
	uint32_t lock;		 /* number */
	uint32_t mutex;		 /* that a condition releases meanwhile; 0: none */
	uint32_t func;		 /* of the program */
	struct fc_lock_ask *ask; /* or NULL */
	uint64_t waking, most;	 /* ACT_WAKE: its id, and so many at most */
	struct result result;	 /* it left by a tail jump, and will return this */
};

struct frame {
	uint32_t func;
	uint32_t
		from; /* a function of the program that was left by a tail jump to here; 0: none */
};

struct strand {
	int tid;
	uint32_t thread; /* the number of that */
	FC_VEC(struct frame) frames;
	FC_VEC(struct act) acts;
	struct frame tail;   /* what was left by a tail jump just now; func 0: nothing */
	struct act tail_act; /* what it did goes on in the next call, if depth is not 0 */
};

/* What is known of a function. */
struct func {
	bool is_known, is_runtime;
	const struct fc_lock_op *op; /* NULL: none */
};

struct fc_locks {
	struct fc_call_sink sink;
	struct fc_namer namer;
	const struct fc_values *values;
	const struct fc_lock_teller *teller;
	struct fc_strands strands;
	FC_VEC(struct func) funcs;
	struct fc_pairs addresses;    /* any number */
	struct fc_pairs places;	      /* pid, number of the address */
	struct fc_pairs threads;      /* pid, tid */
	FC_VEC(uint32_t) nows;	      /* by their numbers: the strand that each is in */
	FC_VEC(struct fc_lock) locks; /* by number of the place - 1 */
	struct fc_locks_seen seen;
};

static struct fc_locks *locks_of(struct fc_call_sink *sink)
{
	return (struct fc_locks *)((char *)sink - offsetof(struct fc_locks, sink));
}

static const struct func *func_of(struct fc_locks *locks, uint32_t id)
{
	struct func *func = fc_vec_make(&locks->funcs, id);

	if (func->is_known)
		return func;
	struct fc_name name = locks->namer.name_of(locks->namer.ctx, id);
	*func = (struct func){ true, fc_lock_is_runtime(name), fc_lock_op_find(name) };
	return func;
}

/* ---- which lock ---- */

static uint32_t find_lock(const struct fc_locks *locks, int pid, uint64_t address)
{
	uint32_t number = fc_pairs_find(&locks->addresses, address);

	return number ? fc_pairs_find(&locks->places, fc_pair((uint32_t)pid, number)) : 0;
}

static struct fc_lock *lock_at(struct fc_locks *locks, uint32_t number)
{
	return &locks->locks.at[number - 1];
}

static uint32_t add_lock(struct fc_locks *locks, const struct fc_call *call, uint64_t address,
			 uint32_t func)
{
	uint32_t number = fc_pairs_number(&locks->addresses, address);

	fc_vec_push(&locks->locks, (struct fc_lock){ .pid = call->pid,
						     .address = address,
						     .teller = locks->teller,
						     .first_func = func,
						     .first_tsc = call->begin_tsc });
	return fc_pairs_add(&locks->places, fc_pair((uint32_t)call->pid, number));
}

/* The lock that a function of this kind is given. */
static uint32_t object_lock(struct fc_locks *locks, const struct fc_call *call,
			    uint64_t address, enum fc_lock_kind kind, uint32_t func)
{
	uint32_t number =
		find_lock(locks, call->pid, address) ?: add_lock(locks, call, address, func);
	struct fc_lock *lock = lock_at(locks, number);

	lock->kind = kind;
	lock->has_ops = true;
	return number;
}

static bool is_within(const struct fc_lock *lock, uint64_t address)
{
	return address >= lock->address && address - lock->address < fc_lock_size(lock->kind);
}

/* The lock that a word of futex() is part of, or is. */
static uint32_t word_lock(struct fc_locks *locks, const struct fc_call *call, uint64_t address,
			  uint32_t func)
{
	enum { LARGEST = 56, STEP = sizeof(uint32_t) };

	for (uint64_t back = 0; back < LARGEST && back <= address; back += STEP) {
		uint32_t number = find_lock(locks, call->pid, address - back);
		if (number && is_within(lock_at(locks, number), address))
			return number;
	}
	return add_lock(locks, call, address, func);
}

/* ---- values ---- */

static bool argument(const struct fc_locks *locks, const struct fc_call *call, uint32_t param,
		     uint64_t *ret)
{
	struct fc_value_found found;

	if (!locks->values ||
	    !fc_values_find(locks->values, fc_call_args(call->values),
			    fc_call_result(call->values), param, &found) ||
	    !found.shown.value.is_there || found.shown.value.is_masked)
		return false;
	*ret = fc_value_number(&found.shown.value, sizeof(*ret));
	return true;
}

static struct result result_of(const struct fc_locks *locks, const struct fc_call *call)
{
	struct result ret = { 0 };
	uint64_t value;

	ret.is_known = argument(locks, call, FC_PARAM_RESULT, &value);
	ret.has_failed = ret.is_known && (int)value != 0;
	if (!ret.has_failed)
		return ret;
	ret.error = (int)value;
	if (ret.error == -1 &&
	    !fc_values_errno(locks->values, fc_call_result(call->values), &ret.error))
		ret.error = 0;
	return ret;
}

/* ---- frames and acts ---- */

static bool is_runtime(struct fc_locks *locks, uint32_t func)
{
	return !func || func_of(locks, func)->is_runtime;
}

/* The innermost function of the program, but for the call itself; else the outermost of all. */
static uint32_t program_func(struct fc_locks *locks, const struct strand *strand)
{
	for (size_t i = strand->frames.nr; i-- > 0;) {
		const struct frame *frame = &strand->frames.at[i];
		if (i + 1 < strand->frames.nr && !is_runtime(locks, frame->func))
			return frame->func;
		if (frame->from)
			return frame->from;
	}
	return strand->frames.nr > 1 ? strand->frames.at[0].func : 0;
}

static struct act *last_act(struct strand *strand)
{
	return strand->acts.nr ? &strand->acts.at[strand->acts.nr - 1] : NULL;
}

static void push_act(struct strand *strand, struct act act)
{
	act.depth = strand->frames.nr;
	fc_vec_push(&strand->acts, act);
}

/*
 * Is this what a call further out does to the same lock? As an interposer calls the function of the same name. But a
 * handler may signal while its thread waits.
 */
static bool is_part(const struct strand *strand, uint32_t lock, const struct fc_lock_op *op)
{
	bool is_signal = op->act == FC_LOCK_WAKE_ONE || op->act == FC_LOCK_WAKE_ALL;

	fc_vec_each (&strand->acts, act)
		if (act->lock == lock && (!is_signal || act->op->act == op->act))
			return true;
	return false;
}

/* ---- functions of the C library ---- */

/* The innermost call of a thread; 0: none is known. */
static uint32_t doing_of(const struct fc_locks *locks, int pid, int tid)
{
	uint32_t thread = fc_pairs_find(&locks->threads, fc_pair((uint32_t)pid, (uint32_t)tid));
	const struct strand *strand =
		thread ? fc_strands_find(&locks->strands, locks->nows.at[thread]) : NULL;

	return strand && strand->frames.nr ? strand->frames.at[strand->frames.nr - 1].func : 0;
}

static struct fc_lock_by by_of(const struct fc_call *call, const struct act *act)
{
	return (struct fc_lock_by){ call->tid, call->strand, act->func };
}

static struct fc_lock_ask *ask(struct fc_locks *locks, const struct fc_call *call,
			       const struct act *act)
{
	struct fc_lock *lock = lock_at(locks, act->lock);
	struct fc_lock_ask *ask =
		fc_lock_ask(lock, by_of(call, act), act->op->is_shared, call->begin_tsc);

	fc_vec_each (&lock->holds, hold)
		fc_lock_ask_sees(ask, hold, doing_of(locks, call->pid, hold->tid));
	return ask;
}

static void begin_wait(struct fc_locks *locks, const struct fc_call *call, struct act *act)
{
	uint64_t mutex;

	act->kind = ACT_ASK;
	act->ask = ask(locks, call, act);
	/* Such a wait never ends at once. */
	act->ask->has_waited = act->op->kind == FC_LOCK_COND;
	if (!act->op->has_mutex || !argument(locks, call, 1, &mutex))
		return;
	act->mutex = object_lock(locks, call, mutex, FC_LOCK_MUTEX, act->func);
	fc_lock_release(lock_at(locks, act->mutex), by_of(call, act), call->begin_tsc);
}

static void begin_op(struct fc_locks *locks, const struct fc_call *call, struct act *act)
{
	struct fc_lock *lock = lock_at(locks, act->lock);
	uint64_t tsc = call->begin_tsc;

	act->kind = ACT_SIGNAL;
	switch (act->op->act) {
	case FC_LOCK_TAKE:
		act->kind = ACT_ASK;
		act->ask = ask(locks, call, act);
		break;
	case FC_LOCK_TRY:
		act->kind = ACT_TRY;
		break;
	case FC_LOCK_RELEASE:
		if (!fc_lock_release(lock, by_of(call, act), tsc))
			act->kind = ACT_RELEASE;
		break;
	case FC_LOCK_MEET:
		fc_lock_signal(lock, by_of(call, act), tsc, FC_WAKES_ALL);
		begin_wait(locks, call, act);
		break;
	case FC_LOCK_WAIT:
		begin_wait(locks, call, act);
		break;
	case FC_LOCK_WAKE_ONE:
		fc_lock_signal(lock, by_of(call, act), tsc, 1);
		break;
	default:
		fc_lock_signal(lock, by_of(call, act), tsc, FC_WAKES_ALL);
		break;
	}
}

static enum fc_lock_ending ending_of(const struct fc_call *call, const struct act *act,
				     const struct result *result)
{
	if (call->left == FC_LEFT_END)
		return FC_LOCK_ENDED_NEVER;
	if (call->left == FC_LEFT_POP)
		return FC_LOCK_ENDED_LEFT;
	if (result->error == ETIMEDOUT)
		return FC_LOCK_ENDED_TIMEOUT;
	if (result->error == EINTR)
		return FC_LOCK_ENDED_INTERRUPTED;
	/* sem_timedwait(): it fails if its time is over, and if it was interrupted. */
	if (result->has_failed)
		return act->op->may_fail ? FC_LOCK_ENDED_FAILED : FC_LOCK_ENDED_INTERRUPTED;
	return FC_LOCK_ENDED;
}

/* Has the call taken the lock? Of one whose result is not known, if it could not fail. */
static bool has_taken(const struct fc_call *call, const struct act *act,
		      const struct result *result)
{
	if (call->left != FC_LEFT_RETURN && call->left != FC_LEFT_TAIL)
		return false;
	if (!result->is_known)
		return !act->op->may_fail;
	return !result->has_failed || result->error == EOWNERDEAD;
}

static void end_ask(struct fc_locks *locks, const struct fc_call *call, const struct act *act,
		    const struct result *result)
{
	bool has_it = act->op->act == FC_LOCK_TAKE && has_taken(call, act, result);

	fc_lock_ask_end(lock_at(locks, act->lock), act->ask, call->end_tsc,
			ending_of(call, act, result));
	if (has_it)
		fc_lock_hold(lock_at(locks, act->lock), by_of(call, act), act->op->is_shared,
			     call->end_tsc);
	/* A thread that was cancelled has its mutex again, too. */
	if (act->mutex && call->left != FC_LEFT_END)
		fc_lock_hold(lock_at(locks, act->mutex), by_of(call, act), false,
			     call->end_tsc);
}

static void end_op(struct fc_locks *locks, const struct fc_call *call, const struct act *act)
{
	struct result result = act->result.is_known ? act->result : result_of(locks, call);
	struct fc_lock *lock = lock_at(locks, act->lock);

	if (act->op->act == FC_LOCK_MEET) /* to one of them it returns -1 */
		result = (struct result){ .is_known = true };
	if (act->kind == ACT_ASK)
		end_ask(locks, call, act, &result);
	else if (act->kind == ACT_TRY && has_taken(call, act, &result))
		fc_lock_hold(lock, by_of(call, act), act->op->is_shared, call->end_tsc);
	else if (act->kind == ACT_RELEASE && result.is_known && !result.has_failed)
		fc_lock_release_any(lock, by_of(call, act), call->end_tsc);
}

/* ---- futex() ---- */

struct futex {
	uint64_t address, value, address2;
	uint32_t command;
	bool is_private;
};

static bool read_futex(const struct fc_locks *locks, const struct fc_call *call,
		       struct futex *ret)
{
	uint64_t operation;

	*ret = (struct futex){ 0 };
	if (!argument(locks, call, 0, &ret->address) || !argument(locks, call, 1, &operation))
		return false;
	ret->command = operation & FUTEX_CMD_MASK;
	ret->is_private = operation & FUTEX_PRIVATE_FLAG;
	return argument(locks, call, 2, &ret->value);
}

static bool waits(const struct futex *futex)
{
	return futex->command == FUTEX_WAIT || futex->command == FUTEX_WAIT_BITSET ||
	       futex->command == FUTEX_LOCK_PI || futex->command == FUTEX_LOCK_PI2 ||
	       futex->command == FUTEX_WAIT_REQUEUE_PI;
}

static bool wakes(const struct futex *futex)
{
	return futex->command == FUTEX_WAKE || futex->command == FUTEX_WAKE_BITSET ||
	       futex->command == FUTEX_WAKE_OP || futex->command == FUTEX_UNLOCK_PI ||
	       futex->command == FUTEX_REQUEUE || futex->command == FUTEX_CMP_REQUEUE ||
	       futex->command == FUTEX_CMP_REQUEUE_PI;
}

/*
 * glibc's pthread_join() waits until the kernel has set the thread's id to 0, in a word that is shared
 * with the kernel.
 */
static bool is_end_of_thread(const struct fc_locks *locks, const struct fc_call *call,
			     const struct futex *futex)
{
	return !futex->is_private &&
	       fc_pairs_find(&locks->threads,
			     fc_pair((uint32_t)call->pid, (uint32_t)futex->value));
}

static void begin_sleep(struct fc_locks *locks, const struct fc_call *call,
			struct strand *strand, struct act *act)
{
	struct act *last = last_act(strand);

	if (last && last->ask && last->lock == act->lock) {
		act->kind = ACT_SLEEP;
		act->ask = last->ask;
		act->ask->sleep_begin = call->begin_tsc;
		act->ask->sleep = FC_LOCK_NO_SLEEP;
		act->ask->woken_by = 0;
	} else {
		act->kind = ACT_FUTEX;
		act->ask = ask(locks, call, act);
		act->ask->sleep_begin = call->begin_tsc;
	}
}

static void begin_futex(struct fc_locks *locks, const struct fc_call *call,
			struct strand *strand, struct act *act)
{
	struct act *last = last_act(strand);
	struct futex futex;

	if (!read_futex(locks, call, &futex) || (!waits(&futex) && !wakes(&futex)))
		return;
	locks->seen.futexes++;
	if (waits(&futex) &&
	    ((last && last->kind == ACT_JOIN) || is_end_of_thread(locks, call, &futex))) {
		locks->seen.no_locks++;
		return;
	}
	act->lock = word_lock(locks, call, futex.address, act->func);
	if (waits(&futex)) {
		begin_sleep(locks, call, strand, act);
	} else {
		act->kind = ACT_WAKE;
		act->most = futex.command == FUTEX_UNLOCK_PI ? 1 : (uint32_t)futex.value;
		act->waking = fc_lock_wake(lock_at(locks, act->lock), by_of(call, act),
					   call->begin_tsc);
	}
	push_act(strand, *act);
}

static enum fc_lock_sleep sleep_of(const struct fc_call *call, const struct result *result)
{
	if (call->left == FC_LEFT_END)
		return FC_LOCK_SLEEP_NOT_OVER;
	if (!result->is_known)
		return FC_LOCK_NO_SLEEP;
	if (!result->has_failed)
		return FC_LOCK_SLEEP_WOKEN;
	switch (result->error) {
	case ETIMEDOUT:
		return FC_LOCK_SLEEP_TIMEOUT;
	case EINTR:
		return FC_LOCK_SLEEP_INTERRUPTED;
	default: /* EAGAIN: the word had changed before it slept */
		return FC_LOCK_NO_SLEEP;
	}
}

static void end_sleep(struct fc_locks *locks, const struct fc_call *call, const struct act *act)
{
	static const enum fc_lock_ending endings[] = {
		[FC_LOCK_NO_SLEEP] = FC_LOCK_ENDED_AT_ONCE,
		[FC_LOCK_SLEEP_WOKEN] = FC_LOCK_ENDED,
		[FC_LOCK_SLEEP_TIMEOUT] = FC_LOCK_ENDED_TIMEOUT,
		[FC_LOCK_SLEEP_INTERRUPTED] = FC_LOCK_ENDED_INTERRUPTED,
		[FC_LOCK_SLEEP_NOT_OVER] = FC_LOCK_ENDED_NEVER,
	};
	struct result result = result_of(locks, call);
	struct fc_lock_ask *ask = act->ask;

	ask->sleep = sleep_of(call, &result);
	ask->sleep_end = call->end_tsc;
	ask->has_waited |= ask->sleep != FC_LOCK_NO_SLEEP;
	if (act->kind == ACT_FUTEX)
		fc_lock_ask_end(lock_at(locks, act->lock), ask, call->end_tsc,
				endings[ask->sleep]);
}

/* How many it woke: what it returns, but of FUTEX_UNLOCK_PI. Of one that did not return: any number. */
static uint64_t nr_woken(const struct fc_locks *locks, const struct fc_call *call,
			 const struct act *act)
{
	uint64_t nr;

	if (call->left == FC_LEFT_END || !argument(locks, call, FC_PARAM_RESULT, &nr))
		return FC_WAKES_ALL;
	if ((int)nr < 0)
		return 0;
	return nr < act->most ? nr : act->most;
}

static void end_futex(struct fc_locks *locks, const struct fc_call *call, const struct act *act)
{
	if (act->kind == ACT_WAKE)
		fc_lock_wake_end(lock_at(locks, act->lock), act->waking, call->end_tsc,
				 nr_woken(locks, call, act));
	else
		end_sleep(locks, call, act);
}

static bool ends_a_name(const char *text)
{
	static const char behind[] = " in ";
	return !*text || !strncmp(text, behind, strlen(behind));
}

/*
 * "woken by worker[812]", "woken by thread 812 in futex_wake": 812; 0: it says no thread. Threads may have
 * brackets in their names: the last ones are fctrace's.
 */
static int woken_by(const char *text)
{
	static const char begin[] = "woken by ", unnamed[] = "thread ";
	int ret = 0;
	char *end;

	if (strncmp(text, begin, strlen(begin)) != 0)
		return 0;
	text += strlen(begin);
	if (!strncmp(text, unnamed, strlen(unnamed))) {
		long tid = strtol(text + strlen(unnamed), &end, 10);
		if (tid > 0 && tid < INT32_MAX && ends_a_name(end))
			return (int)tid;
	}
	for (const char *at = text; (at = strchr(at, '[')); at++) {
		long tid = strtol(at + 1, &end, 10);
		if (*end == ']' && tid > 0 && tid < INT32_MAX && ends_a_name(end + 1))
			ret = (int)tid;
	}
	return ret;
}

/* What a thread that was off the CPU in futex() was woken by. */
static void end_off(struct fc_locks *locks, const struct fc_call *call,
		    const struct strand *strand)
{
	const struct act *act = strand->acts.nr ? &strand->acts.at[strand->acts.nr - 1] : NULL;
	struct fc_value_found found;
	struct fc_value_bytes bytes;

	if (!act || !act->ask || act->op->act != FC_LOCK_CALL || !locks->values ||
	    !fc_values_find(locks->values, fc_call_args(call->values),
			    fc_call_result(call->values), FC_PARAM_RESULT, &found) ||
	    !fc_value_string(found.types, found.type, &found.shown.value, &found.shown.links,
			     &bytes))
		return;
	fc_auto_free char *text = fc_asprintf("%.*s", (int)bytes.nr, (const char *)bytes.at);
	act->ask->woken_by = woken_by(text);
}

/* ---- calls ---- */

static void begin_act(struct fc_locks *locks, const struct fc_call *call, struct strand *strand,
		      const struct fc_lock_op *op)
{
	struct act act = { .op = op, .func = program_func(locks, strand) };
	uint64_t address;

	if (op->act == FC_LOCK_CALL) {
		begin_futex(locks, call, strand, &act);
		return;
	}
	if (op->act == FC_LOCK_OFF)
		return;
	if (op->act == FC_LOCK_JOIN) {
		act.kind = ACT_JOIN;
		push_act(strand, act);
		return;
	}
	if (!argument(locks, call, 0, &address)) {
		locks->seen.blind++;
		return;
	}
	locks->seen.ops++;
	act.lock = object_lock(locks, call, address, op->kind, act.func);
	if (is_part(strand, act.lock, op))
		return;
	begin_op(locks, call, &act);
	push_act(strand, act);
}

/* Where its thread is from here on. */
static void note_thread(struct fc_locks *locks, struct strand *strand,
			const struct fc_call *call)
{
	uint64_t pair = fc_pair((uint32_t)call->pid, (uint32_t)call->tid);

	if (!strand->thread || strand->tid != call->tid)
		strand->thread = fc_pairs_number(&locks->threads, pair);
	strand->tid = call->tid;
	*fc_vec_make(&locks->nows, strand->thread) = call->strand;
}

static void locks_enter(struct fc_call_sink *sink, const struct fc_call *call)
{
	struct fc_locks *locks = locks_of(sink);
	struct strand *strand = fc_strands_make(&locks->strands, call->strand);

	if (!strand)
		return;
	struct frame frame = { .func = call->func };
	if (strand->tail.func)
		frame.from = is_runtime(locks, strand->tail.func) ? strand->tail.from
								  : strand->tail.func;
	strand->tail.func = 0;
	note_thread(locks, strand, call);
	fc_vec_push(&strand->frames, frame);
	const struct func *func = func_of(locks, call->func);
	if (strand->tail_act.depth) {
		push_act(strand, strand->tail_act);
		strand->tail_act.depth = 0;
	} else if (func->op && !call->is_inherited) {
		begin_act(locks, call, strand, func->op);
	}
}

static void end_act(struct fc_locks *locks, const struct fc_call *call, struct strand *strand)
{
	struct act act = strand->acts.at[--strand->acts.nr];

	if (call->left == FC_LEFT_TAIL && act.kind == ACT_ASK) {
		if (!act.result.is_known)
			act.result = result_of(locks, call);
		strand->tail_act = act;
	} else if (act.op->act == FC_LOCK_CALL) {
		end_futex(locks, call, &act);
	} else if (act.kind != ACT_JOIN) {
		end_op(locks, call, &act);
	}
}

static void locks_leave(struct fc_call_sink *sink, const struct fc_call *call)
{
	struct fc_locks *locks = locks_of(sink);
	struct strand *strand = fc_strands_find(&locks->strands, call->strand);

	if (!strand || !strand->frames.nr)
		return;
	const struct act *act = last_act(strand);
	const struct fc_lock_op *op = func_of(locks, call->func)->op;
	if (op && op->act == FC_LOCK_OFF)
		end_off(locks, call, strand);
	else if (act && act->depth == strand->frames.nr)
		end_act(locks, call, strand);
	strand->tail = (struct frame){ 0 };
	if (call->left == FC_LEFT_TAIL)
		strand->tail = strand->frames.at[strand->frames.nr - 1];
	strand->frames.nr--;
}

/* What was done up to then is not all known: of a process, or with 0 of any; by a thread, or by any. */
static void doubt(struct fc_locks *locks, int pid, int tid, uint64_t tsc)
{
	fc_vec_each (&locks->locks, lock)
		if (!pid || lock->pid == pid)
			fc_lock_doubt(lock, tid, tsc);
}

static void locks_event(struct fc_call_sink *sink, const struct fc_event *event)
{
	struct fc_locks *locks = locks_of(sink);

	if (event->mark != FC_MARK_LOST || !fc_event_word(event, 0))
		return;
	locks->seen.has_gaps = true;
	doubt(locks, event->pid, event->tid, event->tsc);
}

static void locks_finish(struct fc_call_sink *sink)
{
	struct fc_locks *locks = locks_of(sink);

	fc_vec_each (&locks->locks, lock)
		fc_lock_finish(lock);
}

/* ---- its life ---- */

struct fc_locks *fc_locks_create(const struct fc_namer *namer, const struct fc_values *values)
{
	struct fc_locks *locks = fc_alloc(sizeof(*locks));

	locks->sink = (struct fc_call_sink){
		.enter = locks_enter,
		.leave = locks_leave,
		.event = locks_event,
		.finish = locks_finish,
	};
	locks->namer = *namer;
	locks->values = values;
	locks->strands.size = sizeof(struct strand);
	return locks;
}

void fc_locks_destroy(struct fc_locks *locks)
{
	struct strand *strand;

	if (!locks)
		return;
	fc_strands_each (&locks->strands, strand) {
		fc_vec_free(&strand->frames);
		fc_vec_free(&strand->acts);
	}
	fc_strands_deinit(&locks->strands);
	fc_vec_each (&locks->locks, lock)
		fc_lock_deinit(lock);
	fc_vec_free(&locks->locks);
	fc_vec_free(&locks->funcs);
	fc_vec_free(&locks->nows);
	fc_pairs_deinit(&locks->addresses);
	fc_pairs_deinit(&locks->places);
	fc_pairs_deinit(&locks->threads);
	free(locks);
}

struct fc_call_sink *fc_locks_sink(struct fc_locks *locks)
{
	return &locks->sink;
}

void fc_locks_tell(struct fc_locks *locks, const struct fc_lock_teller *teller)
{
	locks->teller = teller;
}

void fc_locks_life(struct fc_locks *locks, const struct fc_life_info *life)
{
	/* That recording is off from here on, or on again, say (fctrace ctl). */
	if (life->life == FC_LIFE_SAY)
		doubt(locks, 0, 0, life->tsc);
	if (life->life != FC_LIFE_EXEC && life->life != FC_LIFE_EXIT)
		return;
	fc_vec_each (&locks->locks, lock)
		if (lock->pid == life->pid)
			fc_lock_forget(lock);
}

size_t fc_locks_nr(const struct fc_locks *locks)
{
	return locks->locks.nr;
}

const struct fc_lock *fc_locks_get(const struct fc_locks *locks, size_t i)
{
	return &locks->locks.at[i];
}

struct fc_locks_seen fc_locks_seen(const struct fc_locks *locks)
{
	return locks->seen;
}
