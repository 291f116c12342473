/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/target/waker.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/vec.h"
#include "capture/target/status.h"
#include "capture/target/foreground.h"
#include "trace/clock.h"

/* Somebody whose tracer stands still. */
struct watched {
	int tid;
	bool is_stopped;
};

typedef FC_VEC(struct watched) watched_list;

/* Has a shell taken the terminal since the last waker was started? NULL: there is no memory to say so. */
static volatile bool *saw_background;

/* Of a process that has stopped one thread tells all: SIGCONT is for each of them. */
static void list(const struct fc_tracees *tracees, watched_list *ret)
{
	fc_tracees_each (tracees, t)
		if (!t->is_group_stopped || !t->process || t->process->pid == t->tid)
			fc_vec_push(ret, (struct watched){ t->tid, t->is_group_stopped });
}

/* SIGCONT waits for the tracer to let its thread go on; so does, in a stop, a thread that ran. */
static bool is_needed_by(const struct watched *watched)
{
	const uint64_t goes_on = 1ull << (SIGCONT - 1) | 1ull << (SIGKILL - 1);
	struct fc_status status;
	if (!fc_status_read(watched->tid, &status) || status.is_zombie)
		return true;
	return watched->is_stopped ? status.pending & goes_on : status.state == 't';
}

static bool is_needed(const watched_list *list)
{
	fc_vec_each (list, watched)
		if (is_needed_by(watched))
			return true;
	return false;
}

/* Rings of those that run are to be emptied now and then. */
static bool has_running(const watched_list *list)
{
	fc_vec_each (list, watched)
		if (!watched->is_stopped)
			return true;
	return false;
}

static void pause_ns(uint64_t ns)
{
	nanosleep(&(struct timespec){ (time_t)(ns / 1000000000), (long)(ns % 1000000000) },
		  NULL);
}

bool fc_waker_saw_background(void)
{
	return saw_background && *saw_background;
}

/*
 * Looking takes a tenth of the time at most. A tracer that goes on before the shell has seen it stand
 * would not have stopped for the shell: rings wait for that, but not for ever.
 */
static void watch(const watched_list *list, int tracer)
{
	const uint64_t least_ns = 20 * 1000 * 1000, drain_ns = 100 * 1000 * 1000;
	uint64_t begin_ns = fc_clock_mono_ns(), took_ns = 0;
	bool drains = has_running(list);
	for (;;) {
		pause_ns(took_ns * 10 > least_ns ? took_ns * 10 : least_ns);
		uint64_t now_ns = fc_clock_mono_ns();
		if (getppid() != tracer)
			return;
		if (saw_background && !fc_foreground_is_ours())
			*saw_background = true;
		uint64_t patience_ns = fc_waker_saw_background() ? drain_ns : 10 * drain_ns;
		if (is_needed(list) || (drains && now_ns - begin_ns > patience_ns))
			kill(tracer, SIGCONT);
		took_ns = fc_clock_mono_ns() - now_ns;
	}
}

/* False, in memory that the waker and this process share. */
static void forget_background(void)
{
	if (!saw_background) {
		void *at = mmap(NULL, sizeof(*saw_background), PROT_READ | PROT_WRITE,
				MAP_SHARED | MAP_ANONYMOUS, -1, 0);
		saw_background = at == MAP_FAILED ? NULL : at;
	}
	if (saw_background)
		*saw_background = false;
}

int fc_waker_start(const struct fc_tracees *tracees)
{
	watched_list watched = { 0 };
	int tracer = getpid();
	list(tracees, &watched);
	forget_background();
	int pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
#ifdef SYS_close_range
		syscall(SYS_close_range, 0, ~0u,
			0); /* who waits for a pipe's end is not kept */
#endif
		watch(&watched, tracer);
		_exit(0);
	}
	fc_vec_free(&watched);
	return pid;
}

void fc_waker_end(int waker)
{
	if (waker <= 0)
		return;
	kill(waker, SIGKILL);
	waitpid(waker, NULL, 0);
}
