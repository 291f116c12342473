/* SPDX-License-Identifier: Apache-2.0 */
#include "values/parameter.h"

#include <bpf/btf.h>

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
