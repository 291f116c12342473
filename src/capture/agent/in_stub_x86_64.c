/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How far a stub was when a signal came is told by the instruction pointer; what it had done is then completed or
 * undone, and the interrupted context becomes one that an unwinder knows:
 *
 *   in a stub's entry    about to execute the function's first instruction
 *   in a stub's exit     returned to the caller
 *
 * A handler that returns after all goes on from there, and nothing is lost.
 */
#include "capture/agent/in_stub_x86_64.h"

#include "capture/agent/base/config.h"
#include "capture/agent/base/machine.h"
#include "capture/agent/base/site.h"
#include "capture/agent/strand/edge.h"
#include "capture/agent/strand/entries.h"
#include "capture/agent/strand/record.h"
#include "capture/agent/strand/roll.h"

enum {
	ZF = 1 << 6,
};

static const struct fca_pool *pool_of(uint64_t address)
{
	for (uint32_t i = 0; i < agent_config.nr_pools; i++)
		if (address - agent_config.pools[i].lo <
		    agent_config.pools[i].hi - agent_config.pools[i].lo)
			return &agent_config.pools[i];
	return NULL;
}

/* The stub that an address lies in, by its pool's ledger: the last that begins before it. */
bool find_stub(uint64_t address, struct stub *ret)
{
	const struct fca_pool *pool = pool_of(address);
	const struct fca_patch *owner = NULL;
	if (!pool)
		return false;
	const uint32_t *ledger = (uint32_t *)(pool->lo + FCA_POOL_LEDGER * 8);
	const struct fca_patch *patches = (struct fca_patch *)(pool->lo + ledger[0]);
	for (uint32_t i = 0; i < ledger[1]; i++)
		if (patches[i].window && patches[i].stub <= address - pool->lo &&
		    (!owner || patches[i].stub > owner->stub))
			owner = &patches[i];
	if (!owner)
		return false;
	*ret = (struct stub){ pool->lo + owner->stub, owner->taddr, owner->kind };
	return true;
}

/* ---- the word that it reserved ---- */

/*
 * The stub's reserved word, if it really is one: the frame may be a dead one's bytes. Words
 * that are not written yet lie between the ring's tail and the cursor, or are held.
 */
static uint64_t *reserved_word(uint64_t rcx)
{
	struct strand *s = strand_of_word(rcx - 8);
	uint64_t *word = (uint64_t *)(rcx - 8);
	if (!s || *word)
		return NULL;
	uint64_t at = s->words_before + (uint64_t)(word - s->words);
	if (word >= s->cursor)
		at -= agent_config.ring_words;
	return at >= s->ring->tail || strand_is_held(s, word - s->words) ? word : NULL;
}

/* Before the record that follows, which is of the handler. */
static uint64_t time_before(const uint64_t *word)
{
	const struct strand *s = strand_of_word((uint64_t)word);
	uint64_t place = word - s->words;
	if (place + 1 == agent_config.ring_words || strand_is_held(s, place) ||
	    fc_record_kind(word[1]) == FC_PAD || !fc_record_kind(word[1]))
		return read_clock();
	return fc_record_tick(word[1]) - 1;
}

static void write_word(uint64_t *word, uint64_t value)
{
	if (word)
		__atomic_store_n(word, value, __ATOMIC_RELEASE);
}

static void write_record(uint64_t *word, uint32_t func, enum fc_kind kind)
{
	if (word)
		write_word(word, fc_record(time_before(word), func, kind));
}

static bool is_reserved(const struct sigframe *f, uint64_t off, uint64_t tried, uint64_t end)
{
	return off == tried ? f->eflags & ZF : off > tried && off < end;
}

/* ---- at an entry, or an exit ---- */

