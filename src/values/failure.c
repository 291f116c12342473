/* SPDX-License-Identifier: Apache-2.0 */
/* failure.c - compares a result with what the tags of its function or type call a failure. */
#include "values/failure.h"

#include <stdlib.h>
#include <string.h>

#include "values/parameter.h"
#include "values/type.h"

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
	struct fc_type type = fc_type_at(types, fc_param_type(types, func, FC_PARAM_RESULT));
	const char *tag = tag_of(types, func, type.id);
	if (!type.id || !strcmp(tag, "fails(never)") || !strcmp(tag, "fails(ERANGE)"))
		return false;
	if (!strcmp(tag, "fails(error)"))
		return number < 0 && number > -FC_ERRORS;
	if (type.kind == FC_TYPE_POINTER)
		return number == -1 || (!number && strcmp(tag, "fails(-1)") != 0);
	if (!fc_type_is_whole(&type))
		return false;
	if (!strcmp(tag, "fails(nonzero)"))
		return number;
	if (!strncmp(tag, but, sizeof(but) - 1))
		return number && !is_listed(tag + sizeof(but) - 1, number);
	if (!strcmp(tag, "fails(not positive)"))
		return number <= 0;
	return fc_types_is_signed(types, type.id) && number < 0 && number > -FC_ERRORS;
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
