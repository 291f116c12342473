/* SPDX-License-Identifier: Apache-2.0 */
/* scope.h - of the files that a process maps: which are traced, and how much of each. */
#ifndef FC_CAPTURE_MODULE_SCOPE_H
#define FC_CAPTURE_MODULE_SCOPE_H

#include "capture/module/module.h"
#include "capture/target/maps.h"

/* What is known of the process. */
struct fc_scope_of {
	const struct fc_user_opts *opts;
	uint64_t exe_ino;
	bool is_started; /* ld.so has loaded what the program needs: the rest is dlopen's */
};

/* Of a process at the start of its program. */
struct fc_scope_of fc_scope_of(const struct fc_user_opts *opts, int pid);

/* The program of process pid, read and planned. */
struct fc_module *fc_scope_program(const struct fc_scope_of *of, struct fc_modules *modules,
				   int pid);

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
