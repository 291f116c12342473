/* SPDX-License-Identifier: Apache-2.0 */
/* code_names.h - functions by the addresses that they have in processes: what a pointer to one is called. */
#ifndef FC_CALLS_CODE_CODE_NAMES_H
#define FC_CALLS_CODE_CODE_NAMES_H

#include "calls/names.h"
#include "values/text.h"

struct fc_code;

/* form: how names are shown of functions that have no ids; namer knows those that have. */
struct fc_code *fc_code_create(struct fc_namer namer, enum fc_demangle form);
void fc_code_destroy(struct fc_code *code);

/* Copies what it needs. */
void fc_code_add_module(struct fc_code *code, const struct fc_module_info *module);
/* Maps beyond the first 4096 different ones are not looked at. */
void fc_code_add_map(struct fc_code *code, const struct fc_map_info *map);

/*
 * The name of the function that begins at this address, in whichever process: it lives as long as
 * code. NULL: none is known to do so, or functions of several names are.
 */
const char *fc_code_name_at(const struct fc_code *code, uint64_t address);
/* The same, for struct fc_value_code. */
struct fc_value_code fc_code_for_values(const struct fc_code *code);

#endif
