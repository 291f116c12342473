/* SPDX-License-Identifier: Apache-2.0 */
/* srclines.c - opens the files of a trace to look up source lines. */
#include "cmd/options/srclines.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/vec.h"
#include "cmd/out/fetching.h"
#include "cmd/out/say.h"
#include "dwarf/linetable.h"

#define SAID_MAX 3 /* of what is wrong with files, or of their names */

struct module {
	struct fc_linetable *table; /* NULL: not known */
	const char *path;
	bool is_opened;
	FC_VEC(uint64_t) vaddrs; /* of its functions, until it is opened */
};

struct place {
	struct fc_source source;
	char *text; /* NULL: not known */
	bool is_looked_up;
};

struct fc_srclines {
	const struct fc_reader *reader;
	pthread_mutex_t lock;	/* of all below */
	struct module *modules; /* by id */
	size_t nr_modules;
	struct place *places; /* by function */
	uint32_t max_func;
	FC_VEC(char *) wrong;	    /* sentences */
	FC_VEC(const char *) empty; /* modules without debug information */
};

static struct module *module_of(struct fc_srclines *lines, const struct fc_func_ref *func)
{
	size_t i = func->of && func->info ? func->of->id - 1 : lines->nr_modules;

	return i < lines->nr_modules ? &lines->modules[i] : NULL;
}

static void add_vaddr(struct fc_srclines *lines, struct fc_func_ref func)
{
	struct module *module = module_of(lines, &func);

	if (module)
		fc_vec_push(&module->vaddrs, func.info->vaddr);
}

struct fc_srclines *fc_srclines_create(const struct fc_reader *reader)
{
	struct fc_srclines *lines = fc_alloc(sizeof(*lines));

	fc_debuginfod_allow(&fc_fetching_shown); /* nothing is traced while a trace is read */
	lines->reader = reader;
	pthread_mutex_init(&lines->lock, NULL);
	lines->nr_modules = fc_reader_nr_modules(reader);
	lines->modules = fc_alloc((lines->nr_modules + 1) * sizeof(*lines->modules));
	lines->max_func = fc_reader_max_func(reader);
	lines->places = fc_alloc(((size_t)lines->max_func + 1) * sizeof(*lines->places));
	for (uint32_t i = 1; i <= lines->max_func; i++)
		add_vaddr(lines, fc_reader_func(reader, i));
	return lines;
}

static void say_wrong(const struct fc_srclines *lines)
{
	for (size_t i = 0; i < lines->wrong.nr && i < SAID_MAX; i++)
		fc_say("no source lines of %s", lines->wrong.at[i]);
	if (lines->wrong.nr > SAID_MAX)
		fc_say("no source lines of %zu more files either", lines->wrong.nr - SAID_MAX);
}

static void say_empty(const struct fc_srclines *lines)
{
	size_t nr = lines->empty.nr;
	fc_auto_free char *names = fc_strdup(nr ? lines->empty.at[0] : "");

	for (size_t i = 1; i < nr && i < SAID_MAX; i++)
		fc_append(&names, ", %s", lines->empty.at[i]);
	fc_auto_free char *more =
		nr > SAID_MAX ? fc_asprintf(" and %zu more", nr - SAID_MAX) : fc_strdup("");
	if (nr)
		fc_say("no source lines of %s%s: no debug information was found; packages "
		       "with it, or DEBUGINFOD_URLS, may have it",
		       names, more);
}

/* Add what was wrong with the files that could be opened. */
static void add_wrong(struct fc_srclines *lines)
{
	for (size_t i = 0; i < lines->nr_modules; i++) {
		const struct module *module = &lines->modules[i];
		const char *wrong = module->table ? fc_linetable_wrong(module->table) : NULL;
		if (wrong)
			fc_vec_push(&lines->wrong, fc_asprintf("%s: %s", module->path, wrong));
	}
}

void fc_srclines_destroy(struct fc_srclines *lines)
{
	if (!lines)
		return;
	add_wrong(lines);
	say_wrong(lines);
	say_empty(lines);
	fc_vec_each (&lines->wrong, sentence)
		free(*sentence);
	fc_vec_free(&lines->wrong);
	fc_vec_free(&lines->empty);
	for (uint32_t i = 0; i <= lines->max_func; i++)
		free(lines->places[i].text);
	for (size_t i = 0; i < lines->nr_modules; i++) {
		fc_linetable_close(lines->modules[i].table);
		fc_vec_free(&lines->modules[i].vaddrs);
	}
	pthread_mutex_destroy(&lines->lock);
	free(lines->places);
	free(lines->modules);
	free(lines);
}

static void open_module(struct fc_srclines *lines, struct module *module,
			const struct fc_func_ref *func)
{
	int err = fc_linetable_open(func->of->path, func->of->build_id, &module->table);

	module->is_opened = true;
	module->path = func->of->path;
	if (err == -ENODATA)
		fc_vec_push(&lines->empty, func->module);
	else if (err)
		fc_vec_push(&lines->wrong, fc_strdup(fc_fail_text()));
	else
		fc_linetable_expect(module->table, module->vaddrs.at, module->vaddrs.nr);
	fc_vec_free(&module->vaddrs);
	fc_fail_clear();
}

static struct fc_linetable *table_of(struct fc_srclines *lines, const struct fc_func_ref *func)
{
	struct module *module = module_of(lines, func);

	if (!module)
		return NULL;
	if (!module->is_opened)
		open_module(lines, module, func);
	return module->table;
}

static void look_up(struct fc_srclines *lines, uint32_t id, struct place *place)
{
	struct fc_func_ref func = fc_reader_func(lines->reader, id);
	struct fc_linetable *table = table_of(lines, &func);
	struct fc_source *source = &place->source;

	place->is_looked_up = true;
	if (!table || !fc_linetable_find(table, func.info->vaddr, &source->file, &source->line))
		return;
	const char *slash = strrchr(source->file, '/');
	place->text = fc_asprintf("%s:%d", slash ? slash + 1 : source->file, source->line);
	source->text = place->text;
}

const struct fc_source *fc_srclines_find(struct fc_srclines *lines, uint32_t func)
{
	if (func > lines->max_func)
		return NULL;
	struct place *place = &lines->places[func];
	pthread_mutex_lock(&lines->lock);
	if (!place->is_looked_up)
		look_up(lines, func, place);
	pthread_mutex_unlock(&lines->lock);
	return place->text ? &place->source : NULL;
}

static bool are_asked;

void fc_srclines_ask(void)
{
	are_asked = true;
}

static int set_srcline(struct fc_settings *settings, const char *arg)
{
	fc_srclines_ask();
	return 0;
}

const struct fc_option fc_option_srcline = {
	0, "srcline", NULL,
	"where functions are in their sources, of what has debug information", set_srcline
};

bool fc_srclines_are_asked(void)
{
	return are_asked;
}
