/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernel_funcs.h - the kernel's functions that can be traced: their names, and which one an address
 * is in. Those of the kernel itself are of the module "[kernel]", those that an interrupt enters of
 * "[interrupt]", others of "[ext4]", say.
 */
#ifndef FC_CAPTURE_KERNEL_KERNEL_FUNCS_H
#define FC_CAPTURE_KERNEL_KERNEL_FUNCS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/source.h"

#define FC_KERNEL_MODULE    "[kernel]"
#define FC_INTERRUPT_MODULE "[interrupt]"

enum { FC_KERNEL_ARGS = 6 }; /* that are looked at */

struct fc_kernel_func {
	uint64_t address;
	const char *name, *module;
	uint32_t
		line; /* of available_filter_functions, from 1 on: its index for set_ftrace_filter */
	uint32_t id;	     /* of the session; 0: it is not among those that are told */
	uint8_t result_size; /* bytes of its result, if that is recorded; else 0 */
	uint8_t nr_args;     /* arguments that are recorded, and bytes of each */
	uint8_t arg_size[FC_KERNEL_ARGS];
	bool may_fail; /* the result may be the number of an error */
	bool is_out;   /* it is not traced */
	bool is_start; /* by fc_kernel_funcs_mark() */
	bool is_aside; /* it is traced, and nothing is told of it and of what it calls */
};

struct fc_kernel_funcs;

/* As tracefs (root: its folder) lists them. -errno with a sentence. */
int fc_kernel_funcs_read(const char *root, struct fc_kernel_funcs **ret);
void fc_kernel_funcs_destroy(struct fc_kernel_funcs *funcs);

/* A glob is of a name, or "sys_NAME" of a system call, or an address, "0x...". NULL-terminated lists; NULL: an empty one. */

/* -EINVAL with a sentence if one of these matches no function; option: whose they are. */
int fc_kernel_funcs_check(const struct fc_kernel_funcs *funcs, const char *option,
			  char *const *globs);
/* Those that match one, or of which none matches, are not traced. */
void fc_kernel_funcs_leave_out(struct fc_kernel_funcs *funcs, char *const *globs);
void fc_kernel_funcs_keep_only(struct fc_kernel_funcs *funcs, char *const *globs);
/* is_aside of those that match one. */
void fc_kernel_funcs_set_aside(struct fc_kernel_funcs *funcs, char *const *globs);
/* is_start of those that match one. */
void fc_kernel_funcs_mark(struct fc_kernel_funcs *funcs, char *const *globs);

/* The kernel has a function of that name, traced or not. */
bool fc_kernel_has_func(const char *glob);

/*
 * The lines of those that are traced, or with is_out of the others, with blanks between: text for
 * set_ftrace_filter, "" if there are none. malloc()ed.
 */
char *fc_kernel_funcs_lines(const struct fc_kernel_funcs *funcs, bool is_out);

/* It is one of a system call's name, or an address. */
bool fc_kernel_glob_is_special(const char *glob);
bool fc_kernel_func_matches(const struct fc_kernel_func *func, char *const *globs);
/* By address. */
struct fc_kernel_func *fc_kernel_funcs_all(struct fc_kernel_funcs *funcs, size_t *nr);

/* Those that are told get ids of the session. */
void fc_kernel_funcs_number(struct fc_kernel_funcs *funcs, struct fc_numbers *numbers);
/* The tap hears of their modules. values: of all of them, told with the first (trace/source.h), or NULL. */
int fc_kernel_funcs_tell(struct fc_kernel_funcs *funcs, struct fc_numbers *numbers,
			 const void *values, size_t values_size, struct fc_tap *tap);

/* NULL: none that is told is there, or is_aside. */
const struct fc_kernel_func *fc_kernel_funcs_at(const struct fc_kernel_funcs *funcs,
						uint64_t address);

#endif
