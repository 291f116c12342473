/* SPDX-License-Identifier: Apache-2.0 */
/* bytes.h - bytes of the program's memory, which end at a zero: where that is, and a copy up to there. */
#ifndef FC_CAPTURE_AGENT_VALUES_BYTES_H
#define FC_CAPTURE_AGENT_VALUES_BYTES_H

#include <stdbool.h>
#include <stdint.h>

typedef uint64_t word_of_bytes __attribute__((aligned(1), may_alias));

/* Its lowest set bit is in the first of the word's bytes that is zero; 0: none is. */
static inline uint64_t zero_in(uint64_t word)
{
	const uint64_t ones = 0x0101010101010101, tops = 0x8080808080808080;
	return (word - ones) & ~word & tops;
}

static inline uint32_t string_end(const uint8_t *bytes, uint32_t got)
{
	uint32_t i = 0;
	for (; i + 8 <= got; i += 8) {
		uint64_t zero = zero_in(*(const word_of_bytes *)(bytes + i));
		if (zero)
			return i + (uint32_t)__builtin_ctzll(zero) / 8;
	}
	while (i < got && bytes[i])
		i++;
	return i;
}

/* Where what was read ends by zero bytes, unit of them; got: it does not. */
static inline uint32_t find_end(const uint8_t *bytes, uint32_t got, uint32_t unit)
{
	if (unit == 1)
		return string_end(bytes, got);
	for (uint32_t i = 0; i + unit <= got; i += unit) {
		uint32_t zeroes = 0;
		while (zeroes < unit && !bytes[i + zeroes])
			zeroes++;
		if (zeroes == unit)
			return i;
	}
	return got;
}

/* Copies so many bytes; of a string, up to the word with its end. Returns how many are in front of that. */
static inline uint32_t copy_bytes(uint8_t *to, uint64_t at, uint32_t size, bool is_string)
{
	uint32_t i = 0;
	for (; i + 8 <= size; i += 8) {
		uint64_t word = *(const volatile word_of_bytes *)(at + i);
		*(word_of_bytes *)(to + i) = word;
		uint64_t zero = is_string ? zero_in(word) : 0;
		if (zero)
			return i + (uint32_t)__builtin_ctzll(zero) / 8;
	}
	for (; i < size; i++) {
		to[i] = ((const volatile uint8_t *)at)[i];
		if (is_string && !to[i])
			return i;
	}
	return size;
}

#endif
