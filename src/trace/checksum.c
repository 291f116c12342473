/* SPDX-License-Identifier: Apache-2.0 */
/* checksum.c - CRC-32C by a table, or by the CPU's instruction. */
#include "trace/checksum.h"

#include <pthread.h>

#include "arch/crc32c.h"
#include "base/little.h"

#define POLYNOMIAL 0x82f63b78u /* RFC 3720 B.4, bits reversed */

/*
 * table[k][b] is the checksum of byte b followed by k zero bytes, so that eight bytes are
 * done with eight independent look-ups ("slicing by 8", Kounavis and Berry, 2005).
 */
static uint32_t table[8][256];

static void table_fill(void)
{
	for (uint32_t b = 0; b < 256; b++) {
		uint32_t crc = b;
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? POLYNOMIAL : 0);
		table[0][b] = crc;
	}
	for (int k = 1; k < 8; k++)
		for (int b = 0; b < 256; b++)
			table[k][b] = table[k - 1][b] >> 8 ^ table[0][table[k - 1][b] & 0xff];
}

/* crc is inverted before and after. */
static uint32_t by_table(uint32_t crc, const uint8_t *p, size_t n)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, table_fill);
	for (; n >= 8; n -= 8, p += 8) {
		uint64_t v = fc_get_64(p) ^ crc;
		crc = table[7][v & 0xff] ^ table[6][v >> 8 & 0xff] ^ table[5][v >> 16 & 0xff] ^
		      table[4][v >> 24 & 0xff] ^ table[3][v >> 32 & 0xff] ^
		      table[2][v >> 40 & 0xff] ^ table[1][v >> 48 & 0xff] ^ table[0][v >> 56];
	}
	for (; n; n--, p++)
		crc = crc >> 8 ^ table[0][(crc ^ *p) & 0xff];
	return crc;
}

uint32_t fc_checksum_more(uint32_t sum, const void *bytes, size_t n)
{
	return ~(fc_arch_has_crc32c() ? fc_arch_crc32c : by_table)(~sum, bytes, n);
}

uint32_t fc_checksum(const void *bytes, size_t n)
{
	return fc_checksum_more(0, bytes, n);
}

uint32_t fc_checksum_by_table(const void *bytes, size_t n)
{
	return ~by_table(UINT32_MAX, bytes, n);
}
