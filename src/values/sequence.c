/* SPDX-License-Identifier: Apache-2.0 */
#include "values/sequence.h"

#include <bpf/btf.h>
#include <ctype.h>
#include <string.h>

enum {
	WORD = 8,
	MOST_DEPTH = 8,	   /* of structs in structs */
	MOST_MEMBERS = 64, /* looked at */
};

/*
 * What a type's name begins with, what it is called, its members and its size. A member of that name
 * may stand in a struct within it, or in what it is derived from.
 */
static const struct {
	const char *type, *name, *items, *count;
	bool is_end;
	uint32_t size;
} known[] = {
	/* libstdc++; the same words in std::__cxx11 */
	{ "std::basic_string<char,", NULL, "_M_p", "_M_string_length", false, 32 },
	{ "std::basic_string<char>", NULL, "_M_p", "_M_string_length", false, 32 },
	{ "std::basic_string_view<char,", NULL, "_M_str", "_M_len", false, 16 },
	{ "std::vector<", "vector", "_M_start", "_M_finish", true, 24 },
	{ "std::span<", "span", "_M_ptr", "_M_extent_value", false, 16 },
	{ "std::initializer_list<", "initializer_list", "_M_array", "_M_len", false, 16 },
	/* Rust */
	{ "&str", NULL, "data_ptr", "length", false, 16 },
	{ "&mut str", NULL, "data_ptr", "length", false, 16 },
	{ "&[", "slice", "data_ptr", "length", false, 16 },
	{ "&mut [", "slice", "data_ptr", "length", false, 16 },
	{ "alloc::string::String", NULL, "pointer", "len", false, 24 },
	{ "alloc::vec::Vec<", "Vec", "pointer", "len", false, 24 },
};

/* Is name what begins so? "std::__cxx11::x" is "std::x". */
static bool is_named(const char *name, const char *as)
{
	if (!strncmp(name, "std::__", 7)) {
		const char *end = strstr(name + 7, "::");
		if (strncmp(as, "std::", 5) != 0 || !end)
			return false;
		name = end + 2;
		as += 5;
	}
	size_t len = strlen(as);
	bool is_whole = isalnum((unsigned char)as[len - 1]);
	return is_whole ? !strcmp(name, as) : !strncmp(name, as, len);
}

struct search {
	const struct fc_types *types;
	const char *name;
	unsigned nr_members;
};

static const struct btf_type *type_at(const struct search *search, uint32_t *id)
{
	*id = fc_types_resolve(search->types, *id);
	return *id ? btf__type_by_id(fc_types_btf(search->types), *id) : NULL;
}

/* The first member of that name that is no struct: its type, and the byte where it begins. */
static bool find_member(struct search *search, uint32_t id, uint64_t at, unsigned depth,
			uint32_t *type, uint32_t *ret)
{
	const struct btf *btf = fc_types_btf(search->types);
	const struct btf_type *in = type_at(search, &id);
	for (uint32_t i = 0; in && btf_is_struct(in) && i < btf_vlen(in); i++) {
		const struct btf_member *member = btf_members(in) + i;
		const char *name = btf__name_by_offset(btf, member->name_off);
		uint64_t bit = btf_member_bit_offset(in, i);
		uint32_t what = member->type;
		if (search->nr_members++ == MOST_MEMBERS || bit % 8 ||
		    btf_member_bitfield_size(in, i))
			return false;
		const struct btf_type *of = type_at(search, &what);
		bool is_inner = of && btf_is_composite(of);
		if (of && !is_inner && !strcmp(name, search->name)) {
			*type = what;
			*ret = (uint32_t)(at + bit / 8);
			return true;
		}
		if (is_inner && depth < MOST_DEPTH &&
		    find_member(search, what, at + bit / 8, depth + 1, type, ret))
			return true;
	}
	return false;
}

static bool find(const struct fc_types *types, uint32_t id, const char *name, uint32_t *type,
		 uint32_t *ret)
{
	struct search search = { types, name, 0 };
	return find_member(&search, id, 0, 0, type, ret);
}

/* What a pointer leads to; 0: it is none, or to nothing that has a size. */
static uint32_t beneath(const struct fc_types *types, uint32_t id)
{
	const struct btf_type *type = btf__type_by_id(fc_types_btf(types), id);
	return type && btf_is_ptr(type) && fc_types_size(types, type->type) ? type->type : 0;
}

/* A pointer to what Rust's Vec is of: its own may be one to bytes. 0: there is none. */
static uint32_t named_pointer(const struct fc_types *types, uint32_t id)
{
	uint32_t array, at, item;
	if (!find(types, id, "T", &array, &at) || !fc_types_item(types, array, &item))
		return 0;
	item = fc_types_resolve(types, item);
	return beneath(types, item) ? item : 0;
}

static bool is_count(const struct fc_types *types, uint32_t id, bool is_end)
{
	const struct btf_type *type = btf__type_by_id(fc_types_btf(types), id);
	return is_end ? beneath(types, id)
		      : type && btf_is_int(type) && type->size == WORD &&
				!(btf_int_encoding(type) & BTF_INT_SIGNED);
}

bool fc_sequence_find(const struct fc_types *types, uint32_t id, struct fc_sequence *ret)
{
	uint32_t what = fc_types_resolve(types, id), pointer, count;
	const struct btf_type *type = what ? btf__type_by_id(fc_types_btf(types), what) : NULL;
	if (!type || !btf_is_struct(type))
		return false;
	const char *name = btf__name_by_offset(fc_types_btf(types), type->name_off);
	size_t i = 0, nr = sizeof(known) / sizeof(known[0]);
	while (i < nr && !is_named(name, known[i].type))
		i++;
	*ret = (struct fc_sequence){ 0 };
	if (i == nr || type->size != known[i].size ||
	    !find(types, what, known[i].items, &pointer, &ret->at) ||
	    !find(types, what, known[i].count, &count, &ret->count_at) ||
	    !is_count(types, count, known[i].is_end))
		return false;
	uint32_t named = named_pointer(types, what);
	ret->name = known[i].name;
	ret->is_end = known[i].is_end;
	ret->pointer = named ? named : pointer;
	ret->item = beneath(types, ret->pointer);
	uint64_t size = fc_types_size(types, ret->item);
	ret->size = size < UINT16_MAX ? (uint32_t)size : 0;
	return ret->size && (ret->name || ret->size == 1) && ret->at + WORD <= type->size &&
	       ret->count_at + WORD <= type->size;
}
