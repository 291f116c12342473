/* SPDX-License-Identifier: Apache-2.0 */
/* addresses.c - finds the module and the symbol at an address, by uftrace's maps. */
#include "read/import/addresses.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/visited.h"
#include "read/import/symbols.h"
#include "trace/record.h"

#define MAPS_MAX     8192	/* files of a session */
#define MODULES_MAX  16384	/* files of all */
#define OPENED_SPAN  (1u << 30) /* a library is not longer */
#define SAID_MAX     8
#define NAMELESS_MAX 4096 /* addresses that get a function of their own */
#define FORKS_MAX    16
#define CACHE_BITS   14

/* A file with its symbols, or one address that has none. */
struct module {
	char *path, *build_id;
	bool is_read;
	struct fc_uf_symbols symbols;
	uint32_t id; /* 0: not told yet */
	uint32_t first_func;
	struct fc_func_info *funcs;
};

struct map {
	uint64_t begin, end;
	size_t module;
};

struct space {
	bool is_read;
	FC_VEC(struct map) maps; /* by begin */
	FC_VEC(size_t) opened;	 /* modules, as the session's list has them */
};

struct cached {
	size_t session;
	int pid;
	uint32_t func; /* 0: empty */
	uint64_t addr;
};

struct nameless {
	const char *path;
	uint64_t vaddr;
	size_t module;
};

struct fc_uf_spaces {
	struct fc_uf_spaces_opts opts;
	struct space *spaces; /* by session */
	FC_VEC(struct module *) modules;
	FC_VEC(struct nameless) nameless;
	uint16_t nameless_slots[2 * NAMELESS_MAX]; /* index + 1, by hash */
	size_t nr_said;
	struct fc_visited mapped; /* module and pid, and where */
	uint32_t next_func, next_id;
	FC_VEC(uint32_t) forks; /* functions */
	struct cached cache[1 << CACHE_BITS];
};

struct fc_uf_spaces *fc_uf_spaces_create(const struct fc_uf_spaces_opts *opts)
{
	struct fc_uf_spaces *spaces = fc_alloc(sizeof(*spaces));

	spaces->opts = *opts;
	spaces->spaces = fc_alloc(opts->tasks->sessions.nr * sizeof(*spaces->spaces));
	spaces->next_func = spaces->next_id = 1;
	return spaces;
}

static void destroy_module(struct module *module)
{
	fc_uf_symbols_deinit(&module->symbols);
	free(module->funcs);
	free(module->path);
	free(module->build_id);
	free(module);
}

void fc_uf_spaces_destroy(struct fc_uf_spaces *spaces)
{
	if (!spaces)
		return;
	for (size_t i = 0; i < spaces->opts.tasks->sessions.nr; i++) {
		fc_vec_free(&spaces->spaces[i].maps);
		fc_vec_free(&spaces->spaces[i].opened);
	}
	free(spaces->spaces);
	fc_vec_each (&spaces->modules, module)
		destroy_module(*module);
	fc_vec_free(&spaces->modules);
	fc_vec_free(&spaces->nameless);
	fc_vec_free(&spaces->forks);
	fc_visited_deinit(&spaces->mapped);
	free(spaces);
}

/* ---- modules ---- */

static size_t add_module(struct fc_uf_spaces *spaces, const char *path, const char *build_id)
{
	struct module *module = fc_alloc(sizeof(*module));

	module->path = fc_strdup(path);
	module->build_id = fc_strdup(build_id);
	fc_vec_push(&spaces->modules, module);
	return spaces->modules.nr - 1;
}

static size_t find_module(struct fc_uf_spaces *spaces, const char *path, const char *build_id)
{
	for (size_t i = 0; i < spaces->modules.nr; i++) {
		const struct module *module = spaces->modules.at[i];
		if (!strcmp(module->path, path) && !strcmp(module->build_id, build_id))
			return i;
	}
	return spaces->modules.nr < MODULES_MAX ? add_module(spaces, path, build_id)
						: FC_UF_NONE;
}

