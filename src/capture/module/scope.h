/* SPDX-License-Identifier: Apache-2.0 */
/* scope.h - of the files that a process maps: which are traced, and how much of each. */
#ifndef FC_CAPTURE_MODULE_SCOPE_H
#define FC_CAPTURE_MODULE_SCOPE_H

#include "capture/module/nature.h"
#include "capture/module/module.h"
#include "capture/target/maps.h"

/* What is known of the process. */
struct fc_scope_of {
	const struct fc_user_opts *opts;
	uint64_t exe_ino;	 /* of the file that the kernel has executed */
	struct fc_nature nature; /* of that file */
	uint64_t
		loaded_ino; /* of the program, where ld.so itself was executed to load it; or 0 */
	bool is_started;    /* ld.so has loaded what the program needs: the rest is dlopen's */
};

/* Of a process at the start of its program. */
struct fc_scope_of fc_scope_of(const struct fc_user_opts *opts, int pid);

/* The program of process pid, read and planned. Fills in ->nature. */
struct fc_module *fc_scope_program(struct fc_scope_of *of, struct fc_modules *modules, int pid);

/*
 * These mappings have not been looked at: is one of them code of the program, as it was started by
 * ld.so (ld.so ./program)? Or of one that the program that was executed translates?
 */
void fc_scope_look(struct fc_scope_of *of, int pid, const struct fc_map *maps, size_t nr);

/* Is it mapped to be translated? No CPU runs it, and what is written there is read as a program. */
bool fc_scope_is_guest(const struct fc_scope_of *of, const struct fc_map *map);

enum fc_scope fc_scope_find(const struct fc_scope_of *of, const struct fc_map *map);

/* Of libraries that are not traced, only these matter: they tell of objects, or unwind. */
bool fc_scope_has_control(const struct fc_scope_of *of, const struct fc_map *map);

/* Is the path ld.so's? */
bool fc_scope_is_loader(const char *path);

/* Bytes of r_debug (<link.h>) before r_state: int r_version, r_map, r_brk. */
enum { FC_R_STATE = 24 };
/*
 * The vaddr of r_debug.r_state, which tells whether ld.so has finished loading (<link.h>). False: the
 * file is not ld.so's.
 */
bool fc_scope_r_state(const struct fc_elf *elf, uint64_t *ret);

#endif
