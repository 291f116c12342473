/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An unwinder that was called by a signal handler walks on into what the signal interrupted.
 * That may be a stub, for which there is no unwind information. What the stub had done is
 * then completed or undone, and the interrupted context becomes one that the unwinder knows:
 *
 *   in a stub's entry    about to execute the function's first instruction
 *   in a stub's exit     returned to the caller
 *
 * A handler that returns after all goes on from there, and nothing is lost.
 */
#include "capture/agent/rewind.h"

#include "capture/agent/base/config.h"
#include "capture/agent/base/machine.h"
#include "capture/agent/base/site.h"
#include "capture/agent/strand/edge.h"
#include "capture/agent/strand/entries.h"
#include "capture/agent/strand/load.h"
#include "capture/agent/strand/record.h"
#include "capture/agent/strand/roll.h"

/* The kernel's struct rt_sigframe (arch/x86/include/asm/sigframe.h), as far as asked. */
struct sigframe {
	uint64_t restorer;
	uint64_t uc_flags, uc_link, ss_sp, ss_flags, ss_size;
	uint64_t r8_to_r15[8], rdi, rsi, rbp, rbx, rdx, rax, rcx, rsp, rip, eflags;
	uint16_t cs, gs, fs, ss;
	uint64_t err, trapno, oldmask, cr2, fpstate, reserved[8], sigmask;
	uint32_t signo; /* of its siginfo, which is only written for handlers with SA_SIGINFO */
};

_Static_assert(offsetof(struct sigframe, rip) == 8 + 40 + 128, "as the kernel has it");
_Static_assert(offsetof(struct sigframe, signo) == 8 + 304, "as the kernel has it");

enum {
	ZF = 1 << 6,
	ALWAYS_SET = 1 << 1, /* of eflags */
	USER_CS = 0x33,
	MAX_UC_FLAGS = 7,
	MAX_FPSTATE = 16 * 1024, /* above the frame, and what may lie between */
	MAX_WORDS = 64 * 1024,	 /* of a stack that are looked at */
	MAX_STACKS = 4,
};

/* Wherever it stands. */
static bool is_signal(const struct sigframe *f)
{
	return f->cs == USER_CS && !f->gs && !f->fs && f->eflags & ALWAYS_SET &&
	       f->uc_flags <= MAX_UC_FLAGS && !f->uc_link && !(f->fpstate & 63);
}

static bool is_frame(const struct sigframe *f, uint64_t at)
{
	return is_signal(f) && f->fpstate - at < MAX_FPSTATE;
}

static const struct fca_pool *pool_of(uint64_t address)
{
	for (uint32_t i = 0; i < agent_config.nr_pools; i++)
		if (address - agent_config.pools[i].lo <
		    agent_config.pools[i].hi - agent_config.pools[i].lo)
			return &agent_config.pools[i];
	return NULL;
}

/* A stub, and where the jump to it was put over a function's code. */
struct stub {
	uint64_t at, entry;
	enum fc_stub_kind kind;
};

/* The stub that an address lies in, by its pool's ledger: the last that begins before it. */
static bool find_stub(uint64_t address, struct stub *ret)
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

/*
 * Where a signal's frame leads to. If what looks like one is a dead one's bytes, that need not be there any
 * more: then it is nobody's, and what is made of it does not matter. In quiet the kernel may not be asked.
 */
static bool copy_from(uint64_t at, void *ret, uint64_t size)
{
	struct {
		uint64_t base, size;
	} local = { (uint64_t)ret, size }, remote = { at, size };
	if (!agent_config.is_quiet)
		return syscall6(NR_process_vm_readv, syscall1(NR_gettid, 0), (long)&local, 1,
				(long)&remote, 1, 0) == (long)size;
	for (uint64_t i = 0; i < size / 8; i++)
		((uint64_t *)ret)[i] = ((const volatile uint64_t *)at)[i];
	return true;
}

