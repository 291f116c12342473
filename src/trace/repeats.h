/* SPDX-License-Identifier: Apache-2.0 */
/*
 * repeats.h - a column of times, compressed by its long repeats alone.
 *
 * A byte of it is worth a bit or two: to tell where a short repeat stands costs more, in room
 * and in time, than its bytes. What makes it small are stretches that come again for long,
 * and that most other bytes are one of a few.
 *
 *   times   3 9 3 3 1 | 3 3 4 3 7 ... 3 3 4 | 8 3 3 3 ...
 *           literals  | as 700 bytes before | literals
 */
#ifndef FC_TRACE_REPEATS_H
#define FC_TRACE_REPEATS_H

#include <zstd.h>

#include "trace/bytes.h"

/* As fc_deflate(), to be read by the same fc_inflate(). */
size_t fc_repeats_deflate(ZSTD_CCtx *zstd, const void *raw, size_t n, struct fc_bytes *out);

#endif