/* The function has not begun: it is to be entered once more. */
static void rewind_entry(struct sigframe *f, const struct stub *stub, uint64_t off,
			 uint64_t slot)
{
	bool is_reserved_ = is_reserved(f, off, CALL_TRIED, CALL_EXIT);
	uint64_t *word = off < CALL_RECORDED && is_reserved_ ? reserved_word(f->rcx) : NULL;
	if (is_reserved_ && off >= CALL_PUSHED) {
		struct fca_shadow *e = strand_find_slot(slot);
		if (e)
			e->ret = SHADOW_RESTARTED(stub->at);
		write_record(word, agent_site_func(stub->at + CALL_EXIT), FC_ENTRY);
	} else {
		write_word(word, FC_PAD);
	}
	if (off >= CALL_LOADED)
		sigframe_take_back(f, slot);
	f->rsp = slot;
	f->rip = stub->entry;
}

/* The function has returned: let the stub have done so, too. */
static void finish_exit(struct sigframe *f, const struct stub *stub, uint64_t off,
			uint64_t slot)
{
	bool is_reserved_ = is_reserved(f, off, CALL_EXIT_TRIED, CALL_SPECIAL_EXIT);
	bool is_popped = is_reserved_ && off >= CALL_EXIT_POPPED;
	uint64_t *word =
		off < CALL_EXIT_RECORDED && is_reserved_ ? reserved_word(f->rcx) : NULL;
	uint64_t ret;
	if (is_popped) {
		ret = off < CALL_EXIT_STORED ? f->rax : word_at(slot);
		write_record(word, agent_site_func(stub->at + CALL_EXIT), FC_EXIT);
	} else {
		/* Its shadow entry, being no longer armed, is popped as others that were left. */
		struct fca_shadow *e = strand_find_slot(slot);
		if (!e)
			return;
		ret = e->ret;
		set_word_at(slot, ret);
		write_word(word, FC_PAD);
	}
	if (off >= CALL_EXIT_LOADED)
		sigframe_take_back(f, slot);
	f->rsp = slot + 8;
	f->rip = ret;
}

/*
 * Among the moved instructions. All but the last keep their length, as long as none is a
 * branch. Behind the first of them the function's own bytes are written over: nothing may go
 * on from there.
 */
static void leave_body(struct sigframe *f, const struct stub *stub, uint64_t off,
		       enum fca_unwind unwind)
{
	enum { JMP = 0xe9, JMP_SIZE = 5, MAX_WINDOW = 32 };
	uint64_t entry = stub->entry;
	if (off && unwind != FCA_UNWIND_FORCES &&
	    !(unwind == FCA_UNWIND_RAISES && sigframe_is_fault(f)))
		return;
	uint64_t back = f->rip + JMP_SIZE + (uint64_t) * (int32_t *)(f->rip + 1);
	if (*(uint8_t *)f->rip == JMP && back - entry < MAX_WINDOW)
		f->rip = back;
	else if (off < MAX_WINDOW)
		f->rip = entry + off;
}

/* It will be counted once more. */
static void uncount(const struct strand *s, uint64_t func)
{
	if (s->counts && func < agent_config.nr_counters)
		s->counts[func]--;
}

/* The same of a call by this caller, of any strand of the thread. */
static void uncount_edge(struct strand *s, uint64_t ret, uint32_t func)
{
	if (edge_uncount(s, ret, func))
		return;
	struct strand *t;
	for (uint32_t i = 0; (t = strand_next(s->tid, &i));)
		if (t != s && edge_uncount(t, ret, func))
			return;
}

/* Behind the body: where the call is counted that is not recorded. False: not there. */
static bool leave_counted(const struct strand *s, struct sigframe *f, const struct stub *stub,
			  uint64_t off, uint64_t body_off, uint64_t id_off)
{
	uint64_t counted =
		CALL_SWITCHED + (uint64_t) * (const int32_t *)(stub->at + CALL_SWITCH);
	if (off < counted || counted == body_off)
		return false;
	off -= counted;
	if (off >= COUNTED_DONE && off < COUNTED_NONE)
		uncount(s, *(const uint32_t *)(stub->at + id_off) >> FC_RECORD_KIND_BITS);
	if (off >= COUNTED_LOADED)
		f->rax = word_at(f->rsp - 8);
	f->rip = stub->entry;
	return true;
}