static void copy_to(uint64_t at, const void *from, uint64_t size)
{
	struct {
		uint64_t base, size;
	} local = { (uint64_t)from, size }, remote = { at, size };
	if (!agent_config.is_quiet) {
		syscall6(NR_process_vm_writev, syscall1(NR_gettid, 0), (long)&local, 1,
			 (long)&remote, 1, 0);
		return;
	}
	for (uint64_t i = 0; i < size / 8; i++)
		((volatile uint64_t *)at)[i] = ((const uint64_t *)from)[i];
}

/* A word there. 0: there is none. */
static uint64_t word_at(uint64_t at)
{
	uint64_t word;
	return copy_from(at, &word, sizeof(word)) ? word : 0;
}

static void set_word_at(uint64_t at, uint64_t word)
{
	copy_to(at, &word, sizeof(word));
}

static void take_back_registers(struct sigframe *f, uint64_t slot)
{
	enum { RDX, RCX, RAX, NR };
	uint64_t saved[NR];
	if (!copy_from(slot - sizeof(saved), saved, sizeof(saved)))
		return;
	f->rax = saved[RAX];
	f->rcx = saved[RCX];
	f->rdx = saved[RDX];
}

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

/*
 * glibc's handler of SIGCANCEL calls an unwinder in order to end the thread: also where the
 * unwinder has no name, and so is not known to be one that does not return.
 */
static bool is_cancel(const struct sigframe *f)
{
	enum { SIGCANCEL = 32 };
	return f->signo == SIGCANCEL;
}

static bool is_reserved(const struct sigframe *f, uint64_t off, uint64_t tried, uint64_t end)
{
	return off == tried ? f->eflags & ZF : off > tried && off < end;
}

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
		take_back_registers(f, slot);
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
		take_back_registers(f, slot);
	f->rsp = slot + 8;
	f->rip = ret;
}

/* An instruction's fault, or one that was signalled earlier: the kernel keeps the last. */
static bool is_fault(const struct sigframe *f)
{
	return f->trapno != 0;
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
	if (off && unwind != FCA_UNWIND_FORCES && !(unwind == FCA_UNWIND_RAISES && is_fault(f)))
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

/* The code of a stub that is about values: offsets from the stub's start. */
struct values {
	uint64_t begin; /* of what takes them without the agent */
	uint64_t tried; /* behind the instruction that reserves words for them */
	uint64_t end;	/* of all that takes them, but for its last part: TAKEN_..., LEFT_... */
	uint64_t agent; /* of what asks the agent for them: the same as begin, or behind it */
};

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
	ret->end = ret->agent - (is_exit ? LEFT_SIZE : TAKEN_SIZE);
	const struct fca_fetches *fetches =
		(const struct fca_fetches *)(code + ret->agent + VALUES_FETCHES);
	ret->tried = begin + fetches->tried;
	return true;
}

/* The words of a mark, which are reserved with its record. Of a call that counts it is written. */
static void finish_mark(const struct sigframe *f, const uint8_t *last, bool is_exit,
			bool counts)
{
	const uint64_t *word = reserved_word(f->rcx);
	uint64_t off =
		(uint64_t) * (const int32_t *)(last + (is_exit ? LEFT_HEAD : TAKEN_HEAD));
	uint32_t is = *(const uint32_t *)(last + (is_exit ? LEFT_HEAD_IS : TAKEN_HEAD_IS));
	if (!word)
		return;
	uint32_t more = (uint32_t)(-off / 8) - 2;
	write_word((uint64_t *)(f->rcx + off), counts ? fc_record(time_before(word), 0, 0) + is
						      : fc_record(0, more, FC_PAD));
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
	finish_mark(f, (const uint8_t *)stub->at + last, is_exit, off >= counts);
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
		*off = leave_taken(f, stub, &values, is_exit, *off);
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
		take_back_registers(f, f->rsp);
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
		take_back_registers(f, slot);
	f->rsp = slot;
	f->rip = stub->entry;
}