/* A damaged folder can lack very many. */
static void say(struct fc_uf_spaces *spaces, const char *sentence)
{
	if (spaces->nr_said < SAID_MAX)
		spaces->opts.say(spaces->opts.ctx, sentence);
	else if (spaces->nr_said == SAID_MAX)
		spaces->opts.say(spaces->opts.ctx,
				 "and so on: more files of names are missing");
	spaces->nr_said++;
}

static const struct fc_uf_symbols *symbols_of(struct fc_uf_spaces *spaces, size_t i)
{
	struct module *module = spaces->modules.at[i];

	if (!module->is_read && fc_uf_symbols_read(spaces->opts.folder, module->path,
						   module->build_id, &module->symbols)) {
		fc_auto_free char *text = fc_asprintf(
			"%s: no symbols of it (%s); its functions are named by their place",
			module->path, fc_fail_text());
		say(spaces, text);
	}
	module->is_read = true;
	return &module->symbols;
}

static bool is_fork(const char *name)
{
	static const char *const names[] = { "fork", "vfork", "_Fork", "forkpty", "daemon" };

	for (size_t i = 0; name && i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

bool fc_uf_spaces_forks(const struct fc_uf_spaces *spaces, uint32_t func)
{
	fc_vec_each (&spaces->forks, fork)
		if (*fork == func)
			return true;
	return false;
}

static int tell_module(struct fc_uf_spaces *spaces, struct module *module)
{
	size_t nr = module->symbols.list.nr;

	if (module->id)
		return 0;
	if (nr > FC_FUNC_MAX - spaces->next_func)
		return fc_fail(EOVERFLOW, "%s has more functions than a trace can hold",
			       spaces->opts.folder->path);
	module->funcs = fc_alloc(nr * sizeof(*module->funcs));
	module->first_func = spaces->next_func;
	for (size_t i = 0; i < nr; i++) {
		const struct fc_uf_symbol *symbol = &module->symbols.list.at[i];
		module->funcs[i] = (struct fc_func_info){ .name = symbol->name,
							  .vaddr = symbol->vaddr,
							  .size = symbol->size,
							  .id = spaces->next_func++,
							  .how = FC_HOW_HOOKED,
							  .why = "uftrace" };
		if (is_fork(symbol->name) && spaces->forks.nr < FORKS_MAX)
			fc_vec_push(&spaces->forks, module->funcs[i].id);
	}
	module->id = spaces->next_id++;
	struct fc_module_info info = { .id = module->id,
				       .path = module->path,
				       .build_id = module->build_id,
				       .funcs = module->funcs,
				       .nr_funcs = nr };
	return spaces->opts.tap->module(spaces->opts.tap, &info);
}

/* ---- maps ---- */

/* Tell that pid has module there, once. */
static int tell_map(struct fc_uf_spaces *spaces, const struct module *module, int pid,
		    uint64_t taddr, uint64_t ns)
{
	struct fc_map_info info = { module->id, pid, taddr, ns };
	bool is_new =
		fc_visited_add(&spaces->mapped, fc_pair(module->id, (uint32_t)pid), taddr);

	return is_new ? spaces->opts.tap->map(spaces->opts.tap, &info) : 0;
}

/*
 * BEGIN-END PROT OFFSET DEV INODE PATH [build-id:HEX], as in /proc/PID/maps. What is mapped in
 * several pieces behind each other is one, from the first's begin on.
 */
static void take_map(struct fc_uf_spaces *spaces, struct space *space, const char *line)
{
	struct map map;
	char path[4097], id[128] = "";
	int at = 0;

	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %*x %*x:%*x %*u %n", &map.begin, &map.end,
		   &at) < 2 ||
	    !at || line[at] != '/')
		return;
	const char *mark = strstr(line + at, " build-id:");
	size_t len = mark ? (size_t)(mark - line - at) : strlen(line + at);
	if (mark)
		sscanf(mark, " build-id:%127[0-9a-f]", id);
	if (len >= sizeof(path) || map.end <= map.begin)
		return;
	memcpy(path, line + at, len);
	path[len] = 0;

	struct map *last = space->maps.nr ? &space->maps.at[space->maps.nr - 1] : NULL;
	if (last && !strcmp(spaces->modules.at[last->module]->path, path)) {
		last->end = map.end > last->end ? map.end : last->end;
		return;
	}
	map.module = space->maps.nr < MAPS_MAX ? find_module(spaces, path, id) : FC_UF_NONE;
	if (map.module != FC_UF_NONE)
		fc_vec_push(&space->maps, map);
}

