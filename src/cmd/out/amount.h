/* SPDX-License-Identifier: Apache-2.0 */
/* amount.h - bytes as people say them. */
#ifndef FC_CMD_OUT_AMOUNT_H
#define FC_CMD_OUT_AMOUNT_H

#include <stddef.h>
#include <stdint.h>

enum { FC_AMOUNT_TEXT = 32 };

/* "12.3 MB" of 12345678, "17 bytes". */
void fc_amount_text(uint64_t bytes, char ret[FC_AMOUNT_TEXT]);

#endif
