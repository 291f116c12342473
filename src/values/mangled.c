/* SPDX-License-Identifier: Apache-2.0 */
/* mangled.c - parses mangled names into parameter types. */
#include "values/mangled.h"

#include <libiberty/demangle.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "values/masks.h"
#include "values/shape.h"
#include "values/stdstring.h"

enum {
	SYMBOL_MAX = 1024, /* libiberty recurses with its length */
	DEEPEST = 64,	   /* types within types */
	WORD = 8,
};

typedef struct demangle_component component;

struct reading {
	const struct fc_arch *arch;
	const struct fc_mangled_facts *facts;
	struct fc_types *types;
	const component *arguments; /* of the template that it is; NULL: it is none */
	char last[64]; /* what the function is called, without its scope; "": by no name */
	unsigned depth;
	struct fc_param params[FC_MAX_PARAMS];
	bool is_unknown[FC_MAX_PARAMS]; /* of its type only the name is told */
	uint32_t nr;
	bool is_variadic, is_open; /* is_open: how many more there are is not told */
};

/* ---- types ---- */

static const component *left_of(const component *at)
{
	return at->u.s_binary.left;
}

static const component *right_of(const component *at)
{
	return at->u.s_binary.right;
}

static const struct {
	const char *name;
	uint8_t size;
	enum { SIGNED, UNSIGNED, CHAR, BOOL, FLOAT } kind;
} builtins[] = {
	{ "bool", 1, BOOL },
	{ "char", 1, CHAR },
	{ "signed char", 1, SIGNED },
	{ "unsigned char", 1, UNSIGNED },
	{ "char8_t", 1, UNSIGNED },
	{ "short", 2, SIGNED },
	{ "unsigned short", 2, UNSIGNED },
	{ "char16_t", 2, UNSIGNED },
	{ "int", 4, SIGNED },
	{ "unsigned int", 4, UNSIGNED },
	{ "wchar_t", 4, SIGNED },
	{ "char32_t", 4, UNSIGNED },
	{ "long", 8, SIGNED },
	{ "unsigned long", 8, UNSIGNED },
	{ "long long", 8, SIGNED },
	{ "unsigned long long", 8, UNSIGNED },
	{ "__int128", 16, SIGNED },
	{ "unsigned __int128", 16, UNSIGNED },
	{ "float", 4, FLOAT },
	{ "double", 8, FLOAT },
	{ "long double", 16, FLOAT },
};

struct name {
	char text[32];
	size_t nr;
};

static void take_name(const char *text, size_t len, void *ctx)
{
	struct name *name = ctx;
	if (len < sizeof(name->text) - name->nr)
		memcpy(name->text + name->nr, text, len);
	name->nr += len < sizeof(name->text) - name->nr ? len : 0;
}

/* What a builtin type is called; its component is a leaf. */
static struct name name_of(const component *at)
{
	struct name name = { "", 0 };
	cplus_demangle_print_callback(DMGL_PARAMS, (component *)at, take_name, &name);
	name.text[name.nr] = 0;
	return name;
}

static bool is_builtin(const component *at, const char *name)
{
	return at->type == DEMANGLE_COMPONENT_BUILTIN_TYPE && !strcmp(name_of(at).text, name);
}

static uint32_t builtin(struct reading *reading, const component *at)
{
	static const enum fc_number_kind kinds[] = { [SIGNED] = FC_NUMBER_SIGNED,
						     [UNSIGNED] = FC_NUMBER_UNSIGNED,
						     [CHAR] = FC_NUMBER_CHAR,
						     [BOOL] = FC_NUMBER_BOOL };
	struct name name = name_of(at);
	for (size_t i = 0; i < sizeof(builtins) / sizeof(builtins[0]); i++)
		if (!strcmp(builtins[i].name, name.text))
			return builtins[i].kind == FLOAT
				       ? fc_types_float(reading->types, name.text,
							builtins[i].size)
				       : fc_types_number(reading->types, name.text,
							 builtins[i].size,
							 kinds[builtins[i].kind]);
	return 0;
}