static int by_begin(const void *a, const void *b)
{
	const struct map *x = a, *y = b;

	return (x->begin > y->begin) - (x->begin < y->begin);
}

static void read_space(struct fc_uf_spaces *spaces, size_t session)
{
	struct space *space = &spaces->spaces[session];
	fc_auto_free char *name =
		fc_asprintf("sid-%s.map", spaces->opts.tasks->sessions.at[session].sid);
	fc_auto_close int fd = -1;
	uint64_t size;

	space->is_read = true;
	fc_vec_each (&spaces->opts.tasks->sessions.at[session].opened, opened)
		fc_vec_push(&space->opened, find_module(spaces, opened->path, ""));
	if (fc_folder_file(spaces->opts.folder, name, &fd, &size)) {
		fc_auto_free char *text = fc_asprintf(
			"%s; functions of that program are named by their addresses",
			fc_fail_text());
		say(spaces, text);
		return;
	}
	struct fc_text lines;
	fc_text_init(&lines, fd);
	for (const char *line = fc_text_next(&lines); line; line = fc_text_next(&lines))
		take_map(spaces, space, line);
	fc_text_deinit(&lines);
	fc_vec_sort(&space->maps, by_begin);
}

static struct space *space_of(struct fc_uf_spaces *spaces, size_t session)
{
	if (session == FC_UF_NONE)
		return NULL;
	if (!spaces->spaces[session].is_read)
		read_space(spaces, session);
	return &spaces->spaces[session];
}

static const struct map *find_map(struct fc_uf_spaces *spaces, size_t session, uint64_t addr)
{
	const struct space *space = space_of(spaces, session);
	size_t low =
		fc_bisect(space->maps.at, space ? space->maps.nr : 0, map, map->begin <= addr);
	return low && addr < space->maps.at[low - 1].end ? &space->maps.at[low - 1] : NULL;
}

/* ---- addresses ---- */

/* Where an address was found to be: symbol number of module, which begins at bias. */
struct place {
	size_t module, symbol;
	uint64_t bias;
};

/* In a library that was opened by then, the last one first. Their ends are not told. */
static bool find_opened(struct fc_uf_spaces *spaces, size_t session, uint64_t addr, uint64_t ns,
			struct place *ret)
{
	const struct space *space = space_of(spaces, session);

	for (size_t i = space ? space->opened.nr : 0; i-- > 0;) {
		const struct fc_uf_opened *opened =
			&spaces->opts.tasks->sessions.at[session].opened.at[i];
		if (opened->ns > ns || addr - opened->base >= OPENED_SPAN ||
		    space->opened.at[i] == FC_UF_NONE)
			continue;
		ret->module = space->opened.at[i];
		ret->bias = opened->base;
		ret->symbol = fc_uf_symbols_find(symbols_of(spaces, ret->module),
						 addr - opened->base);
		if (ret->symbol != FC_UF_NO_SYMBOL)
			return true;
	}
	return false;
}

/* Where the address vaddr of path is, or would be. */
static uint16_t *nameless_slot(struct fc_uf_spaces *spaces, const char *path, uint64_t vaddr)
{
	size_t i = (vaddr * 0x9e3779b97f4a7c15u >> 32) % (2 * NAMELESS_MAX);

	for (; spaces->nameless_slots[i]; i = (i + 1) % (2 * NAMELESS_MAX)) {
		const struct nameless *known =
			&spaces->nameless.at[spaces->nameless_slots[i] - 1];
		if (known->vaddr == vaddr && !strcmp(known->path, path))
			break;
	}
	return &spaces->nameless_slots[i];
}

