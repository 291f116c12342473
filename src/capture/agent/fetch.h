/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fetch.h - what the agent fetches of a call's values: a treaty between who plans it, the agent
 * that does it, and who reads the mark that it makes of it (FC_MARK_VALUES).
 *
 * A stub whose values are asked for comes to the agent before it records the entry, and before it
 * records the exit. Behind the code that does so stands a struct fca_fetches. The agent does what
 * it says, fetch by fetch, and writes a mark of these words:
 *
 *	format | what the first fetch gave | what the second one gave | ...
 *
 * FCA_FETCH_VALUE gives its bytes, in as many words as these take. All others give a word that
 * says how many bytes follow (fca_got()), and the bytes.
 *
 * A text that has no room in the mark goes on in marks behind it (FC_MARK_MORE), piece by piece:
 *
 *	format | fca_more(which word of that mark says how many bytes it has, how many came before) |
 *	how many follow | bytes
 *
 * The last text of a mark comes first.
 *
 * Who makes longer marks than a trace can hold writes their words on like that, behind word 0.
 */
#ifndef FC_CAPTURE_AGENT_FETCH_H
#define FC_CAPTURE_AGENT_FETCH_H

#include <stdint.h>

enum fca_fetch_from {
	FCA_FROM_INT = 0,  /* a general register; reg is DWARF's number */
	FCA_FROM_VECTOR,   /* a vector register; the same */
	FCA_FROM_EXTENDED, /* a register of floats of FCA_EXTENDED_BYTES; the same */
	FCA_FROM_STACK,	   /* off bytes above the stack pointer at entry */
	FCA_FROM_KEPT, /* at the exit: what was kept at entry as number reg, see kept[]; if errno
			     * says that the call failed, nothing is read there */
	FCA_FROM_THREAD,    /* off bytes from the thread's pointer (its TLS) */
	FCA_FROM_THREAD_AT, /* so many bytes from there as the word says that is off bytes from
			     * the list's begin; until its stub is written, off is a vaddr */
	FCA_FROM_FETCH, /* the word at off within what fetch number reg before this gave; for
			     * what reads memory only */
};

enum fca_fetch_how {
	FCA_FETCH_VALUE = 0, /* the size bytes themselves, at most 64 */
	FCA_FETCH_PLACE,     /* size bytes of the stack, there: what is passed in memory */
	FCA_FETCH_BYTES,     /* size bytes at the address that is there */
	FCA_FETCH_STRING,    /* the same, up to a zero byte, which is not given */
	FCA_FETCH_ARRAY, /* the same, but no more than fetch number count says, times unit */
	FCA_FETCH_ERROR, /* size bytes there (errno), if value number count is what unit says */
	FCA_FETCH_POINTERS, /* size bytes at the address that is there, up to a word that is zero,
			     * which is not given */
	FCA_FETCH_DESCRIPTOR, /* up to size - 1 bytes of where the file descriptor leads that is
			       * there, as /proc tells it */
	FCA_FETCH_REST,	      /* the arguments that stand for "...", see enum fca_rest */
};

/* Of which values errno tells more. */
enum fca_error_of {
	FCA_ERROR_OF_MINUS_ONE = 0, /* the call has failed, and has written nothing */
	FCA_ERROR_OF_NULL,	    /* or -1; the same */
	FCA_ERROR_OF_SIGNED, /* the highest and the lowest: they may stand for what is beyond */
	FCA_ERROR_OF_UNSIGNED,
	FCA_ERROR_OF_FLOAT, /* infinity */
};

/*
 * What says which arguments there are. They follow those with a name, which take count general and
 * unit vector registers; the first one on the stack is count_off bytes above the stack pointer at
 * entry. A text has size bytes at most.
 */
enum fca_rest {
	FCA_REST_FORMAT = 0, /* the format of printf() whose address is there */
	FCA_REST_LIST, /* the same, of a va_list: general argument number count points to it */
	FCA_REST_ONE,  /* it is one; unit: its kind, and its bytes << 8 */
};

