/* SPDX-License-Identifier: Apache-2.0 */
/*
 * probes.h - the static probes (SDT, USDT) that a file has by <sys/sdt.h>: a nop in its code, and a note
 * that says where that is, what it is called and where its arguments are.
 *
 * The notes: systemtap's wiki, "UserSpaceProbeImplementation"; NT_STAPSDT, version 3.
 */
#ifndef FC_ELF_PROBES_H
#define FC_ELF_PROBES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

struct fc_image;

struct fc_probe {
	char *name;	  /* "provider:name" */
	const char *args; /* "-4@%edi 8@-16(%rbp)"; in the file */
	const char *
		kinds; /* of a mark: what each argument is (include/fctrace.h); NULL: not told */
	uint64_t vaddr;	    /* of the nop */
	uint64_t semaphore; /* of a counter of 16 bits: how many look at the probe; 0: none */
	bool is_sound; /* the semaphore is where semaphores are: a note may lie, and it is written to */
};

struct fc_probes {
	FC_VEC(struct fc_probe) list; /* by vaddr, then by name, each once */
	size_t nr_damaged;	      /* notes that say nothing that can be used */
};

/* Is it a mark of include/fctrace.h, which is always wanted? */
bool fc_probe_is_mark(const char *name);

/* image must outlive it. */
void fc_probes_read(struct fc_probes *probes, const struct fc_image *image);
void fc_probes_deinit(struct fc_probes *probes);

#endif
