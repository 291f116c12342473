/* SPDX-License-Identifier: Apache-2.0 */
/* space.h - an address space that is traced: the agent in it, its arena, its hooked modules. */
#ifndef FC_USER_SPACE_H
#define FC_USER_SPACE_H

#include "user/drain.h"
#include "user/module.h"
#include "user/remote.h"
#include "user/user.h"

/* What all spaces of a session share. */
struct fc_shared {
	const struct fc_user_opts *opts;
	struct fc_tap *tap;
	struct fc_drain *drain;
	struct fc_modules modules;
	int first_pid;
};

struct fc_space;

/*
 * tid has just executed a program and is stopped: put the agent into it and hook what is
 * mapped. -errno with a sentence: the target is as it was and runs untraced (-ENOTSUP:
 * it is not a program that can be traced at all).
 */
int fc_space_create(struct fc_shared *shared, int tid, struct fc_space **ret);

/* The same memory, seen from one more process (vfork) or copied to it (fork). */
struct fc_space *fc_space_share(struct fc_space *space);
struct fc_space *fc_space_fork(struct fc_space *space, int pid);
void fc_space_put(struct fc_space *space);

struct fc_arena *fc_space_arena(struct fc_space *space);

/* Objects were loaded: hook them, with system calls made by the agent for this letter. */
void fc_space_update(struct fc_space *space, struct fca_mail *mail);

/* Tell the user and the trace, each sentence once. */
void fc_shared_say(struct fc_shared *shared, int pid, const char *sentence);

#endif