/*
 * The word of such a fetch says how many items follow it. An item is a word with its kind (bits 24 to
 * 31), and how many bytes follow (as of all fetches); and the bytes.
 */
enum fca_item {
	FCA_ITEM_NONE = 0,
	FCA_ITEM_SIGNED,
	FCA_ITEM_UNSIGNED,
	FCA_ITEM_HEX,
	FCA_ITEM_OCTAL,
	FCA_ITEM_CHAR,
	FCA_ITEM_FLOAT,
	FCA_ITEM_POINTER,
	FCA_ITEM_TEXT, /* its address; its bytes are the next item */
	FCA_ITEM_BYTES,
};

/* What the word of an array's count is. */
enum fca_count_as {
	FCA_COUNT_NUMBER = 0,
	FCA_COUNT_END,	/* the address where the array ends */
	FCA_COUNT_TEXT, /* a number, of chars: they end at a zero, which is not given */
	FCA_COUNT_INT,	/* a number of 32 bits with a sign */
	FCA_COUNT_SHARE, /* a number, of bytes: that of a struct iovec in a row of them, of which the
			  * ones before take their share of as many as fetch number 0 says in all */
	FCA_COUNT_LEAST, /* a number of 32 bits, but no more than fetch number count_off says: how
			  * many there are, and how many there was room for */
	FCA_COUNT_SHARE_OF_MESSAGE, /* as FCA_COUNT_SHARE, of one struct mmsghdr of many: in all there are as
				     * many as its msg_len says */
	FCA_COUNT_NAME, /* a number of 32 bits, as FCA_COUNT_LEAST: the one that stands behind the
			 * address, as msg_namelen behind msg_name; fetch number count: the other */
};

/* Bytes of a float that is wider than a double: a long double, where it is no quad. */
enum { FCA_EXTENDED_BYTES = 10 };

/* In kept[]: not a register, but the word of the stack so many words above the stack pointer. */
enum { FCA_KEPT_STACK = 0x80 };
/* If it is none of these: not the register, but the number of 32 bits that it points to. */
enum { FCA_KEPT_BEHIND = 0x40 };
/* With FCA_KEPT_BEHIND: the number of 32 bits that stands behind a word there, as msg_namelen does. */
enum { FCA_KEPT_SECOND = 0x20 };

struct fca_fetch {
	uint8_t from; /* enum fca_fetch_from */
	uint8_t how;  /* enum fca_fetch_how */
	uint8_t reg;
	uint8_t count; /* of FCA_FETCH_ARRAY: which fetch before this says how many */
	uint16_t unit; /* of FCA_FETCH_ARRAY: bytes of each; enum fca_error_of */
	uint16_t size; /* bytes at most */
	int32_t off;   /* of FCA_FROM_STACK, FCA_FROM_FETCH */
	uint16_t
		count_off; /* of FCA_FETCH_ARRAY: where in that fetch its word is (of FCA_COUNT_LEAST: at
			     * its begin) */
	uint8_t count_as; /* enum fca_count_as, enum fca_rest */
	uint8_t words; /* of a text's bytes that stand in the mark itself, the others in marks behind
			* it; 0: as many as there is room for, the others nowhere */
};

enum {
	FCA_MAX_FETCHES = 32, /* of one list */
	FCA_MAX_MEMORY = 24,  /* of these, that read memory */
	FCA_MAX_KEPT = 6,
	FCA_VALUE_WORDS = 120, /* of a mark; what has no room is not fetched */
	FCA_MORE_WORDS = 3,    /* in front of the bytes of a piece */
};

