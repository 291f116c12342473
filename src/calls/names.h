/* SPDX-License-Identifier: Apache-2.0 */
/* names.h - what function ids stand for while a program runs, and how globs match names. */
#ifndef FC_CALLS_NAMES_H
#define FC_CALLS_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/demangle.h"
#include "trace/source.h"

/* Where a function is in the sources. */
struct fc_source {
	const char *file; /* path, as the compiler was told */
	int line;
	const char *text; /* "file.c:12", without folders */
};

struct fc_name {
	const char *name;   /* as it is shown: demangled, or symbol; "?" for an unknown id */
	const char *module; /* base name of its file, "" if unknown */
	const char *symbol; /* as in the file, or "module+0xoffset"; NULL: the same as name */
	const struct fc_source *source; /* NULL: not asked for, or not known */
};

/* "()" to put behind the name of a call, or "": the full form of C++ has its parameters there. */
const char *fc_name_parens(struct fc_name name);

/* By name, then by module: as qsort() asks for it. */
int fc_name_order(const struct fc_name *a, const struct fc_name *b);

/* Who can name functions: the names below, or a trace that is read. */
struct fc_namer {
	struct fc_name (*name_of)(void *ctx, uint32_t func);
	void *ctx;
	/* All that it knows, also without an id; NULL: that is not known. */
	void (*each)(void *ctx, void (*fn)(void *to, struct fc_name name), void *to);
};

/*
 * glob is "FUNCTION", or "MODULE:FUNCTION" (a colon that is not part of "::"). FUNCTION matches
 * the symbol, and what it is in C++ or Rust in the simple form and in the full one (see
 * base/demangle.h), however it is shown; a name always matches itself. A static probe is called
 * "PROVIDER:NAME", which glob as a whole may match. "sys_NAME" matches a system
 * call.
 */
bool fc_name_match(struct fc_name name, const char *glob);

/* Is this what the function is called, in any of these forms? */
bool fc_name_is(const char *symbol, const char *name);

/* A pattern by id, asked of a struct fc_namer: for fc_filter_opts.match and its ctx. */
bool fc_namer_match(void *namer, uint32_t func, const char *glob);

/* -EINVAL with a sentence: a [ that is never closed, nothing to match. */
int fc_glob_check(const char *glob);

struct fc_names;
/* form: how they are shown. */
struct fc_names *fc_names_create(enum fc_demangle form);
void fc_names_destroy(struct fc_names *names);

/* Copy a module's names. */
void fc_names_add(struct fc_names *names, const struct fc_module_info *module);
/* These names as a namer; its strings live as long as names. */
struct fc_namer fc_names_namer(struct fc_names *names);

#endif
