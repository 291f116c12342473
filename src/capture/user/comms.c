/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/user/comms.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"

enum {
	LOOK_NS = 1000 * 1000 * 1000,
	SOON_NS = 20 * 1000 * 1000,
	SHARE = 100, /* one part of so many of the time is for looking */
};

static bool read_name(int tid, char ret[FC_THREAD_NAME])
{
	char path[32];
	snprintf(path, sizeof(path), "/proc/%d/comm", tid);
	fc_auto_close int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, ret, FC_THREAD_NAME) : -1;
	if (n <= 0)
		return false;
	n -= ret[n - 1] == '\n' || n == FC_THREAD_NAME;
	ret[n] = 0;
	return true;
}

static void set(struct fc_tracer *tracer, struct fc_tracee *tracee, const char *name)
{
	if (!strcmp(tracee->name, name))
		return;
	snprintf(tracee->name, sizeof(tracee->name), "%s", name);
	fc_tracer_life(tracer, FC_LIFE_NAME, tracee->process->pid, tracee->tid, 0, 0, name);
}

void fc_comms_set(struct fc_tracer *tracer, int tid, const char *name)
{
	struct fc_tracee *tracee = fc_tracee_find(&tracer->tracees, tid);
	if (tracee && tracee->process)
		set(tracer, tracee, name);
}

/* What it has from its maker, or from its program, is no name of its own. */
static bool is_inherited(const struct fc_tracee *tracee, const char *name)
{
	char first[FC_THREAD_NAME];
	return !tracee->name[0] &&
	       (tracee->tid == tracee->process->pid ||
		!read_name(tracee->process->pid, first) || !strcmp(first, name));
}

static void look_at(struct fc_tracer *tracer, struct fc_tracee *tracee)
{
	char name[FC_THREAD_NAME];
	if (!tracee->process || !tracee->process->space || !read_name(tracee->tid, name))
		return;
	if (!is_inherited(tracee, name))
		set(tracer, tracee, name);
	else if (tracee->tid == tracee->process->pid)
		memcpy(tracee->name, name, sizeof(name)); /* another one is seen */
}

/* Who makes a thread often gives it its name, just behind that. */
void fc_comms_expect(struct fc_tracer *tracer)
{
	uint64_t then_ns = fc_clock_mono_ns() + SOON_NS;
	if (then_ns < tracer->comms_least_ns)
		then_ns = tracer->comms_least_ns;
	if (then_ns < tracer->comms_ns)
		tracer->comms_ns = then_ns;
}

uint64_t fc_comms_next_ns(const struct fc_tracer *tracer)
{
	return tracer->comms_ns;
}

void fc_comms_look(struct fc_tracer *tracer)
{
	uint64_t begin_ns = fc_clock_mono_ns();
	fc_tracees_each (&tracer->tracees, tracee)
		look_at(tracer, tracee);
	uint64_t now_ns = fc_clock_mono_ns(), pause_ns = (now_ns - begin_ns) * SHARE;
	tracer->comms_least_ns = now_ns + pause_ns;
	tracer->comms_ns = now_ns + (pause_ns > LOOK_NS ? pause_ns : LOOK_NS);
}
