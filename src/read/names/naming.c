/* SPDX-License-Identifier: Apache-2.0 */
/* naming.c - looks for each module's debug file, and takes the names at its functions' addresses. */
#include "read/names/naming.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/path.h"
#include "elf/debugfolder.h"
#include "elf/debuginfod.h"
#include "elf/symbolfile.h"
#include "read/names/nameless.h"

#define DEBUG_FOLDER "/usr/lib/debug"
/* Bytes of all names. A forged file may have one long name that all functions lie within. */
#define NAMES_MOST (64u << 20)

/* What is looked at: of opts first, then of this machine. */
struct places {
	FC_VEC(struct fc_symbolfile *) files;
	FC_VEC(struct fc_debugfolder *) folders;
	struct fc_debugfolder *own;
	void (*say)(const char *sentence);
};

struct search {
	struct fc_reader *reader;
	uint8_t *called;
	const struct fc_naming_opts *opts;
	struct places places;
	struct fc_naming *naming;
	size_t nr_bytes; /* of the names */
	bool is_full;	 /* there were more, which was told */
};

static void close_places(struct places *places)
{
	fc_vec_each (&places->files, file)
		fc_symbolfile_close(*file);
	fc_vec_each (&places->folders, folder)
		fc_debugfolder_close(*folder);
	fc_debugfolder_close(places->own);
	fc_vec_free(&places->files);
	fc_vec_free(&places->folders);
}

/* ---- what was named by the user ---- */

static size_t count_called(const struct search *search, const struct fc_module_info *module)
{
	size_t nr = 0;
	for (size_t i = 0; i < module->nr_funcs; i++) {
		uint32_t id = module->funcs[i].id;
		nr += id && fc_is_nameless(search->reader, id) &&
		      fc_was_called(search->called, id);
	}
	return nr;
}

/* "git.debug", for "/usr/bin/git". */
static bool is_called_like(const char *path, const struct fc_module_info *module)
{
	const char *name = fc_base_name(path), *theirs = fc_base_name(module->path);
	size_t len = strlen(theirs);
	return !strncmp(name, theirs, len) && (!name[len] || !strcmp(name + len, ".debug"));
}

/* Which file of the trace may have been meant: NULL, there is none with a build-id. */
static const struct fc_module_info *meant(const struct search *search, const char *path)
{
	const struct fc_module_info *best = NULL;
	size_t best_nr = 0;
	for (size_t i = 0; i < fc_reader_nr_modules(search->reader); i++) {
		const struct fc_module_info *module = fc_reader_module(search->reader, i);
		if (!module->build_id[0])
			continue;
		if (is_called_like(path, module))
			return module;
		size_t nr = count_called(search, module);
		if (!best || nr > best_nr) {
			best = module;
			best_nr = nr;
		}
	}
	return best;
}

static bool is_of_trace(const struct search *search, const struct fc_symbolfile *file)
{
	for (size_t i = 0; i < fc_reader_nr_modules(search->reader); i++)
		if (!strcmp(fc_reader_module(search->reader, i)->build_id,
			    fc_symbolfile_build_id(file)))
			return true;
	return false;
}

static int refuse(const struct search *search, const struct fc_symbolfile *file)
{
	const char *path = fc_symbolfile_path(file), *id = fc_symbolfile_build_id(file);
	const struct fc_module_info *module = meant(search, path);
	if (!module)
		return fc_fail(EINVAL, "%s has build-id %s, and no file of the trace has one",
			       path, id);
	return fc_fail(EINVAL, "%s has build-id %s, but %s in the trace has build-id %s", path,
		       id, module->path, module->build_id);
}

static int add_place(struct search *search, const char *path)
{
	struct stat st;
	if (!stat(path, &st) && S_ISDIR(st.st_mode)) {
		struct fc_debugfolder *folder;
		int err = fc_debugfolder_open(path, &folder);
		if (!err)
			fc_vec_push(&search->places.folders, folder);
		return err;
	}
	struct fc_symbolfile *file;
	int err = fc_symbolfile_open(path, &file);
	if (err)
		return err;
	fc_vec_push(&search->places.files, file);
	return is_of_trace(search, file) ? 0 : refuse(search, file);
}

static int open_places(struct search *search, const struct fc_naming_opts *opts)
{
	int err = 0;
	search->places.say = opts->say;
	for (char *const *path = opts->debug; !err && path && *path; path++)
		err = add_place(search, *path);
	if (!err && fc_debugfolder_open(DEBUG_FOLDER, &search->places.own))
		fc_fail_clear(); /* not every machine has one */
	return err;
}

/* ---- a module ---- */

/* The file itself, if it has not become another one. */
static struct fc_symbolfile *open_own(const struct fc_module_info *module)
{
	struct fc_symbolfile *file = NULL;
	if (!fc_symbolfile_open_program(module->path, &file) &&
	    !fc_symbolfile_check(file, module->build_id))
		return file;
	fc_symbolfile_close(file);
	fc_fail_clear();
	return NULL;
}

static bool has_room(struct search *search, const char *name, const char *path)
{
	size_t len = strlen(name);
	if (len <= NAMES_MOST - search->nr_bytes) {
		search->nr_bytes += len;
		return true;
	}
	fc_auto_free char *sentence =
		fc_asprintf("%s: the rest of its names, which fill more than %u MiB", path,
			    NAMES_MOST >> 20);
	if (!search->is_full && search->places.say)
		search->places.say(sentence);
	search->is_full = true;
	return false;
}