/* A module of one function that has no name; when there are too many, one for the rest. */
static void make_nameless(struct fc_uf_spaces *spaces, const struct map *map, uint64_t addr,
			  struct place *ret)
{
	const char *path = map ? spaces->modules.at[map->module]->path : "[unknown]";
	uint64_t vaddr = addr - (map ? map->begin : 0);
	uint16_t *slot = nameless_slot(spaces, path, vaddr);
	bool is_rest = !*slot && spaces->nameless.nr + 1 >= NAMELESS_MAX;

	if (is_rest) {
		path = "[others]";
		vaddr = 0;
		slot = nameless_slot(spaces, path, vaddr);
	}
	*ret = (struct place){ .bias = is_rest ? 0 : addr - vaddr };
	if (*slot) {
		ret->module = spaces->nameless.at[*slot - 1].module;
		return;
	}
	ret->module = add_module(spaces, path, "");
	struct module *module = spaces->modules.at[ret->module];
	char *name = is_rest ? fc_strdup("<other addresses>")
		     : map   ? NULL
			     : fc_asprintf("<%" PRIx64 ">", addr);
	fc_vec_push(&module->symbols.list, (struct fc_uf_symbol){ vaddr, 1, name });
	module->is_read = true;
	fc_vec_push(&spaces->nameless, (struct nameless){ module->path, vaddr, ret->module });
	*slot = (uint16_t)spaces->nameless.nr;
}

static void find_place(struct fc_uf_spaces *spaces, size_t session, uint64_t addr, uint64_t ns,
		       struct place *ret)
{
	const struct map *map = find_map(spaces, session, addr);

	if (map) {
		ret->module = map->module;
		ret->bias = map->begin;
		ret->symbol =
			fc_uf_symbols_find(symbols_of(spaces, map->module), addr - map->begin);
		if (ret->symbol != FC_UF_NO_SYMBOL)
			return;
	}
	if (!find_opened(spaces, session, addr, ns, ret))
		make_nameless(spaces, map, addr, ret);
}

bool fc_uf_spaces_is_mapped(struct fc_uf_spaces *spaces, size_t session, uint64_t addr,
			    uint64_t ns)
{
	struct place place;

	return find_map(spaces, session, addr) ||
	       find_opened(spaces, session, addr, ns, &place);
}

static struct cached *cached_of(struct fc_uf_spaces *spaces, size_t session, int pid,
				uint64_t addr)
{
	uint64_t hash =
		(addr ^ (uint64_t)session << 48 ^ (uint64_t)pid << 32) * 0x9e3779b97f4a7c15u;

	return &spaces->cache[hash >> (64 - CACHE_BITS)];
}

int fc_uf_spaces_func(struct fc_uf_spaces *spaces, size_t session, int pid, uint64_t addr,
		      uint64_t ns, uint32_t *ret)
{
	struct cached *cached = cached_of(spaces, session, pid, addr);

	*ret = cached->func;
	if (cached->func && cached->session == session && cached->pid == pid &&
	    cached->addr == addr)
		return 0;
	struct place place;
	find_place(spaces, session, addr, ns, &place);
	struct module *module = spaces->modules.at[place.module];
	int err = tell_module(spaces, module);
	if (!err)
		err = tell_map(spaces, module, pid, place.bias, ns);
	*ret = module->first_func + (uint32_t)place.symbol;
	*cached = (struct cached){ session, pid, err ? 0 : *ret, addr };
	return err;
}

int fc_uf_spaces_words(struct fc_uf_spaces *spaces, const char *const *names, size_t nr,
		       uint32_t *ret)
{
	size_t i = add_module(spaces, "[kernel]", "");
	struct module *module = spaces->modules.at[i];

	for (size_t k = 0; k < nr; k++)
		fc_vec_push(&module->symbols.list,
			    (struct fc_uf_symbol){ k, 1, fc_strdup(names[k]) });
	module->is_read = true;
	int err = tell_module(spaces, module);
	*ret = module->first_func;
	return err;
}