/* agent_x86_64.S: where a door calls the agent's C code, the offset in the image that this returns to. */
struct door_back {
	uint32_t at;
	uint32_t is_exit; /* its call has returned */
};

extern __attribute__((visibility("hidden"))) const struct door_back agent_backs[];
extern __attribute__((visibility("hidden"))) const struct door_back agent_backs_end[];

/* The door's, where a word is such an address. NULL: it is none. */
static const struct door_back *find_back(uint64_t word)
{
	for (const struct door_back *back = agent_backs; back < agent_backs_end; back++)
		if (word == (uint64_t)&agent_head + back->at)
			return back;
	return NULL;
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

static bool is_in_agent(uint64_t address)
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
		ret->slot = (uint64_t)frame_slot(&ret->saved.frame);
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
	ret->slot = (uint64_t)frame_slot(&ret->saved.frame);
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
static void leave_agent(const struct strand *s, struct sigframe *f)
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
	f->rip = work.is_exit ? ret : stub.entry;
	f->rsp = work.slot + work.is_exit * 8;
}

/* The agent will go on to return by the shadow entry of this slot: it must stay as it is. */
static void keep_exit(struct strand *s, const struct sigframe *f)
{
	struct at_work work;
	if (!find_work(s, f, &work) || !work.is_exit)
		return;
	struct strand *own = strand_holding(s->tid, work.slot);
	if (own)
		own->leaving = work.slot;
}

/* In a detour: as if the stub had read %gs itself. */
static void leave_detour(struct sigframe *f, const struct fca_pool *pool)
{
	enum { JMP = 0xe9, JMP_SIZE = 5, SAVED_RCX = 2 * 8, SAVED_RDX = 3 * 8 };
	uint64_t off = (f->rip - pool->lo - FCA_POOL_HEAD) % DETOUR_SIZE;
	const uint8_t *detour = (const uint8_t *)f->rip - off;
	const uint8_t *back = detour + DETOUR_SIZE - JMP_SIZE;
	if (*detour == COUNTS_DETOUR_FIRST && off >= COUNTS_DETOUR_SAVED) {
		f->rcx = word_at(f->rsp - SAVED_RCX);
		f->rdx = word_at(f->rsp - SAVED_RDX);
	}
	f->rip = (uint64_t)back + JMP_SIZE + (uint64_t) * (const int32_t *)(back + 1);
}

static void rewind(struct strand *s, struct sigframe *f, enum fca_unwind unwind)
{
	const struct fca_pool *pool = pool_of(f->rip);
	if (pool && f->rip >= pool->lo + FCA_POOL_HEAD && !*(uint64_t *)pool->lo)
		leave_detour(f, pool);
	if (is_in_agent(f->rip)) {
		if (unwind == FCA_UNWIND_FORCES)
			leave_agent(s, f);
		else
			keep_exit(s, f);
		return;
	}
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
	default:
		rewind_only(s, f, &stub, off, unwind);
	}
}

/* A part of a stack: itself where it is there for certain, else a copy of it. */
struct view {
	uint64_t sure;	   /* below that it is */
	uint64_t from, nr; /* words that are copied */
	uint64_t words[112];
};

/* What could be a frame, at this address. NULL: there is no memory any more. */
static struct sigframe *frame_at(struct view *view, uint64_t at, uint64_t end)
{
	enum { MOST = sizeof(view->words) / 8, FRAME = sizeof(struct sigframe) / 8 };
	_Static_assert(FRAME < MOST, "there is room for one");
	if (at + sizeof(struct sigframe) <= view->sure)
		return (struct sigframe *)at;
	if (at - view->from > view->nr * 8 - sizeof(struct sigframe) || !view->nr) {
		view->from = at;
		view->nr = (end - at) / 8 < MOST ? (end - at) / 8 : MOST;
		bool is_there = copy_from(at, view->words, view->nr * 8);
		uint64_t of_page = (FCA_PAGE - at % FCA_PAGE) / 8;
		if (!is_there && of_page < view->nr) { /* it may end there */
			view->nr = of_page;
			is_there = of_page >= FRAME && copy_from(at, view->words, of_page * 8);
		}
		if (!is_there)
			return NULL;
	}
	return (struct sigframe *)&view->words[(at - view->from) / 8];
}