struct fca_fetches {
	uint32_t stub;	 /* bytes from its stub's start to where it goes on */
	uint32_t format; /* as the trace tells of it; 0: nothing is recorded */
	uint8_t nr;
	uint8_t nr_kept; /* at an entry: arguments that the exit asks for (FCA_FROM_KEPT) */
	uint8_t kept[FCA_MAX_KEPT]; /* registers, or what is there by one of FCA_KEPT_... */
	/* Bytes of code in front that take the values without the agent, up to where words are
	 * reserved for them; 0: none. */
	uint16_t tried;
	uint8_t opens; /* the call that it is of turns recording on: its values are taken while that is off */
	/* Of an entry that keeps something: from here to the exit's list, which asks for it. */
	int32_t result;
	struct fca_fetch fetch[];
};

enum fca_got {
	FCA_GOT_BYTES = 0xffff,
	FCA_GOT_NONE = 1 << 16, /* there is nothing to be read there, or it may not be */
	FCA_GOT_MORE = 1 << 17, /* there is more than was fetched */
	FCA_GOT_MASKED =
		1 << 18, /* not by the agent: a secret was taken out, with what follows it */
};

static inline uint64_t fca_item(uint32_t kind, uint32_t bytes)
{
	return (uint64_t)kind << 24 | bytes;
}

static inline uint32_t fca_item_kind(uint64_t word)
{
	return word >> 24 & 0xff;
}

/* A piece goes on behind so many bytes; of the words themselves (head 0), behind so many of them. */
static inline uint64_t fca_more(uint32_t head, uint32_t before)
{
	return (uint64_t)before << 8 | head;
}

static inline uint32_t fca_more_head(uint64_t word)
{
	return word & 0xff;
}

static inline uint32_t fca_more_before(uint64_t word)
{
	return (uint32_t)(word >> 8);
}

/* The number of a format: of what is fetched at a function's entry, or at its exit. */
static inline uint32_t fca_format(uint32_t func, int is_result)
{
	return func << 1 | !!is_result;
}

static inline uint32_t fca_format_func(uint64_t format)
{
	return (uint32_t)format >> 1;
}

static inline uint32_t fca_fetches_size(uint32_t nr)
{
	return (uint32_t)(sizeof(struct fca_fetches) + nr * sizeof(struct fca_fetch));
}

/* ---- of who carries fetches out, in the target or from outside ---- */

/* Words that so many bytes take. */
static inline uint32_t fca_words_of(uint64_t bytes)
{
	return (uint32_t)((bytes + 7) / 8);
}

static inline uint64_t fca_low_bytes(uint64_t value, uint32_t size)
{
	return size < 8 ? value & ((1ull << size * 8) - 1) : value;
}

/* What is given up to the first of these bytes that are zero; 0: all of it is. */
static inline uint32_t fca_ends_with(const struct fca_fetch *fetch)
{
	int is_text = fetch->how == FCA_FETCH_STRING || fetch->how == FCA_FETCH_REST ||
		      (fetch->how == FCA_FETCH_ARRAY && fetch->count_as == FCA_COUNT_TEXT);
	return is_text ? 1 : fetch->how == FCA_FETCH_POINTERS ? 8 : 0;
}

/* What the fetches of a list have given yet. */
struct fca_given {
	const struct fca_fetch *fetch;
	const uint64_t *word;
	const uint8_t *first; /* the first word of each; 0: it was not done */
};

/* 8 bytes, of which size are there, within what fetch number nr gave, before number i. 0: they are not. */
static inline int fca_bytes_within(const struct fca_given *given, uint32_t nr, int32_t off,
				   uint32_t size, uint32_t i, uint64_t *ret)
{
	if (nr >= i || !given->first[nr] || off < 0)
		return 0;
	const struct fca_fetch *fetch = &given->fetch[nr];
	int is_value = fetch->how == FCA_FETCH_VALUE;
	const uint64_t *word = &given->word[given->first[nr]];
	uint64_t got = is_value ? fca_words_of(fetch->size) * 8u : *word & FCA_GOT_BYTES;
	if ((uint64_t)off + size > got)
		return 0;
	__builtin_memcpy(ret, (const uint8_t *)(word + !is_value) + off, 8);
	return 1;
}

