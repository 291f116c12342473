/* SPDX-License-Identifier: Apache-2.0 */
/* tasks_backend.c - one thread, one loop: take from the well, look for kernel threads, heed signals. */
#include "capture/kernel/tasks/tasks_backend.h"

#include <errno.h>
#include <signal.h>
#include <time.h>

#include "base/vec.h"
#include "capture/drain/well.h"
#include "capture/kernel/tasks/kernel_tasks.h"
#include "trace/clock.h"

#define TICK_NS	    10000000ull
#define LOOK_NS	    250000000ull /* so often for kernel threads that are new... */
#define LOOKS_SHARE 20		 /* ...and so many times longer than that takes */

static const char proc[] = "/proc";

/* A kernel thread that is traced. */
struct member {
	int tid;
	bool is_there; /* at the last look */
};

struct session {
	const struct fc_user_opts *opts;
	struct fc_numbers numbers;
	struct fc_tasks *tasks;
	FC_VEC(struct member) members;
	uint64_t next_look_ns, next_tick_ns, end_ns;
	sigset_t signals; /* that end it */
	bool is_deaf;	  /* the tap has nobody left to tell: | head */
};

/* ---- kernel threads ---- */

static void take_kthread(void *ctx, const struct fc_kthread *kthread)
{
	struct session *session = ctx;
	fc_vec_each (&session->members, member)
		if (member->tid == kthread->tid) {
			member->is_there = true;
			return;
		}
	fc_tasks_add(session->tasks, kthread);
	fc_vec_push(&session->members, (struct member){ kthread->tid, true });
	fc_wells_follow(session->opts->wells, kthread->tid);
}

/* Who was not there at the last look either: what it did has been told by now. */
static void drop_ended(struct session *session)
{
	size_t left = 0;
	for (size_t i = 0; i < session->members.nr; i++) {
		struct member *member = &session->members.at[i];
		if (member->is_there)
			session->members.at[left++] = *member;
		else
			fc_tasks_remove(session->tasks, member->tid);
	}
	session->members.nr = left;
}

static void look(struct session *session)
{
	uint64_t before_ns = fc_clock_mono_ns();
	drop_ended(session);
	fc_vec_each (&session->members, member)
		member->is_there = false;
	fc_kthreads_find(proc, session->opts->kthreads, take_kthread, session);
	session->next_look_ns =
		fc_clock_mono_ns() + fc_clock_pause_ns(before_ns, LOOKS_SHARE, LOOK_NS);
}

/* ---- the loop ---- */

/* Waits for up to wait_ns; is it told to end? */
static bool is_told(const struct session *session, uint64_t wait_ns)
{
	struct timespec wait = { .tv_nsec = (long)wait_ns };
	return sigtimedwait(&session->signals, NULL, &wait) > 0;
}

static bool is_over(struct session *session, uint64_t now_ns)
{
	bool is_of_some = session->opts->kthreads;
	if (is_of_some && now_ns >= session->next_look_ns)
		look(session);
	return now_ns >= session->end_ns || (is_of_some && !session->members.nr) ||
	       session->is_deaf || fc_tasks_error(session->tasks);
}

static void tick(struct session *session, uint64_t now_ns)
{
	struct fc_tap *tap = fc_tasks_tap(session->tasks);
	if (now_ns < session->next_tick_ns)
		return;
	session->next_tick_ns = now_ns + TICK_NS;
	session->is_deaf = tap->tick(tap, fc_tasks_told_until(session->tasks));
}

static void loop(struct session *session)
{
	uint64_t for_ns = session->opts->for_ns, wait_ns = 0;
	session->end_ns = for_ns ? fc_clock_mono_ns() + for_ns : UINT64_MAX;
	while (!is_told(session, wait_ns)) {
		size_t nr = fc_wells_take(session->opts->wells);
		uint64_t now_ns = fc_clock_mono_ns();
		tick(session, now_ns);
		if (is_over(session, now_ns))
			break;
		wait_ns = nr ? 0 : TICK_NS;
		if (session->end_ns - now_ns < wait_ns)
			wait_ns = session->end_ns - now_ns;
	}
}

static int trace(struct session *session, struct fc_tap *tap)
{
	const struct fc_user_opts *opts = session->opts;
	session->tasks = fc_tasks_create(&session->numbers, !opts->kthreads, tap);
	int err = fc_wells_start(opts->wells, &session->numbers, fc_tasks_tap(session->tasks));
	if (!err) {
		/* All that are there begin at the same time. */
		fc_wells_turn_on(opts->wells, false);
		if (opts->kthreads)
			look(session);
		fc_wells_turn_on(opts->wells, true);
		loop(session);
		fc_wells_stop(opts->wells);
	}
	fc_tasks_destroy(session->tasks);
	fc_vec_free(&session->members);
	return err;
}

static int run_tasks(const struct fc_user_opts *opts, char *const *argv, struct fc_tap *tap,
		     int *wait_status)
{
	static const int ending[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP };
	struct session session = { .opts = opts };
	sigset_t before;
	(void)argv;
	(void)wait_status;
	sigemptyset(&session.signals);
	for (size_t i = 0; i < sizeof(ending) / sizeof(ending[0]); i++)
		sigaddset(&session.signals, ending[i]);
	sigprocmask(SIG_BLOCK, &session.signals, &before);
	int err = trace(&session, tap);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return err;
}

const struct fc_backend fc_tasks_backend = {
	.name = "tasks",
	.lacks = {
		[FC_WISH_ATTACH] = "--kthread and --all-tasks trace no process by itself: they "
				   "know no -p",
		[FC_WISH_OFF] = "--kthread and --all-tasks cannot be told to go on: they know no "
				"--off, --on and --off-at",
		[FC_WISH_RING] = "--loss=ring keeps the newest records of a program's own rings: "
				 "it knows no --kthread and no --all-tasks",
		[FC_WISH_BUDGET] = "--budget is about a program's functions: it knows no "
				   "--kthread and no --all-tasks",
		[FC_WISH_COUNT] = "--no-time counts calls of a program's functions: it knows no "
				  "--kthread and no --all-tasks",
	},
	.run = run_tasks,
};
