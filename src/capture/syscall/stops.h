/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stops.h - system calls as a source of records beside a backend: its threads are stopped at each.
 * Anybody may who may trace the program, and none is missed, whoever makes it. Each costs two stops.
 *
 *	backend --call(entry), call(end)--> queue      the tracer's thread
 *	                                    queue --take()--> tap    that which takes records
 */
#ifndef FC_CAPTURE_SYSCALL_STOPS_H
#define FC_CAPTURE_SYSCALL_STOPS_H

#include "capture/drain/well.h"

struct fc_fetch_opts;
struct fc_stops;

/* As fc_syscalls_create() takes them. */
struct fc_stops *fc_stops_create(char *const *only, const struct fc_fetch_opts *fetch);
void fc_stops_destroy(struct fc_stops *stops);

struct fc_well *fc_stops_well(struct fc_stops *stops);

#endif
