/* SPDX-License-Identifier: Apache-2.0 */
/* rustcall.h - how Rust passes values to functions of its own. */
#ifndef FC_DWARF_RUSTCALL_H
#define FC_DWARF_RUSTCALL_H

#include <stdbool.h>
#include <stdint.h>

struct fc_typegraph;

/*
 * Rust does not say how; but numbers, pointers and slices, if registers are enough for them, are
 * passed as the ABI of C does. Are these all that a function of that type takes and returns?
 */
bool fc_rustcall_is_plain(const struct fc_typegraph *graph, uint32_t proto);

#endif
