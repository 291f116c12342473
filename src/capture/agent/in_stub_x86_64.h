/* SPDX-License-Identifier: Apache-2.0 */
/* in_stub_x86_64.h - a stub that a signal has interrupted, for which there is no unwind information. */
#ifndef FC_CAPTURE_AGENT_IN_STUB_X86_64_H
#define FC_CAPTURE_AGENT_IN_STUB_X86_64_H

#include "capture/agent/sigframe_x86_64.h"
#include "capture/agent/strand/strand.h"

/* A stub, and where the jump to it was put over a function's code. */
struct stub {
	uint64_t at, entry;
	enum fc_stub_kind kind;
};

/* The stub that an address lies in. False: it is in none. */
bool find_stub(uint64_t address, struct stub *ret);
/* In a detour, as if the stub had read %gs itself. Elsewhere nothing. */
void leave_detour(struct sigframe *f);
/* What it had done is completed or undone: the frame is that of a function, at its start or after its return. */
void rewind_stub(struct strand *s, struct sigframe *f, enum fca_unwind unwind);
/* A probe's stub was recording it, with what it calls for that at slot: about to come to the probe. */
void leave_probe(struct sigframe *f, const struct stub *stub, uint64_t slot);
/* Nobody goes on in the stub: the word that it reserved is written. */
void leave_stub(struct sigframe *f);

#endif
