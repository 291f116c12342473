/* SPDX-License-Identifier: Apache-2.0 */
/* condition_private.h - a condition as it was read: a tree in a row, its root is the last. */
#ifndef FC_VALUES_CONDITION_CONDITION_PRIVATE_H
#define FC_VALUES_CONDITION_CONDITION_PRIVATE_H

#include "base/vec.h"
#include "values/condition/condition.h"

enum {
	FC_MOST_TERMS = 128, /* of a condition */
	FC_MOST_WORDS = 8,   /* of numbers and names joined with | */
};

enum fc_compare { FC_IS_SET, FC_EQ, FC_NE, FC_LT, FC_LE, FC_GT, FC_GE, FC_LIKE, FC_UNLIKE };

/* A number, or a name for one. */
struct fc_word {
	char *name; /* NULL: it is a number */
	bool is_negative, is_real;
	uint64_t number; /* without its sign */
	long double real;
};

struct fc_operand {
	char *text; /* without its quotation marks; NULL: it is numbers */
	struct fc_word word[FC_MOST_WORDS];
	uint32_t nr;
};

struct fc_term {
	enum fc_term_kind { FC_TERM_COMPARE, FC_TERM_AND, FC_TERM_OR, FC_TERM_NOT } kind;
	size_t left, right; /* of and, or; not has only left */
	char *name;	    /* of what is compared: as it was written */
	bool is_behind;	    /* "*name" */
	enum fc_compare compare;
	bool has_mask;
	struct fc_operand mask, value;
};

struct fc_condition {
	FC_VEC(struct fc_term) terms;
};

#endif
