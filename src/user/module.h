/* SPDX-License-Identifier: Apache-2.0 */
/* module.h - the files of a session, each read and planned once for all its processes. */
#ifndef FC_USER_MODULE_H
#define FC_USER_MODULE_H

#include <sys/stat.h>

#include "patch/plan.h"
#include "user/user.h"

enum fc_scope {
	FC_SCOPE_ALL,	   /* every function */
	FC_SCOPE_EXPORTED, /* those that other modules can call */
	FC_SCOPE_CONTROL,  /* none recorded; only what the agent needs to know of */
};

struct fc_module {
	uint32_t id;
	struct stat stat; /* of the file, to know it again */
	enum fc_scope scope;
	struct fc_elf *elf;
	struct fc_plan *plan;
	const char *conflict; /* why no program with this module can be traced, or NULL */
	char *damage;	      /* why it is not hooked: the sentence, or NULL */
	bool is_told;	      /* the user knows what is special about it */
	struct fc_module *next;
};

struct fc_modules {
	struct fc_module *first;
	uint32_t next_func, nr;
	struct fc_tap *tap;
	/* Ids below next_func are in use now. */
	void (*numbered)(void *ctx, uint32_t next_func);
	void *ctx;
};

/*
 * The module of a file: open_path is opened, shown is shown. Plans it and tells the tap at
 * the first time. Never NULL: a file that cannot be read has ->damage.
 */
struct fc_module *fc_modules_get(struct fc_modules *modules, const char *open_path,
				 const char *shown, enum fc_scope scope);
void fc_modules_deinit(struct fc_modules *modules);

#endif