/* The argument that a parameter of the template stands for; NULL: it is none, or a pack. */
static const component *argument_of(const struct reading *reading, const component *param)
{
	const component *at = reading->arguments;
	for (long i = param->u.s_number.number; at && i > 0; i--)
		at = right_of(at);
	at = at ? left_of(at) : NULL;
	return at && at->type != DEMANGLE_COMPONENT_TEMPLATE_ARGLIST ? at : NULL;
}

static bool is_name(const component *at, const char *text)
{
	size_t len = strlen(text);
	if (at && at->type == DEMANGLE_COMPONENT_SUB_STD)
		return at->u.s_string.len == (int)len &&
		       !memcmp(at->u.s_string.string, text, len);
	return at && at->type == DEMANGLE_COMPONENT_NAME && at->u.s_name.len == (int)len &&
	       !memcmp(at->u.s_name.s, text, len);
}

static bool is_qualified(const component *at)
{
	return at && at->type == DEMANGLE_COMPONENT_QUAL_NAME;
}

/* Is it libstdc++'s, since GCC 5? "std::__cxx11::basic_string<char, ...>" */
static bool is_string(const component *at)
{
	if (at->type != DEMANGLE_COMPONENT_TEMPLATE || !right_of(at))
		return false;
	const component *name = left_of(at), *letter = left_of(right_of(at));
	const component *scope = is_qualified(name) ? left_of(name) : NULL;
	return is_qualified(scope) && is_name(left_of(scope), "std") &&
	       is_name(right_of(scope), "__cxx11") && is_name(right_of(name), "basic_string") &&
	       letter && is_builtin(letter, "char");
}

static uint32_t type_of(struct reading *reading, const component *at);

/* A pointer to what is not known is one to void. */
static uint32_t pointer_to(struct reading *reading, const component *to)
{
	return fc_types_pointer(reading->types, to ? type_of(reading, to) : 0);
}

/* 0: not known, or void. What is no type is not known either. */
static uint32_t type_at(struct reading *reading, const component *at)
{
	const component *argument;
	uint32_t of;
	switch (at->type) {
	case DEMANGLE_COMPONENT_BUILTIN_TYPE:
		if (is_builtin(at, "decltype(nullptr)"))
			return fc_types_pointer(reading->types, 0);
		return builtin(reading, at);
	case DEMANGLE_COMPONENT_POINTER:
		return pointer_to(reading, left_of(at));
	case DEMANGLE_COMPONENT_REFERENCE:
	case DEMANGLE_COMPONENT_RVALUE_REFERENCE:
		of = left_of(at) ? type_of(reading, left_of(at)) : 0;
		return fc_types_reference(reading->types, of,
					  at->type == DEMANGLE_COMPONENT_RVALUE_REFERENCE);
	case DEMANGLE_COMPONENT_CONST:
		of = left_of(at) ? type_of(reading, left_of(at)) : 0;
		return of ? fc_types_const(reading->types, of) : 0;
	case DEMANGLE_COMPONENT_VOLATILE:
	case DEMANGLE_COMPONENT_RESTRICT:
		return left_of(at) ? type_of(reading, left_of(at)) : 0;
	case DEMANGLE_COMPONENT_TEMPLATE_PARAM:
		argument = argument_of(reading, at);
		return argument ? type_of(reading, argument) : 0;
	default:
		return 0;
	}
}

static uint32_t type_of(struct reading *reading, const component *at)
{
	if (is_string(at))
		return fc_stdstring_type(reading->types);
	if (reading->depth == DEEPEST)
		return 0;
	reading->depth++;
	uint32_t type = type_at(reading, at);
	reading->depth--;
	return type;
}

/* ---- the function ---- */

struct function {
	const component *type, *name;
	bool has_this, may_have_this; /* surely; or nothing tells that it has not */
	bool has_no_result;	      /* a constructor, a destructor */
	bool may_have_table;	      /* for the bases of a constructor: behind "this" */
};

