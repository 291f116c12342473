/* SPDX-License-Identifier: Apache-2.0 */
/* unwinding.h - while return addresses on a stack are the true ones. */
#ifndef FC_CAPTURE_AGENT_STRAND_UNWINDING_H
#define FC_CAPTURE_AGENT_STRAND_UNWINDING_H

#include "capture/agent/strand/strand.h"

/* The calls above this one in the shadow stack were left. */
void strand_pop_to(struct strand *s, struct fca_shadow *top);

/* _Unwind_RaiseException and its kin: they are about to walk the stack, called with a return address at slot. */
void unwinding_begin(struct strand *s, uint64_t slot);
/* They will come to another one, too. Hidden, since its address is taken: else that is in a table, as it was linked. */
__attribute__((visibility("hidden"))) void unwinding_begin_of(struct strand *s, uint64_t slot);
/* A call is seen with its return address at slot: have they finished? */
void unwinding_check(struct strand *s, uint64_t slot);
/*
 * A slicer is about to copy its callers' frames away: what is copied are true return addresses, whoever brings
 * them back, how often, and whether fctrace is there then.
 */
void slicing_begin(struct strand *s, uint64_t slot);
/* It has gone over to where frames come to that it brings back, by a call of this slot. */
void slicing_came(struct strand *s, uint64_t slot);

#endif
