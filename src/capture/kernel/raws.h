/* SPDX-License-Identifier: Apache-2.0 */
/*
 * raws.h - events of the kernel's tracing as they were taken from each CPU's buffer, until all that
 * is earlier has been taken, too: then they come in order of time.
 */
#ifndef FC_CAPTURE_KERNEL_RAWS_H
#define FC_CAPTURE_KERNEL_RAWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/syscall/syscalls.h"

enum fc_raw_kind {
	FC_RAW_CALL,   /* raw_syscalls:sys_enter */
	FC_RAW_RESULT, /* raw_syscalls:sys_exit */
	FC_RAW_ENTRY,  /* ftrace:funcgraph_entry */
	FC_RAW_EXIT,   /* ftrace:funcgraph_exit */
	FC_RAW_RETURN, /* of return_probes.h, just before the exit */
	FC_RAW_NR,
};

struct fc_raw {
	uint64_t tsc;
	uint64_t number; /* of a system call; a function's address */
	int64_t value;	 /* a system call's or a function's result, a function's depth */
	int tid;
	uint32_t order; /* of those taken at the same time */
	enum fc_raw_kind kind;
	uint32_t args; /* which of the arguments held are a system call's */
};

struct fc_raws;

/*
 * In the folder of an instance: where the fields of its events stand. probes: the group of the return
 * probes, NULL: there are none. -errno with a sentence.
 */
int fc_raws_create(const char *folder, bool with_functions, const char *probes,
		   struct fc_raws **ret);
void fc_raws_destroy(struct fc_raws *raws);

size_t fc_raws_nr(const struct fc_raws *raws);
/* An event of a CPU: for fc_cpus_take(). */
void fc_raws_add(void *raws, uint64_t tsc, const void *event, size_t size);
/* Those before until, in order of time; args: of FC_RAW_CALL, else NULL. They are dropped then. */
void fc_raws_tell(struct fc_raws *raws, uint64_t until,
		  void (*take)(void *ctx, const struct fc_raw *raw, const uint64_t *args),
		  void *ctx);

#endif