/* A file that names nothing that was called: of all that it has named nothing is kept. */
static void forget_names(struct search *search, struct fc_named_module *named)
{
	struct fc_naming *naming = search->naming;
	for (; named->nr_named; named->nr_named--) {
		char *name = (char *)naming->names.at[--naming->names.nr].name;
		search->nr_bytes -= strlen(name);
		free(name);
	}
	free(fc_take(named->from));
}

static void name_functions(struct search *search, struct fc_named_module *named,
			   const struct fc_symbolfile *file)
{
	for (size_t i = 0; i < named->of->nr_funcs; i++) {
		const struct fc_func_info *func = &named->of->funcs[i];
		if (!func->id || !fc_is_nameless(search->reader, func->id))
			continue;
		char *name = fc_symbolfile_name(file, func->vaddr);
		if (!name || !has_room(search, name, fc_symbolfile_path(file))) {
			free(name);
			continue;
		}
		named->nr_named++;
		named->nr_called_named += fc_was_called(search->called, func->id);
		struct fc_told_name told = { func->id, name };
		fc_vec_push(&search->naming->names, told);
	}
	if (named->nr_named)
		named->from = fc_strdup(fc_symbolfile_path(file));
}

static struct fc_symbolfile *find_in_folders(struct search *search, const char *build_id)
{
	struct places *places = &search->places;
	struct fc_symbolfile *file = NULL;
	fc_vec_each (&places->folders, folder)
		if (!file)
			file = fc_debugfolder_find(*folder, build_id, places->say);
	return file;
}

static struct fc_symbolfile *find_installed(struct search *search,
					    const struct fc_module_info *module)
{
	struct fc_debugfolder *own = search->places.own;
	return own ? fc_debugfolder_find_installed(own, module->build_id) : NULL;
}

static struct fc_symbolfile *fetch(struct search *search, const struct fc_module_info *module)
{
	fc_auto_free char *path = NULL;
	struct fc_symbolfile *file = NULL;
	fc_debuginfod_allow(search->opts->fetching);
	fc_auto_close int fd = fc_debuginfod_fetch(module->build_id, module->path, &path);
	fc_debuginfod_allow(NULL);
	int err = fd < 0 ? -ENOENT
			 : fc_symbolfile_open_fd(fd, path ? path : "what a server sent", &file);
	if (!err)
		err = fc_symbolfile_check(file, module->build_id);
	if (!err)
		return file;
	if (fd >= 0 && search->places.say)
		search->places.say(fc_fail_text());
	fc_symbolfile_close(file);
	fc_fail_clear();
	return NULL;
}

/* Is one of the files that the user named of this module? It is taken, and no other, then. */
static bool name_by_given(struct search *search, struct fc_named_module *named)
{
	fc_vec_each (&search->places.files, file) {
		if (strcmp(fc_symbolfile_build_id(*file), named->of->build_id) != 0)
			continue;
		name_functions(search, named, *file);
		return true;
	}
	return false;
}

/* Where files are found, in this order; each is closed again. */
static struct fc_symbolfile *find_file(struct search *search,
				       const struct fc_module_info *module, int place)
{
	switch (place) {
	case 0:
		return find_in_folders(search, module->build_id);
	case 1:
		return find_installed(search, module);
	case 2:
		return open_own(module);
	default:
		return search->opts->fetching ? fetch(search, module) : NULL;
	}
}

enum { NR_PLACES = 4 };

static void name_module(struct search *search, const struct fc_module_info *module)
{
	struct fc_named_module named = { .of = module,
					 .nr_called = count_called(search, module) };
	bool is_given = module->build_id[0] && name_by_given(search, &named);
	if (!named.nr_called && !is_given)
		return;
	bool is_done = is_given || !module->build_id[0];
	for (int i = 0; i < NR_PLACES && !is_done; i++) {
		struct fc_symbolfile *file = find_file(search, module, i);
		if (file)
			name_functions(search, &named, file);
		fc_symbolfile_close(file);
		/* A stripped file has names of what it exports, which were not needed. */
		is_done = named.nr_called_named;
		if (!is_done)
			forget_names(search, &named);
	}
	fc_vec_push(&search->naming->modules, named);
}

int fc_naming_find(struct fc_reader *reader, const struct fc_naming_opts *opts,
		   struct fc_naming *ret)
{
	struct search search = { .reader = reader, .opts = opts, .naming = ret };
	*ret = (struct fc_naming){ 0 };
	int err = fc_called_functions(reader, &search.called);
	if (!err)
		err = open_places(&search, opts);
	for (size_t i = 0; !err && i < fc_reader_nr_modules(reader); i++)
		name_module(&search, fc_reader_module(reader, i));
	close_places(&search.places);
	free(search.called);
	if (err)
		fc_naming_deinit(ret);
	return err;
}

void fc_naming_deinit(struct fc_naming *naming)
{
	fc_vec_each (&naming->modules, module)
		free(module->from);
	fc_vec_each (&naming->names, name)
		free((void *)name->name);
	fc_vec_free(&naming->modules);
	fc_vec_free(&naming->names);
}
