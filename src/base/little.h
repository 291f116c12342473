/* SPDX-License-Identifier: Apache-2.0 */
/* little.h - numbers as little-endian bytes, wherever these stand; as x86-64 has them, and files. */
#ifndef FC_BASE_LITTLE_H
#define FC_BASE_LITTLE_H

#include <endian.h>
#include <stdint.h>
#include <string.h>

/* Each returns the place behind what it wrote. */
static inline void *fc_put_16(void *at, uint16_t v)
{
	v = htole16(v);
	memcpy(at, &v, sizeof(v));
	return (uint8_t *)at + sizeof(v);
}

static inline void *fc_put_32(void *at, uint32_t v)
{
	v = htole32(v);
	memcpy(at, &v, sizeof(v));
	return (uint8_t *)at + sizeof(v);
}

static inline void *fc_put_64(void *at, uint64_t v)
{
	v = htole64(v);
	memcpy(at, &v, sizeof(v));
	return (uint8_t *)at + sizeof(v);
}

static inline uint16_t fc_get_16(const void *at)
{
	uint16_t v;
	memcpy(&v, at, sizeof(v));
	return le16toh(v);
}

static inline uint32_t fc_get_32(const void *at)
{
	uint32_t v;
	memcpy(&v, at, sizeof(v));
	return le32toh(v);
}

static inline uint64_t fc_get_64(const void *at)
{
	uint64_t v;
	memcpy(&v, at, sizeof(v));
	return le64toh(v);
}

#endif