/* ---- in the code that is about values ---- */

/* The code of a stub that is about values: offsets from the stub's start. */
struct values {
	uint64_t begin; /* of what takes them without the agent */
	uint64_t tried; /* behind the instruction that reserves words for them */
	uint64_t
		end; /* of all that takes them, but for its last part: TAKEN_..., PASSED_..., LEFT_... */
	uint64_t agent; /* of what asks the agent for them: the same as begin, or behind it */
};

static bool is_call(const struct stub *stub)
{
	return stub->kind == FC_STUB_CALL;
}

/* The stub jumps to it. False: it has none. */
static bool find_values(const struct stub *stub, bool is_exit, struct values *ret)
{
	enum { JMP = 0xe9, JMP_SIZE = 5, SUB = 0x48 };
	uint64_t place = is_exit ? CALL_AGAIN : CALL_SWITCHED;
	const uint8_t *code = (const uint8_t *)stub->at;
	if (code[place] != JMP)
		return false;
	uint64_t begin = place + JMP_SIZE + (uint64_t) * (const int32_t *)(code + place + 1);
	*ret = (struct values){ begin, begin, begin, begin };
	if (code[begin + VALUES_LOWERED] == SUB)
		return true;
	/* Its first check leads to where the agent is asked. */
	uint64_t off = begin + (is_exit ? EXITED_NESTS : VALUED_NESTS);
	uint64_t slow = off + 4 + (uint64_t) * (const int32_t *)(code + off);
	ret->agent = is_exit ? slow - VALUES_LOWERED : slow + TAKEN_SIZE - TAKEN_SLOW;
	ret->end = ret->agent - (is_exit	 ? LEFT_SIZE
				 : is_call(stub) ? TAKEN_SIZE
						 : PASSED_SIZE);
	const struct fca_fetches *fetches =
		(const struct fca_fetches *)(code + ret->agent + VALUES_FETCHES);
	ret->tried = begin + fetches->tried;
	return true;
}

/* The words of a mark, which are reserved with its record. Of a call that counts it is written. */
static void finish_mark(const struct sigframe *f, const uint8_t *last, uint64_t head,
			uint64_t head_is, bool counts)
{
	const uint64_t *word = reserved_word(f->rcx);
	uint64_t off = (uint64_t) * (const int32_t *)(last + head);
	uint32_t is = *(const uint32_t *)(last + head_is);
	if (!word)
		return;
	uint32_t more = (uint32_t)(-off / 8) - 2;
	write_word((uint64_t *)(f->rcx + off), counts ? fc_record(time_before(word), 0, 0) + is
						      : fc_record(0, more, FC_PAD));
}

/* The same of one that is hooked at its entry only. It counts when its record is written. */
static uint64_t leave_passed(const struct sigframe *f, const struct stub *stub,
			     const struct values *values, uint64_t off)
{
	uint64_t last = values->end, recorded = last + PASSED_RECORDED;
	if (off >= recorded && off < last + PASSED_SLOW)
		return ONLY_RECORDED;
	if (!is_reserved(f, off, values->tried, recorded))
		return ONLY_LOADED;
	if (off < last + PASSED_HEAD + sizeof(int32_t))
		finish_mark(f, (const uint8_t *)stub->at + last, PASSED_HEAD, PASSED_HEAD_IS,
			    false);
	return ONLY_TRIED + 1;
}

