/* SPDX-License-Identifier: Apache-2.0 */
#include "values/parameter.h"

#include <bpf/btf.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const struct btf_type *proto_of(const struct fc_types *types, uint32_t func)
{
	const struct btf *btf = fc_types_btf(types);
	return btf__type_by_id(btf, btf__type_by_id(btf, func)->type);
}

uint32_t fc_param_type(const struct fc_types *types, uint32_t func, uint32_t param)
{
	const struct btf_type *proto = proto_of(types, func);
	return param == FC_PARAM_RESULT ? proto->type : btf_params(proto)[param].type;
}

const char *fc_param_name(const struct fc_types *types, uint32_t func, uint32_t param)
{
	const struct btf *btf = fc_types_btf(types);
	const struct btf_type *proto = proto_of(types, func);
	return btf__name_by_offset(btf, param == FC_PARAM_RESULT
						? btf__type_by_id(btf, func)->name_off
						: btf_params(proto)[param].name_off);
}

uint32_t fc_param_nr(const struct fc_types *types, uint32_t func)
{
	const struct btf_type *proto = proto_of(types, func);
	uint32_t nr = btf_vlen(proto);
	return nr - (nr && !btf_params(proto)[nr - 1].type);
}

static bool is_text(const struct fc_types *types, uint32_t func, uint32_t param)
{
	const struct btf *btf = fc_types_btf(types);
	const struct btf_type *type = btf__type_by_id(
		btf, fc_types_resolve(types, fc_param_type(types, func, param)));
	return type && btf_is_ptr(type) && fc_types_is_char(types, type->type);
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
