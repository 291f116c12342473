/* SPDX-License-Identifier: Apache-2.0 */
/* type.c - reads a type, its members and its tags from the table. */
#include "values/type.h"

#include <bpf/btf.h>
#include <linux/btf.h>

#include "base/memory.h"
#include "values/types_private.h"

static const char *name_of(const struct fc_types *types, uint32_t at)
{
	const char *name = btf__str_by_offset(fc_types_btf(types), at);
	return name ? name : "";
}

static enum fc_type_kind kind_of(const struct btf_type *type)
{
	static const uint8_t kinds[] = {
		[BTF_KIND_INT] = FC_TYPE_INT,
		[BTF_KIND_FLOAT] = FC_TYPE_FLOAT,
		[BTF_KIND_ENUM] = FC_TYPE_ENUM,
		[BTF_KIND_ENUM64] = FC_TYPE_ENUM,
		[BTF_KIND_PTR] = FC_TYPE_POINTER,
		[BTF_KIND_ARRAY] = FC_TYPE_ARRAY,
		[BTF_KIND_STRUCT] = FC_TYPE_STRUCT,
		[BTF_KIND_UNION] = FC_TYPE_UNION,
		[BTF_KIND_FWD] = FC_TYPE_FORWARD,
		[BTF_KIND_FUNC_PROTO] = FC_TYPE_PROTO,
		[BTF_KIND_FUNC] = FC_TYPE_FUNC,
		[BTF_KIND_CONST] = FC_TYPE_CONST,
		[BTF_KIND_VOLATILE] = FC_TYPE_QUALIFIED,
		[BTF_KIND_RESTRICT] = FC_TYPE_QUALIFIED,
		[BTF_KIND_TYPE_TAG] = FC_TYPE_QUALIFIED,
		[BTF_KIND_TYPEDEF] = FC_TYPE_TYPEDEF,
	};
	unsigned kind = btf_kind(type);
	return kind < sizeof(kinds) ? kinds[kind] : FC_TYPE_NONE;
}

static enum fc_number_kind number_of(const struct btf_type *type)
{
	uint8_t encoding = btf_int_encoding(type);
	return encoding & BTF_INT_BOOL	   ? FC_NUMBER_BOOL
	       : encoding & BTF_INT_CHAR   ? FC_NUMBER_CHAR
	       : encoding & BTF_INT_SIGNED ? FC_NUMBER_SIGNED
					   : FC_NUMBER_UNSIGNED;
}

static void view_proto(const struct btf_type *type, struct fc_type *ret)
{
	const struct btf_param *params = btf_params(type);
	ret->of = type->type;
	ret->nr = btf_vlen(type);
	/* As the kernel has it: "..." has no type. */
	ret->is_variadic = ret->nr && !params[ret->nr - 1].type;
	ret->nr -= ret->is_variadic;
}

/* Set the fields that depend on what stands behind the type, by its kind. */
static void view_parts(const struct btf_type *type, struct fc_type *ret)
{
	switch (ret->kind) {
	case FC_TYPE_INT:
		ret->number = number_of(type);
		ret->size = type->size;
		break;
	case FC_TYPE_FLOAT:
		ret->size = type->size;
		break;
	case FC_TYPE_ENUM:
		ret->is_signed = btf_kflag(type);
		ret->size = type->size;
		ret->nr = btf_vlen(type);
		break;
	case FC_TYPE_STRUCT:
	case FC_TYPE_UNION:
		ret->is_union = ret->kind == FC_TYPE_UNION;
		ret->size = type->size;
		ret->nr = btf_vlen(type);
		break;
	case FC_TYPE_ARRAY:
		ret->of = btf_array(type)->type;
		ret->nr = btf_array(type)->nelems;
		break;
	case FC_TYPE_FORWARD:
		ret->is_union = btf_kflag(type);
		break;
	case FC_TYPE_PROTO:
		view_proto(type, ret);
		break;
	case FC_TYPE_POINTER:
		ret->size = FC_TYPES_POINTER;
		ret->of = type->type;
		break;
	default:
		ret->of = type->type;
		break;
	}
}

/* Views of all types: each as it is named, and without typedefs and qualifiers. */
struct views {
	uint32_t nr;
	struct {
		struct fc_type as_named;
		uint32_t resolved;
	} at[];
};

static struct fc_type view(const struct fc_types *types, uint32_t id)
{
	struct fc_type ret = { .name = "", .types = types };
	const struct btf_type *type = id ? btf__type_by_id(fc_types_btf(types), id) : NULL;
	if (!type)
		return ret;
	ret.kind = kind_of(type);
	if (ret.kind == FC_TYPE_NONE)
		return ret;
	ret.id = id;
	ret.name = name_of(types, type->name_off);
	ret.tags = fc_types_tags(types, id);
	ret.its = type;
	view_parts(type, &ret);
	return ret;
}

void fc_type_keep_all(struct fc_types *types)
{
	enum { MOST = 1 << 13 }; /* 80 bytes each */
	uint32_t nr = btf__type_cnt(fc_types_btf(types));
	if (nr > MOST)
		return;
	struct views *views = fc_alloc(sizeof(*views) + nr * sizeof(views->at[0]));
	views->nr = nr;
	for (uint32_t id = 0; id < nr; id++) {
		views->at[id].as_named = view(types, id);
		views->at[id].resolved = fc_types_resolve(types, id);
	}
	fc_types_keep_views(types, views);
}

struct fc_type fc_type_as_named(const struct fc_types *types, uint32_t id)
{
	const struct views *views = fc_types_views(types);
	return views && id < views->nr ? views->at[id].as_named : view(types, id);
}

struct fc_type fc_type_at(const struct fc_types *types, uint32_t id)
{
	const struct views *views = fc_types_views(types);
	if (views && id < views->nr)
		return views->at[views->at[id].resolved].as_named;
	return view(types, fc_types_resolve(types, id));
}

struct fc_type fc_type_of_func(const struct fc_types *types, uint32_t func)
{
	struct fc_type its = fc_type_as_named(types, func);
	struct fc_type proto = fc_type_as_named(types, its.kind == FC_TYPE_FUNC ? its.of : 0);
	return proto.kind == FC_TYPE_PROTO ? proto : fc_type_as_named(types, 0);
}

struct fc_member fc_type_member(const struct fc_type *type, uint32_t i)
{
	const struct btf_member *member = btf_members(type->its) + i;
	return (struct fc_member){
		.name = name_of(type->types, member->name_off),
		.type = member->type,
		.bit = btf_member_bit_offset(type->its, i),
		.bits = btf_member_bitfield_size(type->its, i),
	};
}

struct fc_enumerator fc_type_enumerator(const struct fc_type *type, uint32_t i)
{
	const struct btf_enum *narrow = btf_enum(type->its) + i;
	const struct btf_enum64 *wide = btf_enum64(type->its) + i;
	if (btf_is_enum64(type->its))
		return (struct fc_enumerator){ name_of(type->types, wide->name_off),
					       (int64_t)btf_enum64_value(wide) };
	return (struct fc_enumerator){ name_of(type->types, narrow->name_off),
				       type->is_signed ? narrow->val
						       : (int64_t)(uint32_t)narrow->val };
}

struct fc_param fc_type_param(const struct fc_type *proto, uint32_t i)
{
	const struct btf_param *param = btf_params(proto->its) + i;
	return (struct fc_param){ name_of(proto->types, param->name_off), param->type };
}