/* In the code that takes values: the same place of a stub that takes none. */
static uint64_t leave_taken(const struct sigframe *f, const struct stub *stub,
			    const struct values *values, bool is_exit, uint64_t off)
{
	uint64_t last = values->end;
	uint64_t counts = last + (is_exit ? LEFT_POPPED : TAKEN_PUSHED);
	uint64_t recorded = last + (is_exit ? LEFT_RECORDED : TAKEN_RECORDED);
	uint64_t slow = last + (is_exit ? LEFT_SIZE : TAKEN_SLOW);
	if (off >= recorded && off < slow)
		return is_exit ? CALL_EXIT_RECORDED : CALL_RECORDED;
	if (!is_reserved(f, off, values->tried, recorded))
		return is_exit ? CALL_EXIT_LOADED : CALL_LOADED;
	uint64_t head = is_exit ? LEFT_HEAD : TAKEN_HEAD;
	if (off < last + head + sizeof(int32_t)) /* else it is written */
		finish_mark(f, (const uint8_t *)stub->at + last, head,
			    is_exit ? LEFT_HEAD_IS : TAKEN_HEAD_IS, off >= counts);
	if (off < counts) /* the next instruction's, which takes it for reserved */
		return is_exit ? CALL_EXIT_TRIED + 1 : CALL_TRIED + 1;
	if (!is_exit)
		return CALL_PUSHED;
	return off < last + LEFT_STORED ? CALL_EXIT_POPPED : CALL_EXIT_STORED;
}

/* In the code that is about values: *off becomes the same place of a stub that has none. */
static bool leave_values(struct sigframe *f, const struct stub *stub, bool is_exit,
			 uint64_t *off)
{
	struct values values;
	if (!find_values(stub, is_exit, &values) || *off < values.begin ||
	    *off >= values.agent + VALUES_FETCHES)
		return false;
	bool is_taken = *off < values.agent;
	uint64_t at = *off - (is_taken ? values.begin : values.agent);
	if (is_taken && at >= VALUED_LOADED) {
		*off = is_call(stub) ? leave_taken(f, stub, &values, is_exit, *off)
				     : leave_passed(f, stub, &values, *off);
		return true;
	}
	if (!is_taken && at >= VALUES_LOWERED && at < VALUES_GO) {
		f->rsp += at > VALUES_LOWERED ? SPECIAL_LOWERS : 0;
		*off = is_exit ? CALL_EXIT_LOADED : CALL_LOADED;
		return true;
	}
	*off = is_exit ? CALL_AGAIN : CALL_SWITCHED;
	return true;
}

/* ---- kinds of stubs ---- */

static void rewind_count(const struct strand *s, struct sigframe *f, const struct stub *stub,
			 uint64_t off, enum fca_unwind unwind)
{
	uint64_t body = COUNT_BODY;
	if (off > body) {
		leave_body(f, stub, off - body, unwind);
		return;
	}
	if (off >= COUNT_DONE)
		uncount(s, *(uint32_t *)(stub->at + COUNT_AT) / 8);
	if (off > COUNT_LOWERED && off < COUNT_FOUND)
		f->rsp += SPECIAL_LOWERS;
	if (off >= COUNT_LOADED && off < body)
		f->rax = word_at(f->rsp - 8);
	f->rip = stub->entry;
}

static void rewind_edge(struct strand *s, struct sigframe *f, const struct stub *stub,
			uint64_t off, enum fca_unwind unwind)
{
	uint64_t body = EDGE_BODY;
	if (off > body) {
		leave_body(f, stub, off - body, unwind);
		return;
	}
	if (off > EDGE_LOWERED && off < EDGE_NEXT)
		f->rsp += SPECIAL_LOWERS;
	if (off >= EDGE_DONE)
		uncount_edge(s, word_at(f->rsp), *(const uint32_t *)(stub->at + EDGE_ID));
	if (off >= EDGE_LOADED && off < body)
		sigframe_take_back(f, f->rsp);
	f->rip = stub->entry;
}

