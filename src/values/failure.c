/* SPDX-License-Identifier: Apache-2.0 */
#include "values/failure.h"

#include <bpf/btf.h>
#include <stdlib.h>
#include <string.h>

static const struct btf_type *type_at(const struct fc_types *types, uint32_t id)
{
	return id ? btf__type_by_id(fc_types_btf(types), id) : NULL;
}

static uint32_t result_of(const struct fc_types *types, uint32_t func)
{
	return fc_types_resolve(types, type_at(types, type_at(types, func)->type)->type);
}

/* "": there is none. */
static const char *tag_of(const struct fc_types *types, uint32_t func, uint32_t result)
{
	const char *tag = fc_types_tagged(types, func, "fails");
	tag = tag || !result ? tag : fc_types_tagged(types, result, "fails");
	return tag ? tag : "";
}

/* Is it among "1,2)"? */
static bool is_listed(const char *list, int64_t number)
{
	for (char *end;; list = end + 1) {
		int64_t one = strtoll(list, &end, 10);
		if (end == list || one == number || *end != ',')
			return end != list && one == number;
	}
}

bool fc_value_is_failure(const struct fc_types *types, uint32_t func, int64_t number)
{
	static const char but[] = "fails(nonzero, not ";
	uint32_t result = result_of(types, func);
	const struct btf_type *type = type_at(types, result);
	const char *tag = tag_of(types, func, result);
	if (!type || !strcmp(tag, "fails(never)") || !strcmp(tag, "fails(ERANGE)"))
		return false;
	if (!strcmp(tag, "fails(error)"))
		return number < 0 && number > -FC_ERRORS;
	if (btf_is_ptr(type))
		return number == -1 || (!number && strcmp(tag, "fails(-1)") != 0);
	if (!btf_is_int(type) && !btf_is_any_enum(type))
		return false;
	if (!strcmp(tag, "fails(nonzero)"))
		return number;
	if (!strncmp(tag, but, sizeof(but) - 1))
		return number && !is_listed(tag + sizeof(but) - 1, number);
	if (!strcmp(tag, "fails(not positive)"))
		return number <= 0;
	return fc_types_is_signed(types, result) && number < 0 && number > -FC_ERRORS;
}

bool fc_value_is_range(const struct fc_types *types, uint32_t func)
{
	const char *tag = fc_types_tagged(types, func, "fails");
	return tag && !strcmp(tag, "fails(ERANGE)");
}

bool fc_value_is_errno(const struct fc_types *types, uint32_t func)
{
	const char *tag = fc_types_tagged(types, func, "fails");
	return tag && !strcmp(tag, "fails(nonzero)");
}