/* What may stand around the name of a member that has "this". */
static bool is_of_this(const component *at)
{
	switch (at->type) {
	case DEMANGLE_COMPONENT_CONST_THIS:
	case DEMANGLE_COMPONENT_VOLATILE_THIS:
	case DEMANGLE_COMPONENT_RESTRICT_THIS:
	case DEMANGLE_COMPONENT_REFERENCE_THIS:
	case DEMANGLE_COMPONENT_RVALUE_REFERENCE_THIS:
		return true;
	default:
		return false;
	}
}

/* Only names that are told in full: none of local functions, of lambdas, of copies. */
static bool read_last(struct function *function, const component *last)
{
	switch (last ? last->type : DEMANGLE_COMPONENT_LAMBDA) {
	case DEMANGLE_COMPONENT_CTOR:
		function->has_this = function->has_no_result = true;
		function->may_have_table = last->u.s_ctor.kind != gnu_v3_complete_object_ctor;
		return last->u.s_ctor.kind == gnu_v3_complete_object_ctor ||
		       last->u.s_ctor.kind == gnu_v3_base_object_ctor;
	case DEMANGLE_COMPONENT_DTOR:
		function->has_this = function->has_no_result = true;
		return last->u.s_dtor.kind != gnu_v3_unified_dtor;
	case DEMANGLE_COMPONENT_NAME:
	case DEMANGLE_COMPONENT_OPERATOR:
		return true;
	default:
		return false;
	}
}

/* What is in a namespace without a name nobody else can call: it may have rules of its own. */
static bool is_nameless(const component *scope)
{
	for (int i = 0; scope && i < SYMBOL_MAX; i++) {
		bool is_pair = is_qualified(scope);
		const component *last = is_pair ? right_of(scope) : scope;
		if (is_name(last, "(anonymous namespace)"))
			return true;
		if (!is_pair && scope->type != DEMANGLE_COMPONENT_TEMPLATE)
			return false;
		scope = left_of(scope);
	}
	return false;
}

/* A name with :: may be in a class or in a namespace: but std is one of these. */
static bool read_name(struct reading *reading, struct function *function, const component *name)
{
	for (; name && is_of_this(name); name = left_of(name))
		function->has_this = true;
	if (name && name->type == DEMANGLE_COMPONENT_TEMPLATE) {
		reading->arguments = right_of(name);
		name = left_of(name);
	}
	if (is_qualified(name)) {
		if (is_nameless(left_of(name)))
			return false;
		function->may_have_this = !is_name(left_of(name), "std");
		name = right_of(name);
	}
	while (name && name->type == DEMANGLE_COMPONENT_TAGGED_NAME)
		name = left_of(name);
	if (name && name->type == DEMANGLE_COMPONENT_NAME)
		snprintf(reading->last, sizeof(reading->last), "%.*s", name->u.s_name.len,
			 name->u.s_name.s);
	return read_last(function, name);
}

static bool add_param(struct reading *reading, const char *name, uint32_t type)
{
	if (reading->nr == FC_MAX_PARAMS)
		return false;
	reading->is_unknown[reading->nr] = !type;
	if (!type)
		type = fc_types_forward(reading->types, "unknown", false);
	reading->params[reading->nr++] = (struct fc_param){ name, type };
	return true;
}

/* Parameters have no names: a function that is called like a secret is given one. */
static bool read_params(struct reading *reading, const component *list)
{
	static const struct fc_masks ours = { 0 };
	for (; list && left_of(list); list = right_of(list)) {
		const component *param = left_of(list);
		if (list->type != DEMANGLE_COMPONENT_ARGLIST)
			return false;
		if (is_builtin(param, "void"))
			return !right_of(list);
		reading->is_variadic = is_builtin(param, "...");
		if (reading->is_variadic)
			return !right_of(list);
		reading->is_open |= param->type == DEMANGLE_COMPONENT_PACK_EXPANSION;
		uint32_t type = type_of(reading, param);
		bool is_secret = fc_mask_hides(&ours, reading->types, reading->last, type);
		if (!add_param(reading, is_secret ? reading->last : "", type))
			return false;
	}
	return true;
}

