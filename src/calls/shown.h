/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shown.h - the names that functions are shown by, made of their symbols once.
 *
 * Any thread may ask at any time. What a forged trace can make of this is bounded: when the
 * names fill 64 MiB, further ones are their symbols.
 */
#ifndef FC_CALLS_SHOWN_H
#define FC_CALLS_SHOWN_H

#include <stdint.h>

#include "base/demangle.h"

struct fc_shown;
struct fc_shown *fc_shown_create(enum fc_demangle form);
void fc_shown_destroy(struct fc_shown *shown);

/*
 * What to show for this function, whose symbol is the same each time it is asked for and lives
 * as long as shown, as what is returned does.
 */
const char *fc_shown_get(struct fc_shown *shown, uint32_t func, const char *symbol);

#endif
