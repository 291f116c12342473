/* SPDX-License-Identifier: Apache-2.0 */
/* parameter.c - looks up the attributes of a parameter. */
#include "values/parameter.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "values/type.h"

uint32_t fc_param_type(const struct fc_types *types, uint32_t func, uint32_t param)
{
	struct fc_type proto = fc_type_of_func(types, func);
	return param == FC_PARAM_RESULT ? proto.of : fc_type_param(&proto, param).type;
}

const char *fc_param_name(const struct fc_types *types, uint32_t func, uint32_t param)
{
	struct fc_type proto = fc_type_of_func(types, func);
	return param == FC_PARAM_RESULT ? fc_type_as_named(types, func).name
					: fc_type_param(&proto, param).name;
}

uint32_t fc_param_nr(const struct fc_types *types, uint32_t func)
{
	return fc_type_of_func(types, func).nr;
}

static bool is_text(const struct fc_types *types, uint32_t func, uint32_t param)
{
	struct fc_type type = fc_type_at(types, fc_param_type(types, func, param));
	return type.kind == FC_TYPE_POINTER && fc_types_is_char(types, type.of);
}

static bool is_called(const struct fc_types *types, uint32_t func, uint32_t param,
		      const char *const names[])
{
	const char *name = fc_param_name(types, func, param);
	while (*name == '_')
		name++;
	for (size_t i = 0; names[i]; i++)
		if (!strcasecmp(name, names[i]))
			return true;
	return false;
}

/* Numbers of the tag, from 1; 0: the result. */
static bool is_tagged(const struct fc_types *types, uint32_t func, uint32_t param,
		      uint32_t *ret)
{
	const char *tag;
	for (size_t i = 0; (tag = fc_types_tag_at(types, func, i)); i++) {
		unsigned name, value;
		if (sscanf(tag, "names(%u,%u)", &name, &value) != 2 || !name ||
		    name > fc_param_nr(types, func) ||
		    (value ? value - 1 : FC_PARAM_RESULT) != param)
			continue;
		*ret = name - 1;
		return true;
	}
	return false;
}

bool fc_param_named_by(const struct fc_types *types, uint32_t func, uint32_t param,
		       uint32_t *ret)
{
	static const char *const names[] = { "name",	"var",	"varname", "variable",
					     "option",	"opt",	"header",  "field",
					     "setting", "attr", "param",   NULL };
	static const char *const values[] = { "value", "val", NULL };
	const char *called = fc_param_name(types, func, FC_PARAM_RESULT);
	uint32_t nr = fc_param_nr(types, func);
	if (is_tagged(types, func, param, ret))
		return true;
	*ret = 0;
	if (param == FC_PARAM_RESULT)
		return strcasestr(called, "getenv") && nr && is_text(types, func, 0);
	if (!param || param >= nr || !is_text(types, func, param) ||
	    !is_text(types, func, param - 1))
		return false;
	*ret = param - 1;
	return (param == 1 && strcasestr(called, "setenv")) ||
	       (is_called(types, func, param, values) &&
		is_called(types, func, param - 1, names));
}