void rewind_stubs(struct strand *s, uint64_t slot, enum fca_unwind unwind,
		  void (*fn)(struct strand *s, uint64_t slot))
{
	for (int i = 0; s && i < MAX_STACKS; i++) {
		uint64_t from = slot, end = from + MAX_WORDS * 8;
		if (end > s->high)
			end = s->high;
		struct strand *next = NULL;
		/* Of another stack nothing is there for certain; in quiet the unwinder goes on there. */
		struct view view;
		view.nr = view.from = 0;
		view.sure = agent_config.is_quiet ? end : i ? 0 : load_end(s, slot);
		for (uint64_t at = from; at + sizeof(struct sigframe) <= end; at += 8) {
			struct sigframe *f = frame_at(&view, at, end);
			if (!f)
				break;
			if (!is_frame(f, at))
				continue;
			if (is_cancel(f))
				unwind = FCA_UNWIND_FORCES;
			rewind(s, f, unwind);
			if ((uint64_t)f != at)
				copy_to(at, f, sizeof(*f));
			if (f->rsp < s->low || f->rsp >= s->high) {
				next = strand_holding(s->tid, f->rsp);
				slot = f->rsp;
			}
		}
		if (next)
			fn(next, slot);
		s = next;
	}
}

/* ---- left by siglongjmp ---- */

/* Nobody goes on in the stub that this signal has interrupted. */
static void leave_stub(struct sigframe *f)
{
	struct stub stub;
	if (!find_stub(f->rip, &stub) || stub.kind == FC_STUB_COUNT ||
	    stub.kind == FC_STUB_EDGE)
		return;
	uint64_t off = f->rip - stub.at;
	bool is_call = stub.kind == FC_STUB_CALL;
	if (!leave_values(f, &stub, false, &off) && is_call)
		leave_values(f, &stub, true, &off);
	if (is_call && off >= CALL_EXIT) {
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
	if (is_call ? off < CALL_RECORDED && is_reserved(f, off, CALL_TRIED, CALL_EXIT)
		    : off < ONLY_RECORDED && is_reserved(f, off, ONLY_TRIED, ONLY_AGENT))
		write_word(reserved_word(f->rcx), FC_PAD);
}

/* Each frame of a part of a stack; returns the interrupted stack pointer of the last one. */
static uint64_t leave_frames(uint64_t from, uint64_t end)
{
	enum { CHUNK = 128, FRAME = sizeof(struct sigframe) / 8, STEP = CHUNK - FRAME };
	uint64_t words[CHUNK], rsp = 0;
	for (uint64_t at = from; at < end && at - from < MAX_WORDS * 8; at += STEP * 8) {
		uint64_t nr = CHUNK;
		while (nr > FRAME && !copy_from(at, words, nr * 8))
			nr /= 2; /* it may end before */
		for (uint64_t i = 0; i + FRAME <= nr && i < STEP && nr > FRAME; i++) {
			struct sigframe *f = (struct sigframe *)&words[i];
			if (!is_frame(f, at + i * 8))
				continue;
			leave_stub(f);
			rsp = f->rsp;
		}
	}
	return rsp;
}

void rewind_left(const struct strand *s, uint64_t slot, const struct strand *to, uint64_t rsp)
{
	if (agent_config.is_quiet)
		return;
	if (s == to) {
		leave_frames(slot, rsp);
		return;
	}
	uint64_t interrupted = leave_frames(slot, s->high);
	if (interrupted >= to->low && interrupted < rsp)
		leave_frames(interrupted, rsp);
}
