/* SPDX-License-Identifier: Apache-2.0 */
/* planned.h - a program's file and the plan for its functions, without running it. */
#ifndef FC_CMD_RUN_PLANNED_H
#define FC_CMD_RUN_PLANNED_H

#include "capture/patch/plan.h"
#include "cmd/options/options.h"
#include "elf/elf.h"

struct fc_planned_program {
	char *script; /* NULL: the program is no script; else the script, run by path */
	char *path;
	struct fc_elf *elf;
	struct fc_plan *plan;
};

/*
 * Find the program as a shell would, follow #! to the interpreter, read and plan the file.
 * only: the globs of -F, or NULL: what they do not need is left out.
 * with_probes: its static probes are among the plan's functions.
 * -errno with a sentence, as fc_elf_open(), fc_plan_create() and exec would give it.
 */
int fc_planned_open(const char *program, char **only, bool with_probes,
		    struct fc_planned_program *ret);
void fc_planned_close(struct fc_planned_program *planned);

/* A function's symbol, or module+0xoffset as traces name it; and as people read it. Allocated. */
char *fc_planned_symbol(const struct fc_planned_program *planned,
			const struct fc_func_info *func);
char *fc_planned_name(const struct fc_planned_program *planned,
		      const struct fc_func_info *func);

/* What would be hooked in the program and its dynamic linker, as text or JSON on stdout.
 * Returns the exit status. */
int fc_dry_run(const struct fc_settings *settings, const char *program);

#endif
