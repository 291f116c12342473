/* SPDX-License-Identifier: Apache-2.0 */
/* sequence.c - recognizes strings and vectors by their members. */
#include "values/sequence.h"

#include <ctype.h>
#include <string.h>

#include "values/type.h"

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

/* The first member of that name that is no struct: its type, and the byte where it begins. */
static bool find_member(struct search *search, uint32_t id, uint64_t at, unsigned depth,
			uint32_t *type, uint32_t *ret)
{
	struct fc_type in = fc_type_at(search->types, id);
	for (uint32_t i = 0; in.kind == FC_TYPE_STRUCT && i < in.nr; i++) {
		struct fc_member member = fc_type_member(&in, i);
		if (search->nr_members++ == MOST_MEMBERS || member.bit % 8 || member.bits)
			return false;
		struct fc_type of = fc_type_at(search->types, member.type);
		bool is_inner = fc_type_has_members(&of);
		if (of.id && !is_inner && !strcmp(member.name, search->name)) {
			*type = of.id;
			*ret = (uint32_t)(at + member.bit / 8);
			return true;
		}
		if (is_inner && depth < MOST_DEPTH &&
		    find_member(search, of.id, at + member.bit / 8, depth + 1, type, ret))
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

/* The type that a pointer leads to; 0: it is no pointer, or that type has no size. */
static uint32_t beneath(const struct fc_types *types, uint32_t id)
{
	struct fc_type type = fc_type_as_named(types, id);
	return type.kind == FC_TYPE_POINTER && fc_types_size(types, type.of) ? type.of : 0;
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
	struct fc_type type = fc_type_as_named(types, id);
	return is_end ? beneath(types, id)
		      : type.kind == FC_TYPE_INT && type.size == WORD &&
				type.number != FC_NUMBER_SIGNED;
}

bool fc_sequence_find(const struct fc_types *types, uint32_t id, struct fc_sequence *ret)
{
	struct fc_type type = fc_type_at(types, id);
	uint32_t pointer, count;
	if (type.kind != FC_TYPE_STRUCT)
		return false;
	size_t i = 0, nr = sizeof(known) / sizeof(known[0]);
	while (i < nr && !is_named(type.name, known[i].type))
		i++;
	*ret = (struct fc_sequence){ 0 };
	if (i == nr || type.size != known[i].size ||
	    !find(types, type.id, known[i].items, &pointer, &ret->at) ||
	    !find(types, type.id, known[i].count, &count, &ret->count_at) ||
	    !is_count(types, count, known[i].is_end))
		return false;
	uint32_t named = named_pointer(types, type.id);
	ret->name = known[i].name;
	ret->is_end = known[i].is_end;
	ret->pointer = named ? named : pointer;
	ret->item = beneath(types, ret->pointer);
	uint64_t size = fc_types_size(types, ret->item);
	ret->size = size < UINT16_MAX ? (uint32_t)size : 0;
	return ret->size && (ret->name || ret->size == 1) && ret->at + WORD <= type.size &&
	       ret->count_at + WORD <= type.size;
}
