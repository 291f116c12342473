/* SPDX-License-Identifier: Apache-2.0 */
/* declarator.c - parses declarators: pointers, arrays and functions around a name. */
#include <stdlib.h>
#include <string.h>

#include "values/proto/parser.h"

enum around { AROUND_POINTER, AROUND_ARRAY, AROUND_FUNC };

/* One thing around the name, the closest first: "pointer to" in *(*f)(int) comes before "function". */
struct step {
	enum around kind;
	bool is_const;	    /* the pointer */
	uint32_t nr;	    /* of the array */
	uint32_t params;    /* of the function: from here on in the list of all... */
	uint32_t nr_params; /* ...so many */
	bool is_variadic;
};

struct steps {
	FC_VEC(struct step) list;
	FC_VEC(struct fc_param) params;
};

static bool take_qualifier(struct fc_parser *p, bool *is_const)
{
	static const char *const idle[] = { "volatile",	  "__volatile__", "restrict",
					    "__restrict", "__restrict__", "_Nonnull",
					    "_Nullable",  "_Atomic" };
	if (fc_parser_take(p, "const") || fc_parser_take(p, "__const")) {
		*is_const = true;
		return true;
	}
	for (size_t i = 0; p->token.kind == FC_TOKEN_NAME && i < sizeof(idle) / sizeof(idle[0]);
	     i++)
		if (fc_parser_take(p, idle[i]))
			return true;
	return false;
}

/* An array as a parameter is a pointer; so is a function. */
static uint32_t as_param(struct fc_parser *p, uint32_t type, bool is_func)
{
	uint32_t item;
	if (is_func)
		return fc_types_pointer(p->types, type);
	return fc_types_item(p->types, type, &item) ? fc_types_pointer(p->types, item) : type;
}

static void read_param(struct fc_parser *p, struct fc_param *ret)
{
	struct fc_specifiers specifiers;
	struct fc_declarator declarator = { 0 };
	if (!p->grammar->specifiers(p, &specifiers))
		fc_parser_fail(p, &p->token,
			       "the type of a parameter is missing before \"%.*s\"",
			       FC_PARSER_SHOWN(&p->token));
	else
		fc_parser_declarator(p, specifiers.type, &declarator);
	*ret = (struct fc_param){
		.name = declarator.name.len ? fc_parser_text(p, &declarator.name) : "",
		.type = as_param(p, declarator.type, declarator.is_func),
	};
	fc_attributes_deinit(&specifiers.attributes);
	fc_attributes_deinit(&declarator.attributes);
}

/* Behind the parenthesis. */
static void read_params(struct fc_parser *p, struct steps *steps)
{
	FC_VEC(struct fc_param) own = { 0 };
	struct step step = { .kind = AROUND_FUNC };
	p->in_params++;
	while (!p->err && !fc_parser_is(p, ")")) {
		struct fc_param param;
		struct fc_token at = p->token;
		if (fc_parser_take(p, "...")) {
			step.is_variadic = true;
			break;
		}
		read_param(p, &param);
		fc_vec_push(&own, param);
		if (own.nr == FC_PARSER_MOST)
			fc_parser_fail(p, &at, "there are too many parameters");
		if (!fc_parser_take(p, ","))
			break;
	}
	p->in_params--;
	fc_parser_expect(p, ")");
	if (own.nr == 1 && !own.at[0].type && !own.at[0].name[0])
		own.nr = 0; /* (void) */
	step.params = (uint32_t)steps->params.nr;
	step.nr_params = (uint32_t)own.nr;
	fc_vec_each (&own, param) {
		if (!param->type)
			fc_parser_fail(p, &p->token, "a parameter is void");
		fc_vec_push(&steps->params, *param);
	}
	fc_vec_free(&own);
	fc_vec_push(&steps->list, step);
}

