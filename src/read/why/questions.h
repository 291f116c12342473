/* SPDX-License-Identifier: Apache-2.0 */
/* questions.h - what is asked of a trace. */
#ifndef FC_READ_WHY_QUESTIONS_H
#define FC_READ_WHY_QUESTIONS_H

#include <stdbool.h>
#include <stddef.h>

enum { FC_QUESTION_SHAPES = 12 };

/*
 * The statement's rows have a column `weight`: the ns that the answer explains; `whole_ns`; and the
 * figures of the sentence. If there are several sentences, `shape` says which of them.
 */
struct fc_question {
	const char *kind;
	const char *sql;
	struct fc_question_shape {
		const char *shape; /* NULL: of all rows */
		const char *sentence, *command;
	} shapes[FC_QUESTION_SHAPES];
	/* Asked of a trace that is compared with another, which the command names, too. */
	bool needs_than;
};

extern const struct fc_question fc_questions[];
extern const size_t fc_nr_questions;

#endif