static void rewind_call(const struct strand *s, struct sigframe *f, const struct stub *stub,
			uint64_t off, enum fca_unwind unwind)
{
	if (!leave_values(f, stub, false, &off))
		leave_values(f, stub, true, &off);
	if (off == CALL_DROPPED)
		rewind_entry(f, stub, off, f->rsp - 8);
	else if (off < CALL_EXIT)
		rewind_entry(f, stub, off, f->rsp);
	else if (off == CALL_EXIT)
		finish_exit(f, stub, off, f->rsp - 8);
	else if (off <= CALL_SPECIAL_EXIT)
		finish_exit(f, stub, off, f->rsp);
	else if (off <= CALL_SPECIAL_EXIT_LAST)
		finish_exit(f, stub, off, f->rsp + SPECIAL_LOWERS);
	else if (off <= CALL_SPECIAL_ENTRY)
		rewind_entry(f, stub, off, f->rsp);
	else if (off < CALL_OFF)
		rewind_entry(f, stub, off, f->rsp + SPECIAL_LOWERS);
	else if (off < CALL_BODY)
		rewind_entry(f, stub, off, f->rsp);
	else if (!leave_counted(s, f, stub, off, CALL_BODY, CALL_ID))
		leave_body(f, stub, off - CALL_BODY, unwind);
}

/* What a probe's stub has reserved below the saved flags. */
static uint64_t probe_room(const struct stub *stub)
{
	const uint8_t *probe = (const uint8_t *)stub->at + ONLY_BODY;
	return (uint64_t) - (int64_t) * (const int32_t *)(probe + PROBE_ROOM);
}

void leave_probe(struct sigframe *f, const struct stub *stub, uint64_t slot)
{
	uint64_t flags = slot + 8 + probe_room(stub);
	f->eflags = word_at(flags);
	f->rsp = flags + 8 + PROBE_RED_ZONE;
	f->rip = stub->entry;
}

/* Around the call that records it: the registers as they were at the probe. */
static void rewind_around(struct sigframe *f, const struct stub *stub, uint64_t off,
			  uint64_t tail)
{
	uint64_t begin = ONLY_BODY + PROBE_BEGIN, lowered = ONLY_BODY + PROBE_LOWERED;
	f->rip = stub->entry;
	if (off >= lowered && off <= tail) {
		if (off >= ONLY_BODY + PROBE_FILL && off < tail)
			f->rax = word_at(f->rsp + probe_room(stub) - 8);
		leave_probe(f, stub, f->rsp - 8);
	} else if (off == ONLY_BODY + PROBE_SAVED || off == ONLY_BODY + PROBE_FORWARD ||
		   off == tail + FIRED_RAISED) {
		f->eflags = word_at(f->rsp);
		f->rsp += 8 + PROBE_RED_ZONE;
	} else if (off != begin && off < tail + FIRED_DONE) {
		f->rsp += PROBE_RED_ZONE;
	}
}

static void rewind_probe(const struct strand *s, struct sigframe *f, const struct stub *stub,
			 uint64_t off, enum fca_unwind unwind)
{
	uint64_t tail = *(const uint16_t *)(stub->at + ONLY_BODY + PROBE_TAIL);
	leave_values(f, stub, false, &off);
	bool is_lowered = off > ONLY_AGENT && off < ONLY_OFF;
	uint64_t slot = is_lowered ? f->rsp + SPECIAL_LOWERS : f->rsp;
	if (off > ONLY_BODY && off < PROBE_BODY) {
		rewind_around(f, stub, off, tail);
		return;
	}
	if (off > ONLY_BODY && !leave_counted(s, f, stub, off, ONLY_BODY, ONLY_ID)) {
		leave_body(f, stub, off - PROBE_BODY, unwind);
		return;
	}
	if (off < ONLY_RECORDED && is_reserved(f, off, ONLY_TRIED, ONLY_AGENT))
		write_word(reserved_word(f->rcx), FC_PAD);
	if (off >= CALL_LOADED && off < ONLY_BODY)
		sigframe_take_back(f, slot);
	leave_probe(f, stub, slot);
}

