/* SPDX-License-Identifier: Apache-2.0 */
/* checksum.h - CRC-32C (Castagnoli, as iSCSI and btrfs use it) of some bytes. */
#ifndef FC_TRACE_CHECKSUM_H
#define FC_TRACE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

uint32_t fc_checksum(const void *bytes, size_t n);
/* The checksum of what sum is of, followed by n more bytes. */
uint32_t fc_checksum_more(uint32_t sum, const void *bytes, size_t n);

/* The same without the instruction that some CPUs have for it. */
uint32_t fc_checksum_by_table(const void *bytes, size_t n);

#endif