/* ---- places ---- */

static bool is_float(const struct fc_location *place)
{
	return place->nr == 1 && place->piece[0].kind == FC_PIECE_VECTOR;
}

/*
 * What is passed in vector registers does not depend on what is passed before all others without
 * being told: "this", and the place of a result. Behind what is not known nothing is.
 */
static bool find_places(struct reading *reading, bool is_sure, bool is_table,
			struct fc_signature *ret)
{
	struct fc_shape shapes[FC_MAX_PARAMS], nothing = { 0 };
	struct fc_location result;
	uint32_t nr = 0;
	bool is_any = false;
	while (nr < reading->nr && !reading->is_unknown[nr] &&
	       fc_shape_init(&shapes[nr], reading->types, reading->params[nr].type))
		nr++;
	reading->arch->abi->locate(&nothing, shapes, nr, &result, ret->param);
	for (uint32_t i = 0; i < reading->nr; i++) {
		bool is_behind = is_table && i;
		if (i >= nr || (!is_float(&ret->param[i]) && (!is_sure || is_behind)))
			ret->param[i] = (struct fc_location){ .is_absent = true };
		is_any |= ret->param[i].nr;
	}
	while (nr)
		fc_shape_deinit(&shapes[--nr]);
	ret->nr = reading->nr;
	return is_any;
}

/* Is it in registers, if it is told at all? An enum is, but looks like a class. */
static bool is_plain(struct reading *reading, const component *result, uint32_t *type)
{
	*type = result ? type_of(reading, result) : 0;
	return result && (*type || is_builtin(result, "void")) &&
	       fc_types_size(reading->types, *type) <= WORD;
}

static bool read_function(struct reading *reading, const component *all, const char *symbol,
			  struct fc_signature *ret)
{
	struct function function = { 0 };
	uint32_t type = 0;
	if (!all || all->type != DEMANGLE_COMPONENT_TYPED_NAME || !right_of(all) ||
	    right_of(all)->type != DEMANGLE_COMPONENT_FUNCTION_TYPE ||
	    !read_name(reading, &function, left_of(all)))
		return false;
	bool has_plain_result = is_plain(reading, left_of(right_of(all)), &type) ||
				function.has_no_result || reading->facts->has_plain_result;
	bool is_sure = has_plain_result && (function.has_this || !function.may_have_this);
	if (function.has_this)
		add_param(reading, "this", fc_types_pointer(reading->types, 0));
	if (!read_params(reading, right_of(right_of(all))))
		return false;
	bool is_table = function.may_have_table && !reading->facts->is_complete;
	if (!find_places(reading, is_sure, is_table, ret))
		return false;
	uint32_t proto = fc_types_proto(reading->types, type, reading->params, reading->nr,
					reading->is_variadic || reading->is_open);
	ret->func = fc_types_func(reading->types, symbol, proto);
	return true;
}

bool fc_mangled_read(const struct fc_arch *arch, const char *symbol,
		     const struct fc_mangled_facts *facts, struct fc_types *types,
		     struct fc_signature *ret)
{
	struct reading reading = { .arch = arch, .facts = facts, .types = types };
	void *memory = NULL;
	*ret = (struct fc_signature){ 0 };
	/* _ZL, _ZN..L: others cannot call it. With a dot: a copy, with other parameters. */
	if (strncmp(symbol, "_Z", 2) || symbol[2] == 'L' || strchr(symbol, '.') ||
	    strnlen(symbol, SYMBOL_MAX + 1) > SYMBOL_MAX || !arch->abi)
		return false;
	const component *all =
		cplus_demangle_v3_components(symbol, DMGL_PARAMS | DMGL_ANSI, &memory);
	bool is_told = read_function(&reading, all, symbol, ret);
	free(memory);
	if (!is_told)
		*ret = (struct fc_signature){ 0 };
	return is_told;
}
