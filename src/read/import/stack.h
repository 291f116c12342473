/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stack.h - a thread's stack while uftrace's records of it become those of a strand.
 *
 * uftrace tells of each call how deep it is. Where the open calls say something else, calls
 * were left without a return (longjmp) or records are missing.
 */
#ifndef FC_READ_IMPORT_STACK_H
#define FC_READ_IMPORT_STACK_H

#include "base/vec.h"
#include "read/import/records.h"
#include "trace/source.h"

struct fc_uf_frame {
	uint32_t func;
	uint32_t depth; /* as uftrace counts; FC_UF_OFF_CPU: not a call but a wait */
};

#define FC_UF_OFF_CPU UINT32_MAX

struct fc_uf_strand {
	struct fc_tap *tap;
	struct fc_strand_info info;
	FC_VEC(struct fc_uf_frame) opens;
	FC_VEC(uint64_t) words; /* not yet told, all within the time that a record holds */
	uint64_t first_ns, last_ns;
	uint64_t lost;	       /* told by LOST records, to be told with the next record */
	uint64_t nr_unmatched; /* returns of calls that are not open */
	uint64_t nr_disorder;  /* records that were earlier than the one before */
	uint64_t nr_lost;
};

void fc_uf_strand_begin(struct fc_uf_strand *strand, struct fc_tap *tap,
			const struct fc_strand_info *info, uint64_t ns);
/* Its open calls end then. 0 or what the tap says. */
int fc_uf_strand_end(struct fc_uf_strand *strand, uint64_t ns);
void fc_uf_strand_deinit(struct fc_uf_strand *strand);

/*
 * It begins with calls open, the outermost first, which the process parent had entered before it
 * forked; 0: the thread itself had, before anything was recorded.
 */
int fc_uf_strand_inherit(struct fc_uf_strand *strand, int parent,
			 const struct fc_uf_frame *frames, size_t nr, uint64_t ns);

/* A record of type ENTRY, EXIT or LOST; func is the function at its address. */
int fc_uf_strand_add(struct fc_uf_strand *strand, const struct fc_uf_record *record,
		     uint32_t func);

/* The thread was taken off its CPU, or is back; within calls only. */
int fc_uf_strand_leave_cpu(struct fc_uf_strand *strand, uint32_t func, uint64_t ns);
int fc_uf_strand_enter_cpu(struct fc_uf_strand *strand, uint64_t ns);

/* Tell the tap all there is. */
int fc_uf_strand_flush(struct fc_uf_strand *strand);

#endif
