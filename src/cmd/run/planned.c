/* SPDX-License-Identifier: Apache-2.0 */
/* planned.c - finds and plans a program's file, and prints --dry-run. */
#include "cmd/run/planned.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/foreign.h"
#include "base/memory.h"
#include "base/path.h"
#include "capture/module/under.h"
#include "capture/target/launch.h"
#include "cmd/options/demangling.h"
#include "cmd/out/output.h"
#include "cmd/out/say.h"
#include "cmd/out/table.h"
#include "cmd/run/program.h"
#include "cmd/view/planning.h"

/* Linux follows this many scripts that are run by scripts (fs/exec.c, exec_binprm). */
#define SCRIPTS_MAX 5

/* A path is taken as it is: a library need not be executable to be looked at. */
static int find_file(const char *program, char **ret)
{
	struct stat st;

	if (!strchr(program, '/'))
		return fc_launch_find_program(program, ret);
	if (stat(program, &st))
		return fc_fail(errno, "%s: %s", program, strerror(errno));
	if (S_ISDIR(st.st_mode))
		return fc_fail(EACCES, "%s: is a directory", program);
	if (!S_ISREG(st.st_mode))
		return fc_fail(EACCES, "%s: not a regular file", program);
	*ret = fc_strdup(program);
	return 0;
}

/* The interpreter of a script: 1 with *ret set, 0: not a script. */
static int read_interpreter(const char *path, char **ret)
{
	char line[256] = "";
	struct stat st;
	fc_auto_close int fd = fc_foreign_open(AT_FDCWD, path, &st);

	if (fd == -EINVAL)
		return fc_fail(EACCES, "%s: not a regular file", path);
	if (fd < 0)
		return fc_fail(-fd, "cannot open %s: %s", path, fc_foreign_why(fd));
	ssize_t nr = read(fd, line, sizeof(line) - 1);
	if (nr < 0)
		return fc_fail(errno, "cannot read %s: %s", path, strerror(errno));
	if (strncmp(line, "#!", 2) != 0)
		return 0;
	char *name = line + 2 + strspn(line + 2, " \t");
	name[strcspn(name, " \t\n")] = 0;
	if (!*name)
		return fc_fail(ENOEXEC, "%s: a script whose #! names no interpreter", path);
	*ret = fc_strdup(name);
	return 1;
}

static int follow_scripts(struct fc_planned_program *planned)
{
	for (int i = 0;; i++) {
		char *interpreter = NULL;
		int found = read_interpreter(planned->path, &interpreter);
		if (found <= 0)
			return found;
		if (i == SCRIPTS_MAX) {
			free(interpreter);
			return fc_fail(ELOOP, "%s: a script of a script of a script...",
				       planned->path);
		}
		if (planned->script)
			free(planned->path);
		else
			planned->script = planned->path;
		planned->path = interpreter;
	}
}

static bool wants_all(void *ctx, const struct fc_elf *elf, const char *name)
{
	return true;
}

static int plan_file(struct fc_planned_program *planned, char **only, bool with_probes)
{
	struct fc_progress progress;
	struct fc_plan_opts opts = { .progress = &progress };

	fc_planning_begin(&progress);
	int err = fc_elf_open(planned->path, planned->path, &planned->elf);
	if (err)
		return err;
	if (with_probes)
		opts.asks_probe = wants_all;
	err = fc_plan_create(planned->elf, &opts, &planned->plan);
	fc_planning_end(&progress);
	if (!err)
		fc_under_prune(planned->plan, planned->path, only);
	if (planned->elf->unread)
		fc_say("%s", planned->elf->unread);
	return err;
}

int fc_planned_open(const char *program, char **only, bool with_probes,
		    struct fc_planned_program *ret)
{
	memset(ret, 0, sizeof(*ret));
	int err = find_file(program, &ret->path);
	if (!err)
		err = follow_scripts(ret);
	if (!err)
		err = plan_file(ret, only, with_probes);
	if (err)
		fc_planned_close(ret);
	return err;
}

void fc_planned_close(struct fc_planned_program *planned)
{
	fc_plan_destroy(planned->plan);
	fc_elf_close(planned->elf);
	free(planned->path);
	free(planned->script);
	memset(planned, 0, sizeof(*planned));
}

