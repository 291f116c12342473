/* SPDX-License-Identifier: Apache-2.0 */
/*
 * record.h - the 8-byte record that stubs write into a ring.
 *
 *   63                      26 25                 3 2    0
 *   | tick: low 38 bits of TSC | func: function id | kind |
 *
 * A word of 0 is "not written yet": kind is never 0. A stub needs one shift and one add
 * to make a record: (tsc << 26) + (func << 3 | kind).
 *
 * FC_MARK is the head of a longer record: func = type | nr_values << 8, and so many values
 * of 64 bits follow it. In a ring each word is written by itself, and whoever writes may be
 * interrupted or die between any two. So a value is never taken for a record: of a word that
 * is part of one the kind is 0 and the bit above it is set. The lower 60 bits of each value are
 * a word, the upper ones of 15 values one more. The head is written last.
 *
 *   63                                  4  3 2  0
 *   | lower 60 bits of a value          | 1 | 0 |      nr_values of these
 *   | upper 4 of the first, second, ... | 1 | 0 |      one for each 15
 */
#ifndef FC_TRACE_RECORD_H
#define FC_TRACE_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#define FC_RECORD_KIND_BITS 3
#define FC_RECORD_FUNC_BITS 23
#define FC_RECORD_TICK_BITS 38
#define FC_RECORD_LOW_BITS  (FC_RECORD_KIND_BITS + FC_RECORD_FUNC_BITS)
#define FC_FUNC_MAX	    ((1u << FC_RECORD_FUNC_BITS) - 1)

enum fc_kind {
	FC_ENTRY = 1, /* func was called; it is now the innermost open call */
	FC_EXIT = 2,  /* the innermost open call returned; func is the function by whose
			      stub it returned: the first of a chain of tail calls, or the
			      one of them whose result is asked for */
	FC_TAIL = 3,  /* the innermost open call left by a jump to func, which replaces it */
	FC_ENTRY_ONLY = 4, /* func was called; its return is not observed, nothing is opened */
	FC_POP = 5,	   /* calls were left without a return: longjmp, an exception, a thread
			      that was cancelled; func (a count!) is how many stay open */
	FC_MARK = 6,	   /* head of a mark, see enum fc_mark */
	FC_PAD = 7, /* a word of a ring that means nothing, and func more behind it, written
			      or not; never in a file */
};

/* What a mark does to the open calls: record/effect.c. How it is called: record/mark.c. */
enum fc_mark {
	FC_MARK_LOST = 1, /* words: records lost here; open calls after the gap + 1. All deeper
			     open calls are closed; FC_POP's meaning, without known times */
	FC_MARK_FORK = 2, /* words: pid of the parent; calls open at the fork + 1. First record
			     of a forked child's strand; FC_ENTRY records of these calls follow */
	FC_MARK_SYNC = 3, /* words: the full TSC */
	FC_MARK_END = 4,  /* never in a ring, told by the reader: the strand ended; its open
			     calls end here */
	FC_MARK_RESUME = 5, /* words: records before this that were not kept; calls told as open
			       + 1; calls around them that are open, too. All that was open
			       before is closed; FC_ENTRY records of the calls told follow,
			       whose begin is not known. Depths count from the first of them */
	FC_MARK_WAITED = 6, /* words: ticks that the program waited for fctrace, for room in the
			       ring or for a dump, up to the time of this mark */
	FC_MARK_BEGIN =
		7, /* never in a ring, told by the reader that begins midway: words: calls
			      that are open and not known; FC_ENTRY and FC_TAIL records that
			      follow, of the calls in these that are open */
	FC_MARK_MOVED =
		128, /* in a ring: words: the threads that the records before and behind it are of,
			 as their process sees them; a tap is told these in pieces. In a file: the
			 thread that goes on with the strand; the reader tells events of it */
	FC_MARK_ASIDE = 128,  /* none, but from here on marks say something beside the calls:
				who does not know one passes over it */
	FC_MARK_VALUES = 129, /* words: capture/agent/fetch.h. Of the call that the next record
				 of its function at this depth is of */
	FC_MARK_MORE =
		130, /* words: how a text goes on that is in the last FC_MARK_VALUES of this
			       function at this depth (capture/agent/fetch.h) */
};

#define FC_NR_MARKS 256 /* numbers that a mark may have */

/* The kind of stack that a strand is. Other numbers are of later versions. */
enum fc_strand_kind {
	FC_STRAND_THREAD = 0,  /* a thread's own; or it is not known to be another */
	FC_STRAND_SIGNAL = 1,  /* a thread's stack for its signal handlers */
	FC_STRAND_CONTEXT = 2, /* no thread's: a coroutine's, a fiber's */
	FC_STRAND_GO = 3,      /* goroutines, one after the other */
	FC_STRAND_KERNEL = 4,  /* a kernel thread's */
};

