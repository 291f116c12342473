/* SPDX-License-Identifier: Apache-2.0 */
/* fnv.h - the hash FNV-1a, of 64 bits (draft-eastlake-fnv). */
#ifndef FC_BASE_FNV_H
#define FC_BASE_FNV_H

#include <stddef.h>
#include <stdint.h>

#define FC_FNV_BEGIN UINT64_C(0xcbf29ce484222325)

/* With value behind what was hashed: a byte, or a number as a whole. */
static inline uint64_t fc_fnv(uint64_t hash, uint64_t value)
{
	return (hash ^ value) * UINT64_C(0x100000001b3);
}

static inline uint64_t fc_fnv_bytes(uint64_t hash, const uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		hash = fc_fnv(hash, bytes[i]);
	return hash;
}

static inline uint64_t fc_fnv_text(const char *text)
{
	uint64_t hash = FC_FNV_BEGIN;
	for (; *text; text++)
		hash = fc_fnv(hash, (uint8_t)*text);
	return hash;
}

#endif