static void rewind_only(const struct strand *s, struct sigframe *f, const struct stub *stub,
			uint64_t off, enum fca_unwind unwind)
{
	leave_values(f, stub, false, &off);
	bool is_lowered = off > ONLY_AGENT && off < ONLY_OFF;
	uint64_t slot = is_lowered ? f->rsp + SPECIAL_LOWERS : f->rsp;
	if (off >= ONLY_BODY) {
		if (!leave_counted(s, f, stub, off, ONLY_BODY, ONLY_ID))
			leave_body(f, stub, off - ONLY_BODY, unwind);
		return;
	}
	if (off < ONLY_RECORDED && is_reserved(f, off, ONLY_TRIED, ONLY_AGENT))
		write_word(reserved_word(f->rcx), FC_PAD);
	if (off >= CALL_LOADED)
		sigframe_take_back(f, slot);
	f->rsp = slot;
	f->rip = stub->entry;
}

void rewind_stub(struct strand *s, struct sigframe *f, enum fca_unwind unwind)
{
	struct stub stub;
	if (!find_stub(f->rip, &stub))
		return;
	uint64_t off = f->rip - stub.at;
	switch (stub.kind) {
	case FC_STUB_COUNT:
		rewind_count(s, f, &stub, off, unwind);
		break;
	case FC_STUB_EDGE:
		rewind_edge(s, f, &stub, off, unwind);
		break;
	case FC_STUB_CALL:
		rewind_call(s, f, &stub, off, unwind);
		break;
	case FC_STUB_PROBE:
		rewind_probe(s, f, &stub, off, unwind);
		break;
	default:
		rewind_only(s, f, &stub, off, unwind);
	}
}

void leave_detour(struct sigframe *f)
{
	enum { JMP = 0xe9, JMP_SIZE = 5, SAVED_RCX = 2 * 8, SAVED_RDX = 3 * 8 };
	const struct fca_pool *pool = pool_of(f->rip);
	if (!pool || f->rip < pool->lo + FCA_POOL_HEAD || *(uint64_t *)pool->lo)
		return;
	uint64_t off = (f->rip - pool->lo - FCA_POOL_HEAD) % DETOUR_SIZE;
	const uint8_t *detour = (const uint8_t *)f->rip - off;
	const uint8_t *back = detour + DETOUR_SIZE - JMP_SIZE;
	if (*detour == COUNTS_DETOUR_FIRST && off >= COUNTS_DETOUR_SAVED) {
		f->rcx = word_at(f->rsp - SAVED_RCX);
		f->rdx = word_at(f->rsp - SAVED_RDX);
	}
	f->rip = (uint64_t)back + JMP_SIZE + (uint64_t) * (const int32_t *)(back + 1);
}

void leave_stub(struct sigframe *f)
{
	struct stub stub;
	if (!find_stub(f->rip, &stub) || stub.kind == FC_STUB_COUNT ||
	    stub.kind == FC_STUB_EDGE)
		return;
	uint64_t off = f->rip - stub.at;
	bool has_exit = is_call(&stub);
	if (!leave_values(f, &stub, false, &off) && has_exit)
		leave_values(f, &stub, true, &off);
	if (has_exit && off >= CALL_EXIT) {
		if (off >= CALL_EXIT_RECORDED ||
		    !is_reserved(f, off, CALL_EXIT_TRIED, CALL_SPECIAL_EXIT))
			return;
		uint64_t *word = reserved_word(f->rcx);
		if (off >= CALL_EXIT_POPPED)
			write_record(word, agent_site_func(stub.at + CALL_EXIT), FC_EXIT);
		else
			write_word(word, FC_PAD);
		return;
	}
	if (has_exit ? off < CALL_RECORDED && is_reserved(f, off, CALL_TRIED, CALL_EXIT)
		     : off < ONLY_RECORDED && is_reserved(f, off, ONLY_TRIED, ONLY_AGENT))
		write_word(reserved_word(f->rcx), FC_PAD);
}
