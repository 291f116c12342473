/* SPDX-License-Identifier: Apache-2.0 */
/*
 * throttle.h - keeps what tracing costs within a budget, while the targets run: feeds the
 * budget with figures, and switches and unhooks functions as it decides.
 */
#ifndef FC_CAPTURE_USER_THROTTLE_H
#define FC_CAPTURE_USER_THROTTLE_H

#include "capture/module/module.h"
#include "capture/user/session.h"

struct fc_throttle;

/*
 * share: above 0, up to 1. tap gets what the throttle's own tap is told, and counts as often as
 * struct fc_user_opts' tell_ns says.
 */
struct fc_throttle *fc_throttle_create(double share, uint32_t nr_counters, uint64_t tell_ns,
				       struct fc_tap *tap);
/* The drain and its tap have ended. */
void fc_throttle_destroy(struct fc_throttle *throttle);
struct fc_tap *fc_throttle_tap(struct fc_throttle *throttle);

/* A module has been planned and its functions are numbered. */
void fc_throttle_add(struct fc_throttle *throttle, const struct fc_module *module);

/* When to look next, ns of CLOCK_MONOTONIC. */
uint64_t fc_throttle_next_ns(const struct fc_throttle *throttle);
/* It is time: look, and change what is to be changed. */
void fc_throttle_look(struct fc_throttle *throttle, struct fc_tracer *tracer);

/* struct fc_shared's switch_stubs(), with a throttle. */
int fc_throttle_switch(void *throttle, const struct fc_module *module,
		       const struct fc_stubs *stubs, int mem_fd);

/*
 * The user has unhooked functions, or hooked them again: the budget leaves alone what is
 * unhooked so, and what is hooked so is recorded, until that costs too much.
 */
void fc_throttle_told(struct fc_throttle *throttle, struct fc_tracer *tracer,
		      const uint32_t *funcs, size_t nr, bool hook);

/* How many functions it has made cheaper, beside those that the user has unhooked. */
size_t fc_throttle_nr_cheaper(const struct fc_throttle *throttle);
/*
 * The user asks for functions: those of them that it has made cheaper are hooked and recorded,
 * until that costs too much. How many are; the rest cannot be hooked now.
 */
size_t fc_throttle_open(struct fc_throttle *throttle, struct fc_tracer *tracer,
			const uint32_t *funcs, size_t nr);

/* A copy of a space by fork: it may be older than the last changes. */
void fc_throttle_forked(const struct fc_throttle *throttle, const struct fc_space *space);

/* May the program that a process has just executed be hooked? */
bool fc_throttle_allows(struct fc_throttle *throttle, struct fc_process *process);
/* It waited for its hooks: those of the program, or of objects that it has loaded. */
void fc_throttle_took(struct fc_throttle *throttle, struct fc_process *process, uint64_t ns);
/* It executes another program now, or has ended: what the last one took is known. */
void fc_throttle_left(struct fc_throttle *throttle, struct fc_process *process);
/* A process has ended. */
void fc_throttle_gone(struct fc_throttle *throttle, struct fc_process *process);

#endif
