/* SPDX-License-Identifier: Apache-2.0 */
/* amount.c - formats a number of bytes. */
#include "cmd/out/amount.h"

#include <stdio.h>

void fc_amount_text(uint64_t bytes, char ret[FC_AMOUNT_TEXT])
{
	static const char *const units[] = { "bytes", "KB", "MB", "GB", "TB" };
	double amount = (double)bytes;
	size_t unit = 0;

	for (; amount >= 999.5 && unit + 1 < sizeof(units) / sizeof(units[0]); unit++)
		amount /= 1000;
	snprintf(ret, FC_AMOUNT_TEXT, "%.*f %s", unit && amount < 99.95 ? 1 : 0, amount,
		 units[unit]);
}