static inline int fca_word_within(const struct fca_given *given, uint32_t nr, int32_t off,
				  uint32_t i, uint64_t *ret)
{
	return fca_bytes_within(given, nr, off, 8, i, ret);
}

/* The number of 32 bits so many bytes behind the word that this fetch's address is. 0: it is not there. */
static inline int fca_number_behind(const struct fca_given *given,
				    const struct fca_fetch *fetch, int32_t behind, uint32_t i,
				    uint64_t *ret)
{
	if (!fca_bytes_within(given, fetch->reg, fetch->off + behind, 4, i, ret))
		return 0;
	*ret = fca_low_bytes(*ret, 4);
	return 1;
}

/* How much a row of buffers was filled with. 0: that is not known. */
static inline int fca_filled(const struct fca_given *given, const struct fca_fetch *fetch,
			     uint32_t i, uint64_t *ret)
{
	enum { MSG_LEN = 40 }; /* of a struct mmsghdr, behind msg_iov */
	if (fetch->count_as == FCA_COUNT_SHARE)
		return fca_word_within(given, 0, 0, i, ret);
	return fetch->count < i &&
	       fca_number_behind(given, &given->fetch[fetch->count], MSG_LEN, i, ret);
}

/* What a row of buffers was filled with, in their order: how much is in this one, which has room for *ret. */
static inline int fca_share_of(const struct fca_given *given, const struct fca_fetch *fetch,
			       uint32_t i, uint64_t *ret)
{
	enum { ROW = 16 }; /* struct iovec */
	uint64_t left, before;
	if (!fca_filled(given, fetch, i, &left) || (int64_t)left < 0)
		return 0;
	for (int32_t at = fetch->count_off % ROW; at < fetch->count_off; at += ROW) {
		if (!fca_word_within(given, fetch->count, at, i, &before))
			return 0;
		left -= left < before ? left : before;
	}
	*ret = *ret < left ? *ret : left;
	return 1;
}

/* The lesser of two numbers of 32 bits: how many there are, and how many there was room for. */
static inline int fca_least_of(const struct fca_given *given, const struct fca_fetch *fetch,
			       uint32_t i, uint64_t *ret)
{
	enum { WORD = 8 };
	int is_name = fetch->count_as == FCA_COUNT_NAME;
	uint64_t nr, room;
	if (!(is_name ? fca_number_behind(given, fetch, WORD, i, &nr)
		      : fca_bytes_within(given, fetch->count, 0, 4, i, &nr)) ||
	    !fca_bytes_within(given, is_name ? fetch->count : fetch->count_off, 0, 4, i, &room))
		return 0;
	nr = fca_low_bytes(nr, 4);
	room = fca_low_bytes(room, 4);
	*ret = nr < room ? nr : room;
	return 1;
}

/* Of an array at an address, by fetch number i: how many units it has. 0: that is not known, or nonsense. */
static inline int fca_count_of(const struct fca_given *given, const struct fca_fetch *fetch,
			       uint32_t i, uint64_t at, uint64_t *ret)
{
	if (fetch->count_as == FCA_COUNT_LEAST || fetch->count_as == FCA_COUNT_NAME)
		return fca_least_of(given, fetch, i, ret);
	if (!fca_word_within(given, fetch->count, fetch->count_off, i, ret))
		return 0;
	if (fetch->count_as == FCA_COUNT_END)
		*ret = fetch->unit && *ret >= at ? (*ret - at) / fetch->unit : ~0ull;
	else if (fetch->count_as == FCA_COUNT_INT)
		*ret = (uint64_t)(int64_t)(int32_t)*ret;
	else if ((fetch->count_as == FCA_COUNT_SHARE ||
		  fetch->count_as == FCA_COUNT_SHARE_OF_MESSAGE) &&
		 !fca_share_of(given, fetch, i, ret))
		return 0;
	return (int64_t)*ret >= 0;
}

#endif
