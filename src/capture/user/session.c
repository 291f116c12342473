/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/user/session.h"

#include <stdarg.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "capture/hook/off.h"

bool fc_tracer_heeds(const struct fc_tracer *tracer, int sig)
{
	return sig == SIGTERM || sig == SIGHUP ||
	       (tracer->is_attached && (sig == SIGINT || sig == SIGQUIT));
}

bool fc_tracer_is_told(const struct fc_tracer *tracer)
{
	static const int signals[] = { SIGTERM, SIGHUP, SIGINT, SIGQUIT };
	sigset_t pending;
	sigpending(&pending);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		if (sigismember(&pending, signals[i]) == 1 &&
		    fc_tracer_heeds(tracer, signals[i]))
			return true;
	return false;
}

void fc_tracer_life(struct fc_tracer *tracer, int what, int pid, int tid, int other, int status,
		    const char *text)
{
	fc_tell_life(tracer->shared.tap, what, pid, tid, other, status, text);
}

void fc_tracer_dump(struct fc_tracer *tracer, const char *fmt, ...)
{
	va_list ap;
	if (tracer->shared.opts->loss != FC_LOSS_RING)
		return;
	va_start(ap, fmt);
	fc_auto_free char *why = fc_vasprintf(fmt, ap);
	va_end(ap);
	fc_drain_dump(tracer->shared.drain, why);
}

void fc_tracer_switch(struct fc_tracer *tracer, bool is_on)
{
	if (tracer->shared.is_off == !is_on)
		return;
	tracer->shared.is_off = !is_on;
	tracer->shared.was_on |= is_on;
	for (struct fc_process *p = tracer->tracees.first; p; p = p->next)
		if (p->space)
			fc_space_switch(p->space, is_on);
	fc_wells_turn_on(tracer->shared.opts->wells, is_on);
	fc_tracer_life(tracer, FC_LIFE_SAY, tracer->first_pid, 0, 0, 0,
		       is_on ? "recording is on from here on (fctrace ctl)"
			     : "recording is off from here on (fctrace ctl)");
}
