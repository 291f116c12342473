/* SPDX-License-Identifier: Apache-2.0 */
/*
 * capture_x86_64.c - emits the code of a stub that copies values from registers and the stack.
 *
 * The agent does the same of the same list (capture/agent/values/fetcher.c), and writes the same words.
 *
 * It stands between CLAIMED_... and TAKEN_..., or RESERVED_... and LEFT_... (stubs_x86_64.S): rcx is
 * the end of the words that are reserved, what rax, rcx and rdx held lies below rsp, and rax is free.
 */
#include "arch/x86_64/x86_64.h"

#include <string.h>

#include "arch/x86_64/stub_bytes_x86_64.h"
#include "base/little.h"
#include "capture/agent/stub_x86_64.h"
#include "trace/record.h"

enum {
	/* Of DWARF's numbers: */
	RAX_IS = 0,
	RDX_IS = 1,
	RCX_IS = 2,
	RSI_IS = 4,
	RDI_IS = 5,
	R8_IS = 8,
	R11_IS = 11,
	XMM0_IS = 17,
	XMM7_IS = 24,

	MOST_WORDS = FC_PART_PACKED, /* the upper bits of so many values are in one word */
	MOST_TAKEN = 64, /* bytes of code for a value, at most; and for the first word */
};

/* Code that is being written, and where it leads if the agent is needed after all. */
struct code {
	uint8_t *at;
	size_t nr;
	size_t to_slow[2 * FCA_MAX_FETCHES + 1]; /* rel32s of jumps to there */
	size_t nr_slow;
};

static bool is_taken_here(const struct fca_fetch *fetch)
{
	bool is_size = !fetch->size || fetch->size == 1 || fetch->size == 2 ||
		       fetch->size == 4 || fetch->size == 8;
	switch (fetch->from) {
	case FCA_FROM_INT:
		return is_size &&
		       (fetch->reg <= RCX_IS || fetch->reg == RSI_IS || fetch->reg == RDI_IS ||
			(fetch->reg >= R8_IS && fetch->reg <= R11_IS));
	case FCA_FROM_VECTOR:
		return fetch->size >= 4 && is_size && fetch->reg >= XMM0_IS &&
		       fetch->reg <= XMM7_IS;
	case FCA_FROM_STACK:
		return is_size && fetch->off >= 0;
	default:
		return false;
	}
}

/* What a call left in errno is asked for when it has failed, by a value before it. */
static bool is_error_here(const struct fca_fetches *fetches, uint32_t i)
{
	const struct fca_fetch *fetch = &fetches->fetch[i];
	const struct fca_fetch *of = &fetches->fetch[fetch->count];
	return fetch->how == FCA_FETCH_ERROR && fetch->unit <= FCA_ERROR_OF_NULL &&
	       fetch->count < i && of->how == FCA_FETCH_VALUE && of->from == FCA_FROM_INT &&
	       of->size >= 4;
}

/* Values of the mark, with the format; 0: the agent is needed. */
static uint32_t nr_taken(const struct fca_fetches *fetches, bool is_exit)
{
	uint32_t nr = 1;
	if (!fetches->format || fetches->nr_kept || fetches->nr > FCA_MAX_FETCHES)
		return 0;
	for (uint32_t i = 0; i < fetches->nr; i++) {
		const struct fca_fetch *fetch = &fetches->fetch[i];
		bool is_value = fetch->how == FCA_FETCH_VALUE;
		if (is_value ? !is_taken_here(fetch) : !is_exit || !is_error_here(fetches, i))
			return 0;
		nr += !is_value || fetch->size;
	}
	return nr <= MOST_WORDS ? nr : 0;
}

size_t capture_size_x86_64(const struct fca_fetches *fetches, bool is_exit)
{
	uint32_t nr = nr_taken(fetches, is_exit);
	if (!nr)
		return 0;
	return (is_exit ? EXITED_SIZE + RESERVED_SIZE + LEFT_SIZE
			: VALUED_SIZE + CLAIMED_SIZE + TAKEN_SIZE) +
	       SAME_PAGE_SIZE + (nr + 1) * MOST_TAKEN;
}

static void put(struct code *code, const uint8_t *bytes, size_t nr)
{
	memcpy(code->at + code->nr, bytes, nr);
	code->nr += nr;
}

