/* SPDX-License-Identifier: Apache-2.0 */
/* names.c - keeps names by function id, and matches patterns with their forms. */
#include "calls/names.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/path.h"
#include "base/vec.h"
#include "calls/shown.h"
#include "elf/elf.h"
#include "trace/record.h"

/* The strings of a module in one block: its path, its base name, then its functions' names. */
struct text {
	char *bytes;
};

struct fc_names {
	FC_VEC(struct text) texts;
	FC_VEC(struct fc_name) by_id; /* their symbols */
	struct fc_shown *shown;
};

const char *fc_name_parens(struct fc_name name)
{
	bool is_cpp = name.symbol && name.symbol != name.name && name.symbol[0] == '_' &&
		      name.symbol[1] == 'Z';
	size_t len = is_cpp ? strlen(name.name) : 0;

	/* operator() is a name that ends in parentheses, too. */
	if (!is_cpp || !strchr(name.name, '(') ||
	    (len >= 10 && !strcmp(name.name + len - 10, "operator()")))
		return "()";
	/* What else the simple form puts in parentheses does not stand at the end. */
	char last = name.name[len - 1];
	bool is_qualified = len > 6 && !strcmp(name.name + len - 6, " const");
	return last == ')' || last == '&' || last == ']' || is_qualified ? "" : "()";
}

/* The colon that parts module from function, or NULL: C++ names hold "::". */
static const char *parting_colon(const char *glob)
{
	for (const char *p = strchr(glob, ':'); p; p = strchr(p, ':')) {
		if (p[1] != ':')
			return p;
		p += 2;
	}
	return NULL;
}

/* A pasted name may hold what is special in a pattern: "f(char*)", "[kernel]". */
static bool match_text(const char *glob, const char *text)
{
	return !strcmp(glob, text) || fnmatch(glob, text, 0) == 0;
}

static bool match_function(const char *glob, const char *symbol)
{
	if (match_text(glob, symbol))
		return true;
	fc_auto_free char *simple = fc_demangle(symbol, FC_DEMANGLE_SIMPLE);
	if (simple && match_text(glob, simple))
		return true;
	fc_auto_free char *full = fc_demangle(symbol, FC_DEMANGLE_FULL);
	return full && match_text(glob, full);
}

/*
 * Functions of the GNU C library whose code is another's, which has the better name in a trace:
 * who asks for them means that code. And "sys_openat" is a system call, where openat may be libc's.
 */
static const char *name_of_code(const char *wanted, const char *module)
{
	static const char *const shared[][2] = {
		{ "memmove", "memcpy" }, { "__memmove_chk", "__memcpy_chk" },
		{ "bcmp", "memcmp" },	 { "index", "strchr" },
		{ "rindex", "strrchr" },
	};
	bool is_glibc = !strcmp(module, "libc.so.6") || !strncmp(module, "libc-2.", 7);
	for (size_t i = 0; is_glibc && i < sizeof(shared) / sizeof(shared[0]); i++)
		if (!strcmp(wanted, shared[i][0]))
			return shared[i][1];
	bool is_call = !strcmp(module, FC_SYSCALL_MODULE) && !strncmp(wanted, "sys_", 4);
	return is_call ? wanted + 4 : wanted;
}

int fc_name_order(const struct fc_name *a, const struct fc_name *b)
{
	return strcmp(a->name, b->name) ?: strcmp(a->module, b->module);
}

bool fc_name_match(struct fc_name name, const char *glob)
{
	const char *symbol = name.symbol ? name.symbol : name.name;
	if (parting_colon(fc_memfd_name(glob))) /* "memfd:NAME:function", as "NAME:function" */
		glob = fc_memfd_name(glob);
	const char *colon = parting_colon(glob);
	if (!colon)
		return match_function(name_of_code(glob, name.module), symbol);
	if (parting_colon(symbol) && match_text(glob, symbol)) /* a probe: "provider:name" */
		return true;

	fc_auto_free char *module = fc_asprintf("%.*s", (int)(colon - glob), glob);
	bool is_module = match_text(module, name.module) ||
			 match_text(module, fc_memfd_name(name.module));
	return is_module && match_function(name_of_code(colon + 1, name.module), symbol);
}

bool fc_name_is(const char *symbol, const char *name)
{
	fc_auto_free char *simple = fc_demangle(symbol, FC_DEMANGLE_SIMPLE);
	fc_auto_free char *full = fc_demangle(symbol, FC_DEMANGLE_FULL);

	return !strcmp(symbol, name) || (simple && !strcmp(simple, name)) ||
	       (full && !strcmp(full, name));
}

