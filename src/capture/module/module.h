/* SPDX-License-Identifier: Apache-2.0 */
/* module.h - the files of a session, each read and planned once for all its processes. */
#ifndef FC_CAPTURE_MODULE_MODULE_H
#define FC_CAPTURE_MODULE_MODULE_H

#include <sys/stat.h>

#include "base/progress.h"
#include "base/vec.h"
#include "capture/module/cache.h"
#include "capture/module/turned.h"
#include "capture/opts.h"
#include "capture/patch/plan.h"

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
	struct fc_cache_key key;
	bool is_from_cache;
	bool is_numbered;      /* its functions have ids, and the tap knows it */
	bool takes_register;   /* as fc_takes_register() */
	const char *sanitizer; /* as fc_sanitizer() */
	char *damage;	       /* why it is not hooked: the sentence, or NULL */
	bool is_given_up;      /* that is why; who asks again later may have more time */
	bool is_told;	       /* the user knows what is special about it */
	bool is_unread_told;   /* and what of its file was not read */
	bool is_part_told;     /* and that a piece of it was mapped alone */
	uint8_t *watches; /* of each function of the plan, as struct fc_stub's; NULL: none */
	struct fc_module_values *values; /* NULL: none are asked for */
	struct fc_module *next;
};

/* A function at whose calls a dump is written. */
struct fc_watched {
	uint32_t id;
	char *name;
};

/* A file that nothing is recorded of. */
struct fc_passed {
	struct stat stat;
	bool has_unwinder, takes_register, lends, slices, has_probe;
	const char *sanitizer;
};

struct fc_modules {
	struct fc_module *first;
	FC_VEC(struct fc_passed) passed;
	struct fc_numbers *numbers; /* the session's */
	FC_VEC(bool) unhooked;	    /* by function id: run without their hooks for now */
	FC_VEC(bool) barred;	    /* the same: for good */
	size_t nr_unhooked;
	struct fc_tap *tap;
	const struct fc_dump_on *dump_on;
	const struct fc_values_asked *asked; /* NULL: no values */
	bool has_matched[FCA_MAX_WATCHES];   /* a function of dump_on was hooked */
	bool is_hidden[FCA_MAX_WATCHES]; /* one is under another pattern, that tells of less */
	bool is_taken[FCA_MAX_WATCHES];	 /* one turns recording on or off instead */
	FC_VEC(struct fc_watched) watched;
	const struct fc_turns *turns;
	fc_turned_globs turned;
	/* Its functions have ids now. */
	void (*planned)(void *ctx, const struct fc_module *module);
	void *ctx;
	char **only;		/* struct fc_user_opts; then there is no cache */
	struct fc_cache *cache; /* NULL: none */
	struct fc_progress
		progress;	/* of what is read and planned now; look, or nobody waits */
	bool has_said_given_up; /* the user knows that there are some */
	const struct fc_values_asked *marks; /* as struct fc_user_opts' */
	bool keeps_funcs; /* ->elf->funcs are needed; then there is no cache */
};

/* A file that will be asked for. */
struct fc_module_want {
	const char *open_path, *shown;
	enum fc_scope scope;
};

/* Read and plan several files at once, to be quick when each is asked for. */
void fc_modules_prepare(struct fc_modules *modules, const struct fc_module_want *wants,
			size_t nr);

/*
 * The module of a file: open_path is opened, shown is shown. Plans it and tells the tap at
 * the first time. Never NULL: a file that cannot be read has ->damage.
 */
struct fc_module *fc_modules_get(struct fc_modules *modules, const char *open_path,
				 const char *shown, enum fc_scope scope);

/*
 * Must a file be hooked of which nothing is to be recorded? An unwinder may be in it, or a
 * sanitizer that traces its own threads.
 */
bool fc_modules_must_hook(struct fc_modules *modules, const char *open_path);
/* May the code of a file set %gs? Nothing need be recorded of it. */
bool fc_modules_takes_register(struct fc_modules *modules, const char *open_path);
/* As fc_sanitizer(), of such a file, too. */
const char *fc_modules_sanitizer(struct fc_modules *modules, const char *open_path);

/* Of a function of --dump-on. */
const char *fc_modules_watched_name(const struct fc_modules *modules, uint32_t id);

/* The function that has code at vaddr or last before it; NULL: there is none. */
const struct fc_func_info *fc_module_func(const struct fc_module *module, uint64_t vaddr);

/* What a sentence calls a function of it; malloc()ed. */
char *fc_module_name_of(const struct fc_module *module, const struct fc_func_info *func);

/* What is fetched of each function of its plan; NULL: nothing is. */
const struct fc_fetched *fc_module_fetched(const struct fc_module *module);
/* Bytes that a pool for it needs at most; 0: nothing to hook. */
size_t fc_module_pool_size(const struct fc_module *module, enum fc_counting counting);

bool fc_modules_is_unhooked(const struct fc_modules *modules, uint32_t func);
void fc_modules_set_unhooked(struct fc_modules *modules, uint32_t func, bool is_unhooked);

/* A function that is unhooked stays so. */
void fc_modules_bar(struct fc_modules *modules, uint32_t func);
bool fc_modules_is_barred(const struct fc_modules *modules, uint32_t func);

/* Which patches of a module's ledger are to be there. */
void fc_modules_choose(const struct fc_modules *modules, const struct fc_module *module,
		       uint64_t bias, const struct fca_patch *patches, size_t nr, bool *on);

/* Plans that were made are kept in the cache. */
void fc_modules_deinit(struct fc_modules *modules);

#endif