#define PUT(code, ...)                                                                         \
	put((code), (const uint8_t[]){ __VA_ARGS__ }, sizeof((const uint8_t[]){ __VA_ARGS__ }))

static void put_number(struct code *code, uint32_t number)
{
	fc_put_32(code->at + code->nr, number);
	code->nr += sizeof(number);
}

/* mov %reg,%rax; where the stub has saved it: mov -8(%rsp),%rax */
static void put_register(struct code *code, uint32_t reg)
{
	/* As instructions number them, by DWARF's number. */
	static const uint8_t numbers[] = { 0, 2, 1, 3, 6, 7, 5, 4, 8, 9, 10, 11 };
	uint8_t number = numbers[reg];
	if (reg <= RCX_IS)
		PUT(code, 0x48, 0x8b, 0x44, 0x24,
		    reg == RAX_IS   ? 0xf8
		    : reg == RCX_IS ? 0xf0
				    : 0xe8);
	else
		PUT(code, number >= 8 ? 0x4c : 0x48, 0x89, 0xc0 | (number & 7) << 3);
}

/* rax = the value, and nothing of what is beside it. */
static void put_value(struct code *code, const struct fca_fetch *fetch)
{
	switch (fetch->from) {
	case FCA_FROM_STACK: /* mov off(%rsp),%rax */
		PUT(code, 0x48, 0x8b, 0x84, 0x24);
		put_number(code, (uint32_t)fetch->off);
		break;
	case FCA_FROM_VECTOR: /* movq %xmm,%rax */
		PUT(code, 0x66, 0x48, 0x0f, 0x7e, 0xc0 | (fetch->reg - XMM0_IS) << 3);
		break;
	default:
		put_register(code, fetch->reg);
	}
	if (fetch->size == 4)
		PUT(code, 0x89, 0xc0); /* mov %eax,%eax */
	else if (fetch->size == 2)
		PUT(code, 0x0f, 0xb7, 0xc0); /* movzwl %ax,%eax */
	else if (fetch->size == 1)
		PUT(code, 0x0f, 0xb6, 0xc0); /* movzbl %al,%eax */
}

/* movq $number,off(%rcx) */
static void put_constant(struct code *code, uint32_t off, uint32_t number)
{
	PUT(code, 0x48, 0xc7, 0x81);
	put_number(code, off);
	put_number(code, number);
}

/* op %rax,off(%rcx) */
static void put_into(struct code *code, uint8_t op, uint32_t off)
{
	PUT(code, 0x48, op, 0x81);
	put_number(code, off);
}

/* Numbers of a mark with so many values, and of the record behind it. */
struct numbers {
	uint32_t nr;	 /* values */
	uint32_t size;	 /* bytes in the ring */
	uint32_t marked; /* words of the mark behind its head */
	uint32_t head;	 /* of the mark, without its time */
};

static struct numbers numbers_of(uint32_t nr)
{
	uint32_t parts = fc_mark_parts(nr), func = fc_mark_func(FC_MARK_VALUES, nr);
	return (struct numbers){ nr, 8 * (1 + parts + 1), parts,
				 (uint32_t)fc_record(0, func, FC_MARK) };
}

/* Where value i of the mark, or (nr) the word of their upper bits, lies before the end. */
static uint32_t off_of(const struct numbers *numbers, uint32_t i)
{
	return 8 * (1 + i) - numbers->size;
}

/* Value i: its lower bits are a word, its upper ones go to the last word. */
static void put_taken(struct code *code, const struct fca_fetch *fetch, uint32_t i,
		      const struct numbers *numbers)
{
	enum { MOV = 0x89, OR = 0x09 };
	put_value(code, fetch);
	PUT(code, 0x48, 0xc1, 0xe0, 64 - FC_PART_BITS); /* shl $4,%rax */
	PUT(code, 0x48, 0x83, 0xc8, FC_PART_MARK);	/* or $8,%rax */
	put_into(code, MOV, off_of(numbers, i));
	if (fetch->size < 8)
		return;
	put_value(code, fetch);
	PUT(code, 0x48, 0xc1, 0xe8, FC_PART_BITS); /* shr $60,%rax */
	PUT(code, 0x48, 0xc1, 0xe0, 4 * (i + 1));  /* shl $...,%rax */
	put_into(code, OR, off_of(numbers, numbers->nr));
}

