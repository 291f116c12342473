/* SPDX-License-Identifier: Apache-2.0 */
/* sound.c - checks a table of types before it is used. */
#include "values/sound.h"

#include <errno.h>
#include <linux/btf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/vec.h"

enum {
	MAX_DEPTH = 64, /* types within types; no more is followed anywhere */
	POINTER_SIZE = 8,
	NAMES_FREE = 1 << 20, /* bytes */
	NAMES_RATIO = 16,     /* of the whole table, and more than that */
};

#define MAX_SIZE (UINT64_C(1) << 32) /* of what a type tells, in bytes */

struct table {
	const uint8_t *types;
	uint32_t size;
	const char *strings;
	uint32_t nr_chars;
	FC_VEC(uint32_t) at;	/* of each type, by id; that of void is not used */
	FC_VEC(uint64_t) sizes; /* UINT64_MAX: not asked for yet */
};

static int refuse(const char *why)
{
	return fc_fail(EBADMSG, "the table of types is damaged: %s", why);
}

static const struct btf_type *type_at(const struct table *table, uint32_t id)
{
	return (const void *)(table->types + table->at.at[id]);
}

static unsigned kind_of(const struct btf_type *type)
{
	return BTF_INFO_KIND(type->info);
}

/* The size of each item behind a type of this kind. */
static size_t item_size(unsigned kind)
{
	switch (kind) {
	case BTF_KIND_INT:
	case BTF_KIND_DECL_TAG:
		return sizeof(uint32_t);
	case BTF_KIND_ARRAY:
		return sizeof(struct btf_array);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return sizeof(struct btf_member);
	case BTF_KIND_ENUM:
		return sizeof(struct btf_enum);
	case BTF_KIND_ENUM64:
		return sizeof(struct btf_enum64);
	case BTF_KIND_FUNC_PROTO:
		return sizeof(struct btf_param);
	default:
		return 0;
	}
}

static size_t nr_items(const struct btf_type *type)
{
	switch (kind_of(type)) {
	case BTF_KIND_INT:
	case BTF_KIND_DECL_TAG:
	case BTF_KIND_ARRAY:
		return 1;
	default:
		return BTF_INFO_VLEN(type->info);
	}
}

static bool is_known_kind(unsigned kind)
{
	switch (kind) {
	case BTF_KIND_INT:
	case BTF_KIND_PTR:
	case BTF_KIND_ARRAY:
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
	case BTF_KIND_FWD:
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_CONST:
	case BTF_KIND_FUNC:
	case BTF_KIND_FUNC_PROTO:
	case BTF_KIND_FLOAT:
	case BTF_KIND_DECL_TAG:
		return true;
	default:
		return false;
	}
}

static int find_sections(struct table *table, const uint8_t *bytes, size_t size)
{
	struct btf_header head;
	if (size < sizeof(head) || size > INT32_MAX)
		return refuse("it has no head");
	memcpy(&head, bytes, sizeof(head));
	if (head.magic != BTF_MAGIC || head.version != BTF_VERSION || head.flags ||
	    head.hdr_len != sizeof(head))
		return refuse("it has another head");
	size -= sizeof(head);
	if (head.type_off || head.type_len % 4 || head.type_len > size ||
	    head.str_off != head.type_len || head.str_len != size - head.type_len)
		return refuse("its parts are not where it says");
	table->types = bytes + sizeof(head);
	table->size = head.type_len;
	table->strings = (const char *)table->types + head.str_off;
	table->nr_chars = head.str_len;
	if (!head.str_len || table->strings[0] || table->strings[head.str_len - 1])
		return refuse("its strings do not end");
	return 0;
}

/* Find the place of each type. */
static int find_types(struct table *table)
{
	uint32_t at = 0;
	fc_vec_push(&table->at, 0);
	while (at < table->size) {
		const struct btf_type *type = (const void *)(table->types + at);
		if (table->size - at < sizeof(*type))
			return refuse("its last type is cut off");
		if (!is_known_kind(kind_of(type)))
			return refuse("it has types of an unknown kind");
		size_t size = sizeof(*type) + nr_items(type) * item_size(kind_of(type));
		if (table->size - at < size)
			return refuse("its last type is cut off");
		fc_vec_push(&table->at, at);
		at += (uint32_t)size;
	}
	while (table->sizes.nr < table->at.nr)
		fc_vec_push(&table->sizes, UINT64_MAX);
	return 0;
}

static bool is_type(const struct table *table, uint32_t id)
{
	return id < table->at.nr;
}

static bool is_string(const struct table *table, uint32_t at)
{
	return at < table->nr_chars;
}

static bool is_of(const struct table *table, uint32_t id, unsigned kind)
{
	return id && is_type(table, id) && kind_of(type_at(table, id)) == kind;
}

static bool has_string_behind(const struct table *table, const struct btf_type *type)
{
	const uint8_t *item = (const uint8_t *)(type + 1);
	unsigned kind = kind_of(type);
	bool has_names = kind == BTF_KIND_STRUCT || kind == BTF_KIND_UNION ||
			 kind == BTF_KIND_ENUM || kind == BTF_KIND_ENUM64 ||
			 kind == BTF_KIND_FUNC_PROTO;
	for (size_t i = 0; has_names && i < nr_items(type); i++) {
		/* The name comes first in each of them. */
		uint32_t name;
		memcpy(&name, item + i * item_size(kind), sizeof(name));
		if (!is_string(table, name))
			return false;
	}
	return true;
}

