/* SPDX-License-Identifier: Apache-2.0 */
/*
 * type.h - one type of a table (types.h), as it is read: of which kind it is, and what it is made of.
 *
 * A view is a copy, and costs no memory. What it says holds until a type is added to its table.
 */
#ifndef FC_VALUES_TYPE_H
#define FC_VALUES_TYPE_H

#include "values/types.h"

enum fc_type_kind {
	FC_TYPE_NONE = 0, /* void, or there is no such type */
	FC_TYPE_INT,
	FC_TYPE_FLOAT,
	FC_TYPE_ENUM,
	FC_TYPE_POINTER,
	FC_TYPE_ARRAY,
	FC_TYPE_STRUCT,
	FC_TYPE_UNION,
	FC_TYPE_FORWARD, /* a struct or union that is only known by name */
	FC_TYPE_PROTO,	 /* of functions */
	FC_TYPE_FUNC,	 /* a function itself */
	/* Only of fc_type_as_named(): */
	FC_TYPE_CONST,
	FC_TYPE_QUALIFIED, /* volatile, restrict */
	FC_TYPE_TYPEDEF,
};

struct fc_type {
	enum fc_type_kind kind;
	uint32_t id;   /* 0: there is none */
	uint32_t size; /* bytes of a number, a pointer, a struct or a union; else 0 */
	/*
	 * What a pointer leads to, an array has items of, a proto returns; the proto of a function;
	 * what a typedef or a qualifier stands before. 0: void, or it is of nothing.
	 */
	uint32_t of;
	uint32_t nr;		    /* items, members, enumerators; parameters without "..." */
	enum fc_number_kind number; /* of FC_TYPE_INT */
	bool is_signed;		    /* of an enum */
	bool is_variadic;	    /* of a proto */
	bool is_union;		    /* of FC_TYPE_UNION and FC_TYPE_FORWARD */
	uint32_t tags;		    /* of enum fc_tag */
	const char *name;	    /* "": it has none */
	const struct fc_types *types;
	const void *its; /* for the functions below */
};

/* Views are found quicker from now on, until a type is added. */
void fc_type_keep_all(struct fc_types *types);

/* Behind typedefs and qualifiers, as fc_types_resolve() finds it. */
struct fc_type fc_type_at(const struct fc_types *types, uint32_t id);
/* As it stands, with its names and qualifiers. */
struct fc_type fc_type_as_named(const struct fc_types *types, uint32_t id);
/* What a function is given and returns; of what is no function FC_TYPE_NONE. */
struct fc_type fc_type_of_func(const struct fc_types *types, uint32_t func);

/* i: from 0, less than nr. */
struct fc_member fc_type_member(const struct fc_type *type, uint32_t i);
struct fc_enumerator fc_type_enumerator(const struct fc_type *type, uint32_t i);
struct fc_param fc_type_param(const struct fc_type *proto, uint32_t i);

/* Is it a struct or a union? */
static inline bool fc_type_has_members(const struct fc_type *type)
{
	return type->kind == FC_TYPE_STRUCT || type->kind == FC_TYPE_UNION;
}

/* Is it made of others: a struct, a union, an array? */
static inline bool fc_type_is_compound(const struct fc_type *type)
{
	return fc_type_has_members(type) || type->kind == FC_TYPE_ARRAY;
}

/* Is it a number that is whole, an address among them? */
static inline bool fc_type_is_whole(const struct fc_type *type)
{
	return type->kind == FC_TYPE_INT || type->kind == FC_TYPE_ENUM ||
	       type->kind == FC_TYPE_POINTER;
}

#endif
