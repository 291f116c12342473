/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernel_types.h - what the kernel's functions are given and return, by the kernel's own type
 * information: /sys/kernel/btf/vmlinux, and /sys/kernel/btf/MODULE of a module.
 */
#ifndef FC_CAPTURE_KERNEL_KERNEL_TYPES_H
#define FC_CAPTURE_KERNEL_KERNEL_TYPES_H

#include <stdbool.h>
#include <stdint.h>

#include "values/types.h"

struct fc_kernel_types;
struct btf;

/* A function's prototype; zeroed: not known. */
struct fc_kernel_proto {
	const struct btf *btf;
	uint32_t id;
};

/* -errno with a sentence: this kernel has none. */
int fc_kernel_types_open(struct fc_kernel_types **ret);
void fc_kernel_types_close(struct fc_kernel_types *types);

/*
 * Of the only function that is called so in a module: "[kernel]", or "[ext4]". Those of a module are
 * read when they are asked for first.
 */
struct fc_kernel_proto fc_kernel_types_find(struct fc_kernel_types *types, const char *module,
					    const char *name);

/* How many parameters it has: of one with "..." those before it. */
uint32_t fc_kernel_proto_nr(const struct fc_kernel_proto *proto);

/*
 * Of parameter i, or FC_PARAM_RESULT: how many bytes a register has of it; 0: it is none that is in
 * one general register, or there is none (void).
 */
uint8_t fc_kernel_proto_size(const struct fc_kernel_proto *proto, uint32_t i);
/* Of the result: may it be the number of an error, or a pointer that is one? */
bool fc_kernel_proto_may_fail(const struct fc_kernel_proto *proto);

/*
 * The same in a table of a trace: a function of that name with the first nr_params of them, and what
 * it returns if with_result. What pointers lead to is known by its name alone.
 */
uint32_t fc_kernel_proto_copy(const struct fc_kernel_proto *proto, const char *name,
			      uint32_t nr_params, bool with_result, struct fc_types *into);

#endif