char *fc_planned_symbol(const struct fc_planned_program *planned,
			const struct fc_func_info *func)
{
	if (func->name)
		return fc_strdup(func->name);
	return fc_asprintf("%s+0x%llx", fc_base_name(planned->path),
			   (unsigned long long)func->vaddr);
}

char *fc_planned_name(const struct fc_planned_program *planned, const struct fc_func_info *func)
{
	fc_auto_free char *symbol = fc_planned_symbol(planned, func);
	return fc_readable(symbol, fc_demangle_asked());
}

static bool is_wanted(const struct fc_settings *settings, const char *path)
{
	for (char **glob = settings->modules; glob && *glob; glob++) {
		if (!fnmatch(*glob, path, 0) || !fnmatch(*glob, fc_base_name(path), 0))
			return true;
	}
	return !settings->modules;
}

/* A module of the dry run; sums are zero when -m or --libs leaves it out. */
struct dry_module {
	const char *path, *note;
	struct fc_plan_sums sums;
};

static int plan_interpreter(const struct fc_settings *settings, const char *path,
			    struct dry_module *ret)
{
	struct fc_plan_opts opts = { .exported_only = settings->libs == FC_LIBS_API };
	struct fc_elf *elf = NULL;
	struct fc_plan *plan = NULL;

	*ret = (struct dry_module){ .path = path, .note = "its dynamic linker" };
	if (settings->libs == FC_LIBS_NONE || !is_wanted(settings, path))
		return 0;
	int err = fc_elf_open(path, path, &elf);
	if (!err)
		err = fc_plan_create(elf, &opts, &plan);
	if (!err)
		ret->sums = fc_plan_sums(plan);
	fc_plan_destroy(plan);
	fc_elf_close(elf);
	return err;
}

static void print_path(const struct fc_table *table, const void *row)
{
	const struct dry_module *module = row;

	fc_print_foreign(table->out, module->path);
	if (*module->note)
		fprintf(table->out, " (%s)", module->note);
}

static const struct fc_table_column columns[] = {
	{ "module", "MODULE", FC_FIELD(struct dry_module, path), .print = print_path, .most = 1,
	  .place = 1 },
	{ "hooked", "HOOKED", FC_FIELD(struct dry_module, sums.hooked), .width = 8 },
	{ "entry_only", "ENTRY ONLY", FC_FIELD(struct dry_module, sums.entry_only) },
	{ "skipped", "SKIPPED", FC_FIELD(struct dry_module, sums.skipped), .width = 8 },
	{ "parts", "PARTS", FC_FIELD(struct dry_module, sums.parts), .width = 6 },
};

static void print_modules(FILE *out, const struct fc_planned_program *planned,
			  const struct dry_module *modules, size_t nr, bool is_json)
{
	struct fc_table table = { out, is_json ? FC_FORM_JSON : FC_FORM_TEXT,
				  FC_COLUMNS(columns) };

	if (planned->script && !is_json)
		fprintf(out, "%s is a script; it is run by %s\n", planned->script,
			planned->path);
	fc_table_print(&table, modules, nr, sizeof(*modules));
	if (!is_json)
		fprintf(out, "%sNothing was run.\n",
			planned->elf->interp
				? "Libraries are planned when the program loads them. "
				: "");
}

int fc_dry_run(const struct fc_settings *settings, const char *program)
{
	struct fc_planned_program planned;
	struct dry_module modules[2] = { 0 };
	size_t nr = 1;
	int err = fc_planned_open(program, settings->only_globs, false, &planned);

	if (err) {
		fc_say("%s", fc_fail_text());
		return fc_program_failure(err);
	}
	modules[0] = (struct dry_module){ .path = planned.path, .note = "" };
	if (is_wanted(settings, planned.path))
		modules[0].sums = fc_plan_sums(planned.plan);
	if (planned.elf->interp &&
	    !plan_interpreter(settings, planned.elf->interp, &modules[1]))
		nr = 2;

	FILE *out = fc_output_open();
	print_modules(out, &planned, modules, nr, settings->json);
	fc_planned_close(&planned);
	return fc_output_close(out, FC_STATUS_OK);
}
