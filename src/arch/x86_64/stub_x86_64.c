/* SPDX-License-Identifier: Apache-2.0 */
/* stub_x86_64.c - emits stubs, from the bytes that stubs_x86_64.S assembles to. */
#include "arch/x86_64/x86_64.h"

#include <assert.h>
#include <string.h>

#include "arch/stub_row.h"
#include "arch/x86_64/stub_bytes_x86_64.h"
#include "base/little.h"
#include "capture/agent/abi.h"
#include "capture/agent/stub_x86_64.h"
#include "trace/record.h"

_Static_assert((int)CALL_SWITCH == (int)ONLY_SWITCH && (int)CALL_RETRY == (int)ONLY_RETRY &&
		       (int)CALL_SWITCHED == (int)ONLY_SWITCHED,
	       "both begin alike");
_Static_assert(sizeof(call_bytes) == CALL_BODY, "it ends with its body");
_Static_assert(sizeof(only_bytes) == ONLY_BODY, "it ends with its body");
_Static_assert(sizeof(count_bytes) == COUNT_BODY, "it ends with its body");
_Static_assert(sizeof(edge_bytes) == EDGE_BODY, "it ends with its body");
_Static_assert((int)VALUED_RETRY == (int)EXITED_RETRY &&
		       (int)VALUED_LOADED == (int)EXITED_LOADED,
	       "both begin alike");
_Static_assert(sizeof(probe_bytes) == PROBE_FILL, "it ends where arguments are gathered");
_Static_assert((int)PASSED_SIZE - (int)PASSED_SLOW == (int)TAKEN_SIZE - (int)TAKEN_SLOW &&
		       (int)PASSED_SIZE <= (int)TAKEN_SIZE,
	       "both end alike");
_Static_assert(sizeof(values_bytes) == VALUES_FETCHES, "it ends with what it asks for");

const uint32_t places_x86_64[FCA_NR_PLACES] = {
	[FCA_PLACE_EXIT] = CALL_EXIT,	     [FCA_PLACE_RETRY] = CALL_RETRY,
	[FCA_PLACE_AGAIN] = CALL_EXIT_RETRY, [FCA_PLACE_BEGIN] = CALL_BEGIN,
	[FCA_PLACE_BODY] = CALL_BODY,	     [FCA_PLACE_ID] = CALL_ID,
	[FCA_PLACE_LOOPS] = CALL_LOOPS,	     [FCA_PLACE_GATE] = CALL_GATE,
	[FCA_PLACE_OTHER_BODY] = ONLY_BODY,  [FCA_PLACE_OTHER_ID] = ONLY_ID,
	[FCA_PLACE_OTHER_GATE] = ONLY_GATE,  [FCA_PLACE_COUNT_BODY] = COUNT_BODY,
	[FCA_PLACE_COUNT] = COUNT_AT,	     [FCA_PLACE_EDGE_BODY] = EDGE_BODY,
	[FCA_PLACE_EDGE_ID] = EDGE_ID,	     [FCA_PLACE_FETCHES] = VALUES_FETCHES - VALUES_GO,
};

/* The rel32 at offset off of the stub names a pointer of the pool's head. */
static void put_pool(const struct fc_stub *stub, uint8_t *ret, size_t off, int pointer)
{
	fc_put_32(ret + off,
		  (uint32_t)(stub->pool_taddr + 8 * pointer - (stub->taddr + off + 4)));
}

/* Where the body begins. */
static size_t head_size(enum fc_stub_kind kind)
{
	static const uint16_t sizes[] = { [FC_SHAPE_CALL] = CALL_BODY,
					  [FC_SHAPE_ENTRY] = ONLY_BODY,
					  [FC_SHAPE_PROBE] = PROBE_BODY,
					  [FC_SHAPE_COUNT] = COUNT_BODY,
					  [FC_SHAPE_EDGE] = EDGE_BODY };
	return sizes[fc_stub_row(kind)->shape];
}

size_t stub_size_x86_64(enum fc_stub_kind kind, const struct fc_window *window, bool can_count)
{
	size_t end = can_count && fc_stub_row(kind)->has_switch ? COUNTED_SIZE : 0;
	return head_size(kind) + window->moved_size + JUMP_SIZE + end;
}

static size_t align_fetches(size_t size)
{
	enum { ALIGN = _Alignof(struct fca_fetches) };
	return (size + ALIGN - 1) / ALIGN * ALIGN;
}

size_t values_size_x86_64(const struct fca_fetches *fetches, bool is_exit)
{
	return _Alignof(struct fca_fetches) + capture_size_x86_64(fetches, is_exit) +
	       VALUES_FETCHES + fca_fetches_size(fetches->nr);
}