static void read_array(struct fc_parser *p, struct steps *steps)
{
	struct step step = { .kind = AROUND_ARRAY };
	bool is_const;
	while (fc_parser_take(p, "static") || take_qualifier(p, &is_const))
		;
	bool is_variable = p->in_params && p->token.kind == FC_TOKEN_NAME &&
			   !fc_parser_constant(p, &p->token) && !fc_parser_is(p, "sizeof");
	while (is_variable && !p->err && !fc_parser_is(p, "]") && p->token.kind != FC_TOKEN_END)
		fc_parser_next(p); /* as another parameter says: it is a pointer in any case */
	if (!fc_parser_take(p, "*") && !fc_parser_is(p, "]"))
		step.nr = (uint32_t)fc_parser_size(p, UINT32_MAX);
	fc_parser_expect(p, "]");
	fc_vec_push(&steps->list, step);
}

/* Is what follows a parenthesis a declarator, and no parameters? */
static bool is_nested(const struct fc_parser *p)
{
	return fc_parser_is(p, "*") || fc_parser_is(p, "(") || fc_parser_is(p, "^") ||
	       fc_parser_is(p, "__attribute__") ||
	       (p->token.kind == FC_TOKEN_NAME && !p->grammar->is_type(p));
}

static void read_steps(struct fc_parser *p, struct steps *steps, struct fc_declarator *ret)
{
	FC_VEC(struct step) pointers = { 0 };
	if (!fc_parser_enter(p))
		return;
	fc_parser_attributes(p, &ret->attributes);
	while (!p->err && (fc_parser_take(p, "*") || fc_parser_take(p, "^"))) {
		struct step step = { .kind = AROUND_POINTER };
		do
			fc_parser_attributes(p, &ret->attributes);
		while (take_qualifier(p, &step.is_const));
		fc_vec_push(&pointers, step);
	}
	struct fc_tokens tokens = p->tokens;
	struct fc_token token = p->token;
	bool is_inside = fc_parser_take(p, "(");
	if (is_inside && is_nested(p)) {
		read_steps(p, steps, ret);
		fc_parser_expect(p, ")");
	} else if (is_inside) {
		p->tokens = tokens;
		p->token = token;
	} else if (p->token.kind == FC_TOKEN_NAME) {
		ret->name = p->token;
		fc_parser_next(p);
	}
	while (!p->err) {
		if (fc_parser_take(p, "["))
			read_array(p, steps);
		else if (fc_parser_take(p, "("))
			read_params(p, steps);
		else
			break;
	}
	while (pointers.nr) {
		fc_vec_push(&steps->list, pointers.at[pointers.nr - 1]);
		pointers.nr--;
	}
	fc_vec_free(&pointers);
	fc_parser_leave(p);
}

static uint32_t apply(struct fc_parser *p, const struct steps *steps, const struct step *step,
		      uint32_t type, bool *is_func)
{
	struct fc_token at = p->token;
	bool was_func = *is_func;
	uint32_t item;
	*is_func = step->kind == AROUND_FUNC;
	switch (step->kind) {
	case AROUND_POINTER:
		type = fc_types_pointer(p->types, type);
		return step->is_const ? fc_types_const(p->types, type) : type;
	case AROUND_ARRAY:
		if (was_func || !type)
			fc_parser_fail(p, &at, "there are no arrays of functions, or of void");
		else if (step->nr && fc_types_size(p->types, type) > UINT32_MAX / step->nr)
			fc_parser_fail(p, &at, "the array is too large");
		return p->err ? type : fc_types_array(p->types, type, step->nr);
	default:
		if (was_func || fc_types_item(p->types, type, &item)) {
			fc_parser_fail(p, &at, "a function returns no function, and no array");
			return type;
		}
		return fc_types_proto(p->types, type,
				      steps->params.at ? steps->params.at + step->params : NULL,
				      step->nr_params, step->is_variadic);
	}
}

void fc_parser_declarator(struct fc_parser *p, uint32_t base, struct fc_declarator *ret)
{
	enum { MOST_STEPS = 64 };
	struct steps steps = { 0 };
	*ret = (struct fc_declarator){ 0 };
	read_steps(p, &steps, ret);
	fc_parser_attributes(p, &ret->attributes);
	if (steps.list.nr > MOST_STEPS)
		fc_parser_fail(p, &p->token, "there is too much around a name");
	ret->type = base;
	for (size_t i = steps.list.nr; i-- && !p->err;)
		ret->type = apply(p, &steps, &steps.list.at[i], ret->type, &ret->is_func);
	fc_vec_free(&steps.list);
	fc_vec_free(&steps.params);
}