bool fc_namer_match(void *ctx, uint32_t func, const char *glob)
{
	const struct fc_namer *namer = ctx;
	return fc_name_match(namer->name_of(namer->ctx, func), glob);
}

/* Behind the bracket expression that starts at p, or NULL: it is never closed. */
static const char *bracket_end(const char *p)
{
	p++;
	if (*p == '!' || *p == '^')
		p++;
	if (*p == ']')
		p++;
	p = strchr(p, ']');
	return p ? p + 1 : NULL;
}

int fc_glob_check(const char *glob)
{
	if (!*glob)
		return fc_fail(EINVAL, "an empty pattern matches nothing; say a name, or *");

	for (const char *p = glob; *p;) {
		if (*p == '\\' && p[1]) {
			p += 2;
		} else if (*p == '[') {
			p = bracket_end(p);
			if (!p)
				return fc_fail(EINVAL,
					       "%s: a [ without its ]; write \\[ for the "
					       "character itself",
					       glob);
		} else {
			p++;
		}
	}
	return 0;
}

struct fc_names *fc_names_create(enum fc_demangle form)
{
	struct fc_names *names = fc_alloc(sizeof(*names));
	names->shown = fc_shown_create(form);
	return names;
}

void fc_names_destroy(struct fc_names *names)
{
	if (!names)
		return;
	fc_vec_each (&names->texts, text)
		free(text->bytes);
	fc_vec_free(&names->texts);
	fc_vec_free(&names->by_id);
	fc_shown_destroy(names->shown);
	free(names);
}

static size_t name_room(const struct fc_func_info *func, size_t module_len)
{
	return func->name ? strlen(func->name) + 1 : module_len + sizeof("+0x") + 16;
}

static char *put_name(char *at, const struct fc_func_info *func, const char *module)
{
	if (func->name)
		return stpcpy(at, func->name) + 1;
	return at + sprintf(at, "%s+0x%llx", module, (unsigned long long)func->vaddr) + 1;
}

static void set_name(struct fc_names *names, uint32_t func, struct fc_name name)
{
	*fc_vec_make(&names->by_id, func) = name;
}

static bool is_kept(const struct fc_func_info *func)
{
	return func->id && func->id <= FC_FUNC_MAX;
}

void fc_names_add(struct fc_names *names, const struct fc_module_info *info)
{
	const char *module = fc_base_name(info->path);
	size_t module_len = strlen(module), room = strlen(info->path) + 1 + module_len + 1;

	for (size_t i = 0; i < info->nr_funcs; i++)
		room += is_kept(&info->funcs[i]) ? name_room(&info->funcs[i], module_len) : 0;

	struct text text = { .bytes = fc_alloc(room) };
	char *own = stpcpy(text.bytes, info->path) + 1;
	char *at = stpcpy(own, module) + 1;

	fc_vec_push(&names->texts, text);
	for (size_t i = 0; i < info->nr_funcs; i++) {
		const struct fc_func_info *func = &info->funcs[i];
		if (!is_kept(func))
			continue;
		set_name(names, func->id, (struct fc_name){ at, own });
		at = put_name(at, func, own);
	}
}

static struct fc_name name_of(void *ctx, uint32_t func)
{
	const struct fc_names *names = ctx;
	if (func >= names->by_id.nr || !names->by_id.at[func].name)
		return (struct fc_name){ "?", "" };
	struct fc_name name = names->by_id.at[func];
	name.symbol = name.name;
	name.name = fc_shown_get(names->shown, func, name.symbol);
	return name;
}

/* Those that are not hooked, too: for that the files are read again, as it is rare to be asked. */
static void each_of_file(const char *path, void (*fn)(void *to, struct fc_name name), void *to)
{
	struct fc_elf *elf;

	if (fc_elf_open(path, path, &elf)) {
		fc_fail_clear();
		return;
	}
	for (size_t i = 0; i < elf->nr_funcs; i++) {
		const char *symbol = elf->funcs[i].name ? elf->funcs[i].name : "?";
		fc_auto_free char *shown = fc_readable(symbol, FC_DEMANGLE_SIMPLE);
		fn(to, (struct fc_name){ shown, fc_base_name(path) });
	}
	fc_elf_close(elf);
}

static void each(void *ctx, void (*fn)(void *to, struct fc_name name), void *to)
{
	const struct fc_names *names = ctx;
	for (size_t i = 0; i < names->by_id.nr; i++)
		if (names->by_id.at[i].name)
			fn(to, name_of(ctx, (uint32_t)i));
	fc_vec_each (&names->texts, text)
		each_of_file(text->bytes, fn, to);
}

struct fc_namer fc_names_namer(struct fc_names *names)
{
	return (struct fc_namer){ .name_of = name_of, .ctx = names, .each = each };
}