static void put_values(struct code *code, const struct fca_fetches *fetches,
		       const struct numbers *numbers)
{
	uint32_t i = 0;
	put_constant(code, off_of(numbers, i++),
		     fetches->format << (64 - FC_PART_BITS) | FC_PART_MARK);
	put_constant(code, off_of(numbers, numbers->nr), FC_PART_MARK);
	for (uint32_t k = 0; k < fetches->nr; k++) {
		const struct fca_fetch *fetch = &fetches->fetch[k];
		if (fetch->how == FCA_FETCH_ERROR)
			put_constant(code, off_of(numbers, i++),
				     FCA_GOT_NONE << (64 - FC_PART_BITS) | FC_PART_MARK);
		else if (fetch->size)
			put_taken(code, fetch, i++, numbers);
	}
}

static void put_jump(struct code *code, uint8_t condition)
{
	PUT(code, OP_0F, condition);
	code->to_slow[code->nr_slow++] = code->nr;
	put_number(code, 0);
}

/* Who says that there are arguments on the stack need not be right: its upper end may be before them. */
static void put_page_check(struct code *code, const struct fca_fetches *fetches)
{
	int32_t last = -1;
	for (uint32_t i = 0; i < fetches->nr; i++) {
		const struct fca_fetch *fetch = &fetches->fetch[i];
		if (fetch->how == FCA_FETCH_VALUE && fetch->from == FCA_FROM_STACK &&
		    fetch->size && fetch->off > last)
			last = fetch->off;
	}
	if (last < 0)
		return;
	size_t at = code->nr;
	put(code, same_page_bytes, sizeof(same_page_bytes));
	fc_put_32(code->at + at + SAME_PAGE_LAST, (uint32_t)last + 7); /* put_value()'s load */
	code->to_slow[code->nr_slow++] = at + SAME_PAGE_SLOW;
}

/* If the call has failed the agent is to look for errno. */
static void put_checks(struct code *code, const struct fca_fetches *fetches)
{
	enum { JE = 0x84 };
	for (uint32_t i = 0; i < fetches->nr; i++) {
		const struct fca_fetch *fetch = &fetches->fetch[i];
		if (fetch->how != FCA_FETCH_ERROR)
			continue;
		const struct fca_fetch *of = &fetches->fetch[fetch->count];
		put_value(code, of);
		if (of->size == 8)
			PUT(code, 0x48, 0x83, 0xf8, 0xff); /* cmp $-1,%rax */
		else
			PUT(code, 0x83, 0xf8, 0xff); /* cmp $-1,%eax */
		put_jump(code, JE);
		if (fetch->unit) {
			PUT(code, 0x48, 0x85, 0xc0); /* test %rax,%rax */
			put_jump(code, JE);
		}
	}
}

/* The rel32 at off leads to another place of the stub. */
static void put_way(uint8_t *stub, size_t off, size_t to)
{
	fc_put_32(stub + off, (uint32_t)(to - (off + 4)));
}

/* What comes behind all this has numbers in it, which are aligned. */
static void align_end(struct code *code, size_t behind)
{
	while ((code->nr + behind) % _Alignof(struct fca_fetches))
		PUT(code, OP_NOP);
}

/* Of VALUED_... and CLAIMED_...: where they lead, and how many words are reserved. */
static void put_ways(const struct code *code, uint8_t *ret, size_t at, size_t claimed,
		     size_t slow, const struct numbers *numbers)
{
	put_way(ret, at + VALUED_NESTS, slow);
	put_way(ret, at + VALUED_LOW, slow);
	for (size_t i = 0; i < code->nr_slow; i++)
		put_way(ret, at + code->to_slow[i], slow);
	fc_put_32(ret + claimed + CLAIMED_END, numbers->size);
	fc_put_32(ret + claimed + CLAIMED_NEXT, numbers->size);
	put_way(ret, claimed + CLAIMED_ROOM, slow);
	put_way(ret, claimed + CLAIMED_RETRY, at + VALUED_RETRY);
}

/* What stands behind the values of an entry, TAKEN_... or PASSED_...: where its numbers go, and where it goes on. */
struct entry_end {
	const uint8_t *bytes;
	size_t size;
	uint16_t marked, head_is, head, id, way, slow;
	uint16_t back; /* where the stub goes on */
	enum fc_kind kind;
};