/* The jump's distance stands behind it in any case, as what is compared. */
size_t make_switch_x86_64(const uint8_t stub[FC_STUB_BEGIN], bool is_on,
			  uint8_t ret[FC_MAX_SWITCH])
{
	ret[0] = is_on ? SWITCH_ON : SWITCH_OFF;
	return 1;
}

size_t values_off_x86_64(const uint8_t stub[FC_STUB_BEGIN])
{
	_Static_assert(CALL_SWITCHED + JUMP_SIZE <= FC_STUB_BEGIN, "it is there");
	return stub[CALL_SWITCHED] == OP_JMP_REL32
		       ? CALL_SWITCHED + JUMP_SIZE + fc_get_32(stub + CALL_SWITCHED + 1)
		       : 0;
}

static size_t emit_call(const struct fc_stub *stub, uint8_t *ret)
{
	memcpy(ret, call_bytes, sizeof(call_bytes));
	fc_put_32(ret + CALL_ID, (uint32_t)fc_record(0, stub->func, FC_ENTRY));
	fc_put_32(ret + CALL_EXIT_ID, (uint32_t)fc_record(0, stub->func, FC_EXIT));
	ret[CALL_LOOPS] = (uint8_t)(stub->loops | stub->watch << FCA_WATCH_SHIFT);
	if (stub->is_gate) {
		ret[CALL_GATE] = 0;
		ret[CALL_EXIT_CHECK] = OP_JMP_REL8;
	}
	if (stub->watch) { /* as if there were no room */
		ret[CALL_LIMIT] = OP_NOP;
		ret[CALL_LIMIT + 1] = OP_JMP_REL32;
		ret[CALL_EXIT_LIMIT] = OP_JMP_REL8;
	}
	put_pool(stub, ret, CALL_POOL_EXIT, FCA_POOL_EXIT);
	put_pool(stub, ret, CALL_POOL_ENTRY, FCA_POOL_ENTRY);
	return sizeof(call_bytes);
}

static size_t emit_count(const struct fc_stub *stub, uint8_t *ret)
{
	memcpy(ret, count_bytes, sizeof(count_bytes));
	fc_put_32(ret + COUNT_AT, stub->func * 8);
	put_pool(stub, ret, COUNT_POOL, FCA_POOL_COUNT);
	return sizeof(count_bytes);
}

static size_t emit_edge(const struct fc_stub *stub, uint8_t *ret)
{
	memcpy(ret, edge_bytes, sizeof(edge_bytes));
	fc_put_32(ret + EDGE_SCATTER, fca_edge_scatter(stub->func));
	fc_put_32(ret + EDGE_ID, stub->func);
	put_pool(stub, ret, EDGE_POOL, FCA_POOL_EDGE);
	return sizeof(edge_bytes);
}

static size_t emit_other(const struct fc_stub *stub, uint8_t *ret)
{
	const struct fc_stub_row *row = fc_stub_row(stub->kind);
	uint8_t low = row->records ? FC_ENTRY_ONLY : row->tells;
	memcpy(ret, only_bytes, sizeof(only_bytes));
	fc_put_32(ret + ONLY_ID, (uint32_t)fc_record(0, stub->func, 0) | low);
	put_pool(stub, ret, ONLY_POOL, row->door);
	if (stub->is_gate)
		ret[ONLY_GATE] = 0;
	if (row->records && stub->watch) {
		ret[ONLY_LIMIT] = ONLY_WATCHED;
		ret[ONLY_WATCH] = stub->watch;
	}
	if (!row->records)
		make_jump_x86_64(ONLY_RETRY, ONLY_AGENT, ret + ONLY_RETRY);
	return sizeof(only_bytes);
}

/* Around the stub of a function that is hooked at its entry only: what calls it. 0: out of reach. */
static size_t emit_probe(const struct fc_stub *stub, uint8_t *ret)
{
	size_t at = emit_other(stub, ret);
	uint32_t room = probe_room_x86_64(stub);
	uint8_t *begin = ret + at;
	memcpy(begin, probe_bytes, sizeof(probe_bytes));
	fc_put_32(begin + PROBE_ROOM, -room);
	fc_put_32(begin + PROBE_RAX, room - 8);
	at += sizeof(probe_bytes);
	size_t size = emit_gathering_x86_64(stub, stub->taddr + at, ret + at);
	if (size == SIZE_MAX)
		return 0;
	at += size;
	ret[at] = OP_CALL_REL32;
	fc_put_32(ret + at + 1, (uint32_t) - (at + JUMP_SIZE));
	at += JUMP_SIZE;
	uint16_t tail = (uint16_t)at;
	memcpy(begin + PROBE_TAIL, &tail, sizeof(tail));
	memcpy(ret + at, fired_bytes, sizeof(fired_bytes));
	fc_put_32(ret + at + FIRED_ROOM, room);
	fc_put_32(ret + at + FIRED_TO_BODY, (uint32_t)(PROBE_BODY - (at + FIRED_SIZE)));
	at += sizeof(fired_bytes);
	assert(at <= PROBE_BODY);
	memset(ret + at, OP_NOP, PROBE_BODY - at);
	return PROBE_BODY;
}