static bool has_sound_params(const struct table *table, const struct btf_type *type)
{
	const struct btf_param *param = (const void *)(type + 1);
	size_t nr = nr_items(type);
	for (size_t i = 0; i < nr; i++) {
		bool is_rest = !param[i].type && i + 1 == nr;
		if (!is_type(table, param[i].type) || (!param[i].type && !is_rest))
			return false;
	}
	return is_type(table, type->type);
}

static bool has_sound_members(const struct table *table, const struct btf_type *type)
{
	const struct btf_member *member = (const void *)(type + 1);
	for (size_t i = 0; i < nr_items(type); i++)
		if (!member[i].type || !is_type(table, member[i].type))
			return false;
	return true;
}

static bool has_sound_size(uint32_t size, uint32_t most)
{
	return size && size <= most && !(size & (size - 1));
}

/* Do the types that it refers to exist, and are they allowed there? */
static bool is_sound(const struct table *table, uint32_t id)
{
	const struct btf_type *type = type_at(table, id);
	const struct btf_array *array = (const void *)(type + 1);
	if (!is_string(table, type->name_off) || !has_string_behind(table, type))
		return false;
	switch (kind_of(type)) {
	case BTF_KIND_INT:
		return has_sound_size(type->size, 16);
	case BTF_KIND_FLOAT:
		return type->size == 12 || has_sound_size(type->size, 16);
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		return has_sound_size(type->size, 8);
	case BTF_KIND_PTR:
	case BTF_KIND_CONST:
	case BTF_KIND_TYPEDEF:
		return is_type(table, type->type);
	case BTF_KIND_ARRAY:
		return array->type && is_type(table, array->type) &&
		       is_of(table, array->index_type, BTF_KIND_INT);
	case BTF_KIND_FUNC:
		return is_of(table, type->type, BTF_KIND_FUNC_PROTO);
	case BTF_KIND_FUNC_PROTO:
		return has_sound_params(table, type);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return has_sound_members(table, type);
	case BTF_KIND_DECL_TAG:
		return type->type && is_type(table, type->type) &&
		       kind_of(type_at(table, type->type)) != BTF_KIND_DECL_TAG;
	}
	return true; /* a forward */
}

static int size_of(struct table *table, uint32_t id, unsigned depth, uint64_t *ret);

static int size_of_array(struct table *table, const struct btf_array *array, unsigned depth,
			 uint64_t *ret)
{
	int err = size_of(table, array->type, depth, ret);
	if (err)
		return err;
	*ret *= array->nelems;
	return *ret > MAX_SIZE ? refuse("an array is too large") : 0;
}

/* Each member lies in it. */
static int size_of_struct(struct table *table, const struct btf_type *type, unsigned depth,
			  uint64_t *ret)
{
	const struct btf_member *member = (const void *)(type + 1);
	bool has_bits = BTF_INFO_KFLAG(type->info);
	*ret = type->size;
	for (size_t i = 0; i < nr_items(type); i++) {
		uint64_t size, bits = has_bits ? BTF_MEMBER_BITFIELD_SIZE(member[i].offset) : 0;
		uint64_t at =
			has_bits ? BTF_MEMBER_BIT_OFFSET(member[i].offset) : member[i].offset;
		int err = size_of(table, member[i].type, depth, &size);
		if (err)
			return err;
		if (bits > size * 8 || (!bits && at % 8) ||
		    at + (bits ? bits : size * 8) > *ret * 8)
			return refuse("a member lies outside its struct");
	}
	return 0;
}

/* Bytes of a type; 0: it has none. What contains itself is too deep. */
static int size_of(struct table *table, uint32_t id, unsigned depth, uint64_t *ret)
{
	const struct btf_type *type = type_at(table, id);
	int err = 0;
	*ret = id ? table->sizes.at[id] : 0;
	if (*ret != UINT64_MAX)
		return 0;
	if (depth == MAX_DEPTH)
		return refuse("a type contains itself, or too many others");
	*ret = 0;
	switch (kind_of(type)) {
	case BTF_KIND_INT:
	case BTF_KIND_FLOAT:
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		*ret = type->size;
		break;
	case BTF_KIND_PTR:
		*ret = POINTER_SIZE;
		break;
	case BTF_KIND_CONST:
	case BTF_KIND_TYPEDEF:
		err = size_of(table, type->type, depth + 1, ret);
		break;
	case BTF_KIND_ARRAY:
		err = size_of_array(table, (const void *)(type + 1), depth + 1, ret);
		break;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		err = size_of_struct(table, type, depth + 1, ret);
		break;
	}
	table->sizes.at[id] = *ret;
	return err;
}

/* Whoever loads it reads each name: many may be the same long one. */
static int check_names(const struct table *table)
{
	uint64_t left = NAMES_FREE + (uint64_t)NAMES_RATIO * (table->size + table->nr_chars);

	for (uint32_t id = 1; id < table->at.nr; id++) {
		size_t len = strlen(table->strings + type_at(table, id)->name_off);
		if (len > left)
			return refuse("its names are too long");
		left -= len;
	}
	return 0;
}

static int check_types(struct table *table)
{
	for (uint32_t id = 1; id < table->at.nr; id++)
		if (!is_sound(table, id))
			return refuse("a type refers to what is not there");
	int err = check_names(table);
	if (err)
		return err;
	for (uint32_t id = 1; id < table->at.nr; id++) {
		uint64_t size;
		err = size_of(table, id, 0, &size);
		if (err)
			return err;
	}
	return 0;
}

int fc_types_check(const void *bytes, size_t size)
{
	struct table table = { 0 };
	int err = find_sections(&table, bytes, size);
	if (!err)
		err = find_types(&table);
	if (!err)
		err = check_types(&table);
	fc_vec_free(&table.at);
	fc_vec_free(&table.sizes);
	return err;
}
