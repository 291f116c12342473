/* SPDX-License-Identifier: Apache-2.0 */
/* driver.h - between a generated program and the driver that looks at its calls. */
#ifndef DRIVER_H
#define DRIVER_H

#ifdef __cplusplus
extern "C" {
#endif

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "values/types.h"

/* ---- what is generated ---- */

extern const unsigned nr_funcs;
extern void (*const calls[])(void); /* each calls function number i, f_i, by its shim */
/* The types of all, and the functions by name. */
void describe(struct fc_types *types);

/* ---- what the driver gives ---- */

void fill(void *at, size_t size);
uint64_t number(void);
/* Parameter i of the next call; the result is -1. Only bits of mask count; they stay valid. */
void expect(int i, const void *bytes, const void *mask, size_t size);
/* The first bit that is set, and how many are. */
void bits_of(const void *bytes, size_t size, struct fc_member *ret);

#ifdef __cplusplus
}
#endif

#endif
