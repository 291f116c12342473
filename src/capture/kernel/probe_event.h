/* SPDX-License-Identifier: Apache-2.0 */
/*
 * probe_event.h - an event of the kernel's tracing that probes of its functions make (kprobes and
 * fprobes, Documentation/trace/kprobetrace.rst, fprobetrace.rst), in this fctrace's own group.
 *
 *	/sys/kernel/tracing/dynamic_events              r256:fctrace_PID_START/result vfs_read ret=$retval
 *	                    events/fctrace_PID_START/   that event, in each instance
 */
#ifndef FC_CAPTURE_KERNEL_PROBE_EVENT_H
#define FC_CAPTURE_KERNEL_PROBE_EVENT_H

#include <stdbool.h>

/* The field that says which function was probed: of its entry, of its return. */
#define FC_PROBE_ENTERED  "__probe_ip"
#define FC_PROBE_RETURNED "__probe_func"

struct fc_probe_event {
	const char *root;   /* tracefs */
	const char *folder; /* of the instance that is to have the event */
	const char *group;  /* "fctrace_PID_START" */
	const char *name;
};

/*
 * One probe more, of that function ("vfs_read", "MODULE:NAME") as it is entered, or as it returns. fetch:
 * "ret=$retval:u64", the same for all probes of an event. -errno with a sentence: the kernel has no such
 * function, or forbids probes there.
 */
int fc_probe_event_add_entry(const struct fc_probe_event *event, const char *function,
			     const char *fetch);
int fc_probe_event_add_return(const struct fc_probe_event *event, const char *function,
			      const char *fetch);
/*
 * One probe more, of all functions that match glob as they return; an event has such probes or the others.
 * -errno with a sentence: none matches, or this kernel has no such probes.
 */
int fc_probe_event_add_returns(const struct fc_probe_event *event, const char *glob,
			       const char *fetch);
/* In its instance. -errno with a sentence: there is no such event then. */
int fc_probe_event_turn_on(const struct fc_probe_event *event);
/* Off, and gone. */
void fc_probe_event_remove(const struct fc_probe_event *event);

/* Those of whose group is_left() says that: whoever made it is no more, nor is the instance. */
void fc_probe_events_clean(const char *root, bool (*is_left)(const char *group));

#endif
