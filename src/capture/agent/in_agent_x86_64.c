/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The call for which the agent is at work is told by what its door has on the stack (agent_x86_64.S): by where in the
 * door it was, or by the address that C code returns to there.
 */
#include "capture/agent/in_agent_x86_64.h"

#include "capture/agent/base/config.h"
#include "capture/agent/base/machine.h"
#include "capture/agent/base/site.h"
#include "capture/agent/in_stub_x86_64.h"
#include "capture/agent/strand/entries.h"
#include "capture/agent/strand/roll.h"

/* agent_x86_64.S: where a door calls the agent's C code, the offset in the image that this returns to. */
struct door_back {
	uint32_t at;
	uint32_t is_exit; /* its call has returned */
};

/* The last one is behind all of the agent. */
extern __attribute__((visibility("hidden"))) const struct door_back agent_backs[];

/* The door's, where a word is such an address. NULL: it is none. */
static const struct door_back *find_back(uint64_t word)
{
	enum { BEHIND_ALL = 0xffffffff };
	const struct door_back *back = agent_backs;
	while (back->at != BEHIND_ALL && word != (uint64_t)&agent_head + back->at)
		back++;
	return back->at != BEHIND_ALL ? back : NULL;
}

/*
 * Just above it, rbp is pushed twice, which names what is above that and above what was left out
 * to align the stack. In a dead frame's bytes anything else may have come to its place.
 */
static bool is_call_of_door(const uint64_t *word, uint64_t at)
{
	return find_back(word[0]) && word[1] == word[2] && word[1] - (at + 3 * 8) <= 8;
}

/* What a door saved when it called the agent's C code, which was interrupted. False: no door. */
static bool saved_above(int tid, uint64_t rsp, bool *is_exit, struct agent_saved *ret)
{
	enum { DEPTH = 512, NR = 32, OF_DOOR = 3 }; /* words: the agent's functions take less */
	/* No further than the stack goes; its first page may be all that is known of it. */
	const struct strand *own = strand_holding(tid, rsp);
	uint64_t end = own ? own->high : (rsp | (FCA_PAGE - 1)) + 1, words[NR];
	if (end - rsp > DEPTH * 8)
		end = rsp + DEPTH * 8;
	*is_exit = false;
	for (uint64_t at = rsp; at + OF_DOOR * 8 < end; at += (NR - OF_DOOR + 1) * 8) {
		uint64_t nr = (end - at) / 8 < NR ? (end - at) / 8 : NR;
		if (!copy_from(at, words, nr * 8))
			return false;
		for (uint64_t i = 0; i + OF_DOOR <= nr; i++) {
			if (!is_call_of_door(&words[i], at + i * 8))
				continue;
			*is_exit = find_back(words[i])->is_exit;
			return copy_from(words[i + 1], ret, sizeof(*ret));
		}
	}
	return false;
}

bool is_in_agent(uint64_t address)
{
	uint64_t start = (uint64_t)&agent_head;
	return address - start < (uint64_t)&agent_config - start;
}

/* agent_x86_64.S: from an offset of the agent on, where the slot is. */
struct door_place {
	uint32_t at;
	int32_t words;
};

/* Ascending; the last is behind all of the agent. */
extern __attribute__((visibility("hidden"))) const struct door_place agent_doors[];

/* The call for which the agent is at work. */
struct at_work {
	uint64_t slot, go, rbp;
	struct agent_saved saved; /* if it is C code; a door uses rbp alone */
	bool is_saved, is_exit;
};

/* A door itself was interrupted: *ret is for whom. False: it was none. */
static bool find_door(const struct sigframe *f, struct at_work *ret)
{
	enum {
		BY_RBP = -1,
		NO_SLOT = -2,
		UNMOVED = -3,
		RAX_IS_GO = 3,
		RBP_ON_TOP = 12,
		GO = 4, /* words below the slot */
		UNMOVED_WORDS = 3
	};
	uint64_t off = f->rip - (uint64_t)&agent_head;
	const struct door_place *place = agent_doors;
	while (place[1].at <= off)
		place++;
	if (place->at > off || place->words == NO_SLOT)
		return false;
	if (place->words == BY_RBP) {
		if (!copy_from(f->rbp, &ret->saved, sizeof(ret->saved)))
			return false;
		ret->rbp = ret->saved.rbp;
		ret->slot = frame_slot(&ret->saved.frame);
	} else {
		int32_t words = place->words == UNMOVED ? UNMOVED_WORDS : place->words;
		ret->rbp = place->words == RBP_ON_TOP ? word_at(f->rsp) : f->rbp;
		ret->slot = f->rsp + (uint64_t)words * 8;
	}
	ret->is_saved = false;
	ret->go = place->words == RAX_IS_GO ? f->rax : word_at(ret->slot - GO * 8);
	ret->is_exit = off >= agent_head.result;
	return true;
}

/* What the agent works for, which was interrupted. */
static bool find_work(const struct strand *s, const struct sigframe *f, struct at_work *ret)
{
	if (find_door(f, ret))
		return true;
	if (!saved_above(s->tid, f->rsp, &ret->is_exit, &ret->saved))
		return false;
	ret->is_saved = true;
	ret->slot = frame_slot(&ret->saved.frame);
	ret->go = ret->saved.frame.go;
	ret->rbp = ret->saved.rbp;
	return true;
}

static void take_back_saved(struct sigframe *f, const struct at_work *work)
{
	enum { R12 = 4, R13, R14, R15 };
	f->rbp = work->rbp;
	if (!work->is_saved)
		return;
	f->rbx = work->saved.rbx;
	f->r8_to_r15[R12] = work->saved.r12;
	f->r8_to_r15[R13] = work->saved.r13;
	f->r8_to_r15[R14] = work->saved.r14;
	f->r8_to_r15[R15] = work->saved.r15;
}

/*
 * Signals are blocked where the agent has something half done, so it is as before or behind
 * that. It is only left, never gone back to.
 */
void leave_agent(const struct strand *s, struct sigframe *f)
{
	struct at_work work;
	if (!find_work(s, f, &work))
		return;
	struct stub stub = { 0 };
	bool is_entry = !work.is_exit && find_stub(work.go, &stub);
	uint64_t ret = work.is_exit ? word_at(work.slot) : 0;
	bool is_open = work.is_exit && agent_is_site(ret);
	struct fca_shadow *e = is_open ? strand_find_slot(work.slot) : NULL;
	if (work.is_exit ? is_open && !e : !is_entry)
		return;
	if (is_open)
		set_word_at(work.slot, ret = e->ret);
	take_back_saved(f, &work);
	if (is_entry && stub.kind == FC_STUB_PROBE) {
		leave_probe(f, &stub, work.slot);
		return;
	}
	f->rip = work.is_exit ? ret : stub.entry;
	f->rsp = work.slot + work.is_exit * 8;
}

void keep_exit(struct strand *s, const struct sigframe *f)
{
	struct at_work work;
	if (!find_work(s, f, &work) || !work.is_exit)
		return;
	struct strand *own = strand_holding(s->tid, work.slot);
	if (own)
		own->leaving = work.slot;
}
