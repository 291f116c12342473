/* SPDX-License-Identifier: Apache-2.0 */
/* names.h - what function ids stand for while a program runs, and how globs match names. */
#ifndef FC_ANALYZE_NAMES_H
#define FC_ANALYZE_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/source.h"

struct fc_name {
	const char *name;   /* symbol, or "module+0xoffset"; "?" for an unknown id */
	const char *module; /* base name of its file, "" if unknown */
};

/* Who can name functions: the names below, or a trace that is read. */
struct fc_namer {
	struct fc_name (*name_of)(void *ctx, uint32_t func);
	void *ctx;
};

/* glob is "FUNCTION", or "MODULE:FUNCTION" (a colon that is not part of "::"). */
bool fc_name_match(struct fc_name name, const char *glob);

/* The same by id, asked of a struct fc_namer: for fc_filter_opts.match and its ctx. */
bool fc_namer_match(void *namer, uint32_t func, const char *glob);

/* -EINVAL with a sentence: a [ that is never closed, nothing to match. */
int fc_glob_check(const char *glob);

struct fc_names;
struct fc_names *fc_names_create(void);
void fc_names_destroy(struct fc_names *names);

/* Copy a module's names. Any thread may tell, at any time. */
void fc_names_add(struct fc_names *names, const struct fc_module_info *module);
/* Take over what was told up to now. The thread that calls this is the one that asks. */
void fc_names_settle(struct fc_names *names);
/* The strings live as long as names. */
struct fc_name fc_names_get(const struct fc_names *names, uint32_t func);
/* These names as a namer. */
struct fc_namer fc_names_namer(struct fc_names *names);

#endif