size_t entry_off_x86_64(enum fc_stub_kind kind)
{
	return fc_stub_row(kind)->shape == FC_SHAPE_PROBE ? ONLY_BODY + PROBE_BEGIN : 0;
}

/* 0: something is out of reach. */
static size_t emit_head(const struct fc_stub *stub, uint8_t *ret)
{
	switch ((enum fc_stub_shape)fc_stub_row(stub->kind)->shape) {
	case FC_SHAPE_CALL:
		return emit_call(stub, ret);
	case FC_SHAPE_COUNT:
		return emit_count(stub, ret);
	case FC_SHAPE_EDGE:
		return emit_edge(stub, ret);
	case FC_SHAPE_PROBE:
		return emit_probe(stub, ret);
	case FC_SHAPE_ENTRY:
		break;
	}
	return emit_other(stub, ret);
}

/* Behind the body, at end: what the switch may lead to. */
static size_t emit_counted(const struct fc_stub *stub, size_t head, size_t end, uint8_t *ret)
{
	memcpy(ret + end, counted_bytes, sizeof(counted_bytes));
	fc_put_32(ret + end + COUNTED_AT, stub->func * 8);
	fc_put_32(ret + end + COUNTED_TO_BODY, (uint32_t)(head - (end + COUNTED_TO_BODY + 4)));
	fc_put_32(ret + end + COUNTED_BACK,
		  (uint32_t)(CALL_SWITCHED - (end + COUNTED_BACK + 4)));
	return end + sizeof(counted_bytes);
}

/* How far away the slot is; one that is out of reach is never read. */
static void put_slot(struct fca_fetch *fetch, uint64_t off)
{
	fetch->off = (int32_t)off;
	if ((int64_t)off != fetch->off)
		fetch->count = UINT8_MAX;
}

/*
 * Behind what there is of the stub: the code that takes values, if it can, and asks the agent for
 * them. At place, whose instruction both begin with, the stub jumps to it.
 */
static size_t emit_values(const struct fc_stub *stub, bool is_exit, size_t end, uint8_t *ret,
			  size_t *list_off)
{
	const struct fca_fetches *fetches = is_exit ? stub->result : stub->values;
	size_t place = is_exit ? CALL_AGAIN : CALL_SWITCHED;
	if (!fetches)
		return end;
	size_t begin = align_fetches(end);
	memset(ret + end, OP_NOP, begin - end);
	struct fca_fetches own = *fetches;
	size_t at = begin + emit_capture_x86_64(stub, is_exit, begin, ret, &own.tried);
	size_t go = at + VALUES_GO;
	memcpy(ret + at, values_bytes, sizeof(values_bytes));
	put_pool(stub, ret, at + VALUES_POOL, is_exit ? FCA_POOL_RESULT : FCA_POOL_VALUES);
	make_jump_x86_64(go + JUMP_SIZE, place + JUMP_SIZE, ret + go + JUMP_SIZE);
	make_jump_x86_64(place, begin, ret + place);
	own.stub = (uint32_t)go;
	own.opens = stub->is_gate;
	*list_off = at + VALUES_FETCHES;
	memcpy(ret + at + VALUES_FETCHES, &own, sizeof(own));
	uint64_t list = stub->taddr + at + VALUES_FETCHES;
	for (uint32_t i = 0; i < fetches->nr; i++) {
		struct fca_fetch fetch = fetches->fetch[i];
		if (fetch.from == FCA_FROM_THREAD_AT)
			put_slot(&fetch, (uint64_t)fetch.off + stub->bias - list);
		memcpy(ret + at + VALUES_FETCHES + fca_fetches_size(i), &fetch, sizeof(fetch));
	}
	return at + VALUES_FETCHES + fca_fetches_size(fetches->nr);
}

