/* SPDX-License-Identifier: Apache-2.0 */
/* target_bytes.h - bytes in the memory of a thread that stands still. */
#ifndef FC_CAPTURE_TARGET_TARGET_BYTES_H
#define FC_CAPTURE_TARGET_TARGET_BYTES_H

#include <stddef.h>
#include <stdint.h>

/* How many are there, up to size, in a row: the page behind them may not be. */
size_t fc_target_bytes(int tid, uint64_t taddr, void *ret, size_t size);

#endif