static const struct entry_end taken_end = {
	taken_bytes, sizeof(taken_bytes), TAKEN_MARKED, TAKEN_HEAD_IS, TAKEN_HEAD,
	TAKEN_ID,    TAKEN_BEGIN,	  TAKEN_SLOW,	CALL_BEGIN,    FC_ENTRY,
};
static const struct entry_end passed_end = {
	passed_bytes, sizeof(passed_bytes), PASSED_MARKED, PASSED_HEAD_IS, PASSED_HEAD,
	PASSED_ID,    PASSED_OFF,	    PASSED_SLOW,   ONLY_OFF,	   FC_ENTRY_ONLY,
};

static size_t capture_entry(const struct fc_stub *stub, const struct entry_end *last,
			    const struct numbers *numbers, size_t at, uint8_t *ret,
			    uint16_t *tried)
{
	struct code code = { .at = ret + at };
	put(&code, valued_bytes, sizeof(valued_bytes));
	put_page_check(&code, stub->values);
	size_t claimed = at + code.nr;
	put(&code, claimed_bytes, sizeof(claimed_bytes));
	put_values(&code, stub->values, numbers);
	align_end(&code, last->size);
	size_t end = at + code.nr;
	put(&code, last->bytes, last->size);
	put_ways(&code, ret, at, claimed, end + last->slow, numbers);
	fc_put_32(ret + end + last->marked, numbers->marked);
	fc_put_32(ret + end + last->head_is, numbers->head);
	fc_put_32(ret + end + last->head, -numbers->size);
	fc_put_32(ret + end + last->id, (uint32_t)fc_record(0, stub->func, last->kind));
	put_way(ret, end + last->way, last->back);
	*tried = (uint16_t)(claimed - at + CLAIMED_TRIED);
	return code.nr;
}

static size_t capture_exit(const struct fc_stub *stub, const struct numbers *numbers, size_t at,
			   uint8_t *ret, uint16_t *tried)
{
	struct code code = { .at = ret + at };
	put(&code, exited_bytes, sizeof(exited_bytes));
	put_page_check(&code, stub->result);
	put_checks(&code, stub->result);
	size_t reserved = at + code.nr;
	put(&code, reserved_bytes, sizeof(reserved_bytes));
	put_values(&code, stub->result, numbers);
	align_end(&code, sizeof(left_bytes));
	size_t end = at + code.nr;
	put(&code, left_bytes, sizeof(left_bytes));
	size_t slow = at + code.nr + VALUES_LOWERED;
	put_way(ret, at + EXITED_NESTS, slow);
	for (size_t i = 0; i < code.nr_slow; i++)
		put_way(ret, at + code.to_slow[i], slow);
	fc_put_32(ret + reserved + RESERVED_END, numbers->size);
	put_way(ret, reserved + RESERVED_ROOM, slow);
	put_way(ret, reserved + RESERVED_RETRY, at + EXITED_RETRY);
	fc_put_32(ret + end + LEFT_MARKED, numbers->marked);
	fc_put_32(ret + end + LEFT_HEAD_IS, numbers->head);
	fc_put_32(ret + end + LEFT_HEAD, -numbers->size);
	fc_put_32(ret + end + LEFT_ID, (uint32_t)fc_record(0, stub->func, FC_EXIT));
	*tried = (uint16_t)(reserved - at + RESERVED_TRIED);
	return code.nr;
}

size_t emit_capture_x86_64(const struct fc_stub *stub, bool is_exit, size_t at, uint8_t *ret,
			   uint16_t *tried)
{
	uint32_t nr = nr_taken(is_exit ? stub->result : stub->values, is_exit);
	*tried = 0;
	bool is_only = stub->kind == FC_STUB_ENTRY_ONLY || stub->kind == FC_STUB_PROBE;
	if (!nr || (stub->kind != FC_STUB_CALL && !is_only) || stub->is_gate || stub->watch)
		return 0;
	struct numbers numbers = numbers_of(nr);
	return is_exit ? capture_exit(stub, &numbers, at, ret, tried)
		       : capture_entry(stub, is_only ? &passed_end : &taken_end, &numbers, at,
				       ret, tried);
}
