/* SPDX-License-Identifier: Apache-2.0 */
/* die.h - what an entry of debug information says of itself, as elfutils' libdw reads it. */
#ifndef FC_DWARF_TYPES_DIE_H
#define FC_DWARF_TYPES_DIE_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

/* A number; is it there? As it is stored, without a sign, or with one. */
bool fc_die_number(Dwarf_Die *die, unsigned int attribute, uint64_t *ret);
bool fc_die_signed(Dwarf_Die *die, unsigned int attribute, int64_t *ret);

/* Is it there, and does it say yes? Of the entry itself, not of what it comes from. */
bool fc_die_flag(Dwarf_Die *die, unsigned int attribute);

/* The entry that it refers to. */
bool fc_die_ref(Dwarf_Die *die, unsigned int attribute, Dwarf_Die *ret);

/* Its name, or that of what it comes from; NULL: it has none. */
const char *fc_die_name(Dwarf_Die *die);

/* Its type, or that of what it comes from. */
bool fc_die_type(Dwarf_Die *die, Dwarf_Die *ret);

/* DW_LANG_… of its unit; 0: not told. */
int fc_die_language(Dwarf_Die *die);
bool fc_language_is_c(int language);

#endif