size_t emit_stub_x86_64(const struct fc_stub *stub, uint8_t *ret)
{
	size_t head = emit_head(stub, ret);
	struct moved moved;
	size_t body =
		head ? move_window_x86_64(stub, stub->taddr + head, ret + head, &moved) : 0;
	if (!body)
		return 0;
	size_t end = head + body, size = end;
	if (fc_stub_row(stub->kind)->shape == FC_SHAPE_PROBE)
		head = ONLY_BODY; /* where the call that has been recorded goes on */
	if (!fc_stub_row(stub->kind)->has_switch)
		return size;
	if (stub->can_count)
		size = emit_counted(stub, head, end, ret);
	fc_put_32(ret + CALL_SWITCH,
		  (uint32_t)((stub->can_count ? end : head) - CALL_SWITCHED));
	size_t entry = 0, result = 0;
	size = emit_values(stub, false, size, ret, &entry);
	if (fc_stub_row(stub->kind)->shape == FC_SHAPE_CALL)
		size = emit_values(stub, true, size, ret, &result);
	if (entry && result)
		fc_put_32(ret + entry + offsetof(struct fca_fetches, result),
			  (uint32_t)(result - entry));
	return size;
}

/* mov %gs:..., %rdx or %rax */
static bool is_gs_read(const uint8_t *stub, size_t off)
{
	static const uint8_t read[] = { 0x65, 0x48, 0x8b };
	return !memcmp(stub + off, read, sizeof(read));
}

/* Of a stub that begins with a switch: its counter behind the body, if it has one. */
static size_t counted_read(const uint8_t *stub, size_t size, size_t head)
{
	uint64_t end = (uint64_t)fc_get_32(stub + CALL_SWITCH) + CALL_SWITCHED;
	return end > head && end + COUNTED_SIZE <= size ? end + COUNTED_READ : 0;
}

/* Where the code that takes values without the agent reads it, which the stub jumps to at place. */
static size_t add_taken_read(const uint8_t *stub, size_t size, bool is_exit,
			     struct fc_strand_read ret[], size_t nr)
{
	size_t place = is_exit ? CALL_AGAIN : CALL_SWITCHED;
	size_t begin = place + JUMP_SIZE + fc_get_32(stub + place + 1);
	size_t slow = begin + (is_exit ? EXITED_NESTS : VALUED_NESTS);
	if (stub[place] != OP_JMP_REL32 || slow + 4 > size ||
	    !is_gs_read(stub, begin + VALUED_RETRY))
		return nr;
	size_t to = slow + 4 + fc_get_32(stub + slow);
	ret[nr] = (struct fc_strand_read){
		(uint16_t)(begin + VALUED_RETRY),
		(uint16_t)(is_exit ? to : to + TAKEN_SIZE - TAKEN_SLOW + VALUES_LOWERED),
		false,
	};
	return nr + 1;
}

size_t strand_reads_x86_64(enum fc_stub_kind kind, const uint8_t *stub, size_t size,
			   struct fc_strand_read ret[FC_MAX_STRAND_READS])
{
	if (!fc_stub_row(kind)->has_switch) {
		enum fc_stub_shape shape = fc_stub_row(kind)->shape;
		size_t off = shape == FC_SHAPE_COUNT ? COUNT_READ : EDGE_READ;
		ret[0] = (struct fc_strand_read){ (uint16_t)off, 0, true };
		return shape != FC_SHAPE_ENTRY && is_gs_read(stub, off);
	}
	if (!is_gs_read(stub, CALL_RETRY)) /* it was changed already */
		return 0;
	bool is_call = fc_stub_row(kind)->shape == FC_SHAPE_CALL;
	size_t nr = 0;
	ret[nr++] = (struct fc_strand_read){ CALL_RETRY,
					     is_call ? CALL_SPECIAL_ENTRY : ONLY_AGENT, false };
	if (is_call)
		ret[nr++] =
			(struct fc_strand_read){ CALL_EXIT_RETRY, CALL_SPECIAL_EXIT, false };
	size_t counted = counted_read(stub, size, is_call ? CALL_BODY : ONLY_BODY);
	if (counted)
		ret[nr++] = (struct fc_strand_read){ (uint16_t)counted, 0, true };
	nr = add_taken_read(stub, size, false, ret, nr);
	return is_call ? add_taken_read(stub, size, true, ret, nr) : nr;
}

size_t moves_x86_64(const struct fc_stub *stub, struct fc_move ret[FC_MAX_MOVES])
{
	size_t head = head_size(stub->kind);
	/* What an instruction becomes: at most a push of 13 bytes, and itself or a jump. */
	enum { LONGEST_INSN = 15, PUSH_SIZE = 13 };
	uint8_t body[FC_MAX_MOVES * (PUSH_SIZE + LONGEST_INSN) + JUMP_SIZE];
	struct moved moved;
	if (!move_window_x86_64(stub, stub->taddr + head, body, &moved))
		return 0;
	for (size_t i = 0; i < moved.nr; i++) {
		ret[i] = moved.at[i];
		ret[i].to += head;
	}
	return moved.nr;
}
