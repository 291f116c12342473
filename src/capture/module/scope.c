/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/module/scope.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/path.h"
#include "capture/target/exe.h"

struct fc_scope_of fc_scope_of(const struct fc_user_opts *opts, int pid)
{
	struct stat st;
	uint64_t ino = stat(fc_exe_link(pid).text, &st) ? 0 : st.st_ino;
	return (struct fc_scope_of){ .opts = opts, .exe_ino = ino };
}

struct fc_module *fc_scope_program(struct fc_scope_of *of, struct fc_modules *modules, int pid)
{
	struct fc_exe_link exe = fc_exe_link(pid);
	char shown[FC_EXE_PATH];
	bool has_name = fc_exe_path(pid, shown);
	struct fc_map map = { .ino = of->exe_ino, .path = shown };
	of->nature.is_loader = fc_scope_is_loader(map.path);
	struct fc_module *module = fc_modules_get(
		modules, exe.text, has_name ? shown : exe.text, fc_scope_find(of, &map));
	if (module->elf)
		of->nature = fc_nature_of(module->elf);
	return module;
}

void fc_scope_look(struct fc_scope_of *of, int pid, const struct fc_map *maps, size_t nr)
{
	bool is_open = of->nature.is_loader ? !of->loaded_ino
					    : of->nature.is_static && !of->nature.translates;
	for (size_t i = 0; i < nr && is_open; i++) {
		bool is_code = maps[i].is_exec && maps[i].ino && maps[i].path[0] == '/';
		if (!is_code || maps[i].ino == of->exe_ino)
			continue;
		fc_auto_free char *path = fc_map_open_path(pid, &maps[i]);
		if (!fc_nature_read(path).is_program)
			continue;
		if (of->nature.is_loader)
			of->loaded_ino = maps[i].ino;
		else
			of->nature.translates = true;
		is_open = false;
	}
}

bool fc_scope_is_guest(const struct fc_scope_of *of, const struct fc_map *map)
{
	return of->nature.is_static && of->nature.translates && map->ino != of->exe_ino;
}

static bool is_system_library(const char *path)
{
	static const char *const folders[] = { "/lib/",	      "/lib64/",	 "/usr/lib/",
					       "/usr/lib64/", "/usr/local/lib/", "/lib32/" };
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		if (!strncmp(path, folders[i], strlen(folders[i])))
			return true;
	return false;
}

/* By its name with and without "memfd:", or its path. */
static bool is_asked_for(const struct fc_user_opts *opts, const char *path)
{
	if (!opts->modules)
		return true;
	const char *name = fc_base_name(path), *own = fc_memfd_name(name);
	for (char **glob = opts->modules; *glob; glob++)
		if (!fnmatch(*glob, name, 0) || !fnmatch(*glob, own, 0) ||
		    !fnmatch(*glob, path, 0))
			return true;
	return false;
}

enum fc_scope fc_scope_find(const struct fc_scope_of *of, const struct fc_map *map)
{
	bool is_program = map->ino == (of->nature.is_loader ? of->loaded_ino : of->exe_ino) ||
			  (of->is_started && !is_system_library(map->path));
	if (!is_asked_for(of->opts, map->path))
		return FC_SCOPE_CONTROL;
	if (is_program || of->opts->libs == FC_LIBS_ALL)
		return FC_SCOPE_ALL;
	return of->opts->libs == FC_LIBS_NONE ? FC_SCOPE_CONTROL : FC_SCOPE_EXPORTED;
}

bool fc_scope_has_control(const struct fc_scope_of *of, const struct fc_map *map)
{
	const char *name = fc_base_name(map->path);
	return map->ino == of->exe_ino || !strncmp(name, "ld-", 3) ||
	       !strncmp(name, "ld.so", 5) || !strncmp(name, "libgcc_s", 8) ||
	       !strncmp(name, "libunwind", 9) || !strncmp(name, "libc.", 5) ||
	       !strncmp(name, "libstdc++", 9) || !strncmp(name, "libc++", 6);
}

bool fc_scope_is_loader(const char *path)
{
	return !strncmp(fc_base_name(path), "ld-", 3);
}

bool fc_scope_r_state(const struct fc_elf *elf, uint64_t *ret)
{
	if (!fc_scope_is_loader(elf->path) || fc_elf_symbol(elf, "_r_debug", ret))
		return false;
	*ret += FC_R_STATE;
	return true;
}
