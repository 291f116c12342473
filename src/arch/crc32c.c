/* SPDX-License-Identifier: Apache-2.0 */
/* crc32c.c - CRC-32C by the SSE4.2 instruction. */
#include "arch/crc32c.h"

#include "base/little.h"

#if defined(__x86_64__)

bool fc_arch_has_crc32c(void)
{
	return __builtin_cpu_supports("sse4.2");
}

/* SSE 4.2 has an instruction for this very polynomial. */
__attribute__((target("sse4.2"))) uint32_t fc_arch_crc32c(uint32_t crc, const uint8_t *p,
							  size_t n)
{
	uint64_t wide = crc;
	for (; n >= 8; n -= 8, p += 8)
		wide = __builtin_ia32_crc32di(wide, fc_get_64(p));
	crc = (uint32_t)wide;
	for (; n; n--, p++)
		crc = __builtin_ia32_crc32qi(crc, *p);
	return crc;
}

#else

bool fc_arch_has_crc32c(void)
{
	return false;
}

uint32_t fc_arch_crc32c(uint32_t crc, const uint8_t *p, size_t n)
{
	return crc;
}

#endif