/* Do its calls end with the thread that it is in? Of others that is told by the strand's end. */
static inline int fc_strand_ends_with_thread(uint8_t kind)
{
	return kind == FC_STRAND_THREAD || kind == FC_STRAND_SIGNAL || kind == FC_STRAND_KERNEL;
}

static inline uint64_t fc_record(uint64_t tsc, uint32_t func, enum fc_kind kind)
{
	return tsc << FC_RECORD_LOW_BITS | (uint64_t)func << FC_RECORD_KIND_BITS | kind;
}

static inline enum fc_kind fc_record_kind(uint64_t rec)
{
	return (enum fc_kind)(rec & ((1 << FC_RECORD_KIND_BITS) - 1));
}

static inline uint32_t fc_record_func(uint64_t rec)
{
	return (uint32_t)(rec >> FC_RECORD_KIND_BITS) & FC_FUNC_MAX;
}

static inline uint64_t fc_record_tick(uint64_t rec)
{
	return rec >> FC_RECORD_LOW_BITS;
}

#define FC_MARK_MAX_VALUES 255
#define FC_PART_BITS	   60 /* of a value, in one word */
#define FC_PART_MARK	   8
#define FC_PART_PACKED	   15 /* values whose upper bits are in one word */

static inline uint32_t fc_mark_func(enum fc_mark type, uint32_t nr_values)
{
	return (uint32_t)type | nr_values << 8;
}

/* Words of a ring behind the head of a mark with so many values. */
static inline uint32_t fc_mark_parts(uint32_t nr_values)
{
	return nr_values + (nr_values + FC_PART_PACKED - 1) / FC_PART_PACKED;
}

#define FC_MARK_MAX_PARTS 272 /* fc_mark_parts(FC_MARK_MAX_VALUES) */

/* Is the word of a ring part of a mark's value, and no record? */
static inline int fc_is_part(uint64_t word)
{
	return word && !(word & ((1 << FC_RECORD_KIND_BITS) - 1));
}

/* The words of a ring that nr values take: fc_mark_parts(). */
static inline void fc_mark_pack(const uint64_t *value, uint32_t nr, uint64_t *parts)
{
	uint64_t *upper = parts + nr;
	for (uint32_t i = 0; i < nr; upper++) {
		uint64_t word = FC_PART_MARK;
		for (uint32_t k = 1; k <= FC_PART_PACKED && i < nr; k++, i++) {
			parts[i] = value[i] << (64 - FC_PART_BITS) | FC_PART_MARK;
			word |= value[i] >> FC_PART_BITS << k * 4;
		}
		*upper = word;
	}
}

static inline uint64_t fc_mark_value(const uint64_t *parts, uint32_t nr, uint32_t i)
{
	uint64_t upper = parts[nr + i / FC_PART_PACKED] >> (i % FC_PART_PACKED + 1) * 4;
	return parts[i] >> (64 - FC_PART_BITS) | upper << FC_PART_BITS;
}

/* All of them. */
static inline void fc_mark_unpack(const uint64_t *parts, uint32_t nr, uint64_t *value)
{
	const uint64_t *upper = parts + nr;
	for (uint32_t i = 0; i < nr; upper++) {
		uint64_t word = *upper >> 4;
		for (uint32_t k = 0; k < FC_PART_PACKED && i < nr; k++, i++, word >>= 4)
			value[i] = parts[i] >> (64 - FC_PART_BITS) | word << FC_PART_BITS;
	}
}

static inline enum fc_mark fc_record_mark(uint64_t rec)
{
	return (enum fc_mark)(fc_record_func(rec) & 0xff);
}

static inline bool fc_record_is_values(uint64_t rec)
{
	return fc_record_kind(rec) == FC_MARK && fc_record_mark(rec) == FC_MARK_VALUES;
}

static inline uint32_t fc_record_words(uint64_t rec) /* values that follow the head */
{
	return fc_record_kind(rec) == FC_MARK ? fc_record_func(rec) >> 8 & 0xff : 0;
}

/* The full time of a record that was written at or before now_tsc, by less than 2^38 ticks. */
static inline uint64_t fc_record_tsc(uint64_t rec, uint64_t now_tsc)
{
	uint64_t mask = (1ull << FC_RECORD_TICK_BITS) - 1;
	return now_tsc - ((now_tsc - fc_record_tick(rec)) & mask);
}

#endif
