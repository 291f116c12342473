/* SPDX-License-Identifier: Apache-2.0 */
/* crc32c.h - CRC-32C by an instruction of the CPU, where there is one. */
#ifndef FC_ARCH_CRC32C_H
#define FC_ARCH_CRC32C_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* May fc_arch_crc32c() be called? */
bool fc_arch_has_crc32c(void);

/* crc goes on over n bytes; it is inverted before and after. */
uint32_t fc_arch_crc32c(uint32_t crc, const uint8_t *p, size_t n);

#endif
