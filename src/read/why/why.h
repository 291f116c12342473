/* SPDX-License-Identifier: Apache-2.0 */
/*
 * why.h - where the time of a trace went, in sentences that are each the answer to a query.
 *
 * A question (questions.h) is a statement of SQL and a sentence with places for its figures. It has
 * an answer if the statement has a row. The first answer sums the whole run up; the others follow by
 * the time that they explain.
 */
#ifndef FC_READ_WHY_WHY_H
#define FC_READ_WHY_WHY_H

#include "base/vec.h"
#include "read/query/query.h"
#include "read/why/figure.h"

struct fc_answer {
	const char *kind; /* a word: "hot", "wait"… */
	const char *sql;
	char *sentence;
	char *command; /* what shows more; NULL: nothing does */
	struct fc_figures figures;
	double weight; /* ns of the time that it explains */
	uint64_t took_ns;
};

struct fc_answers {
	FC_VEC(struct fc_answer) list; /* the most important first */
};

/*
 * Ask all. file: the trace, as the commands name it, "" for the default; than: the one that it is
 * compared with, NULL if none. -EIO with a sentence:
 * SQLite's; -EINTR: it was stopped.
 */
int fc_why_ask(struct fc_query *query, const char *file, const char *than,
	       struct fc_answers *ret);
void fc_answers_deinit(struct fc_answers *answers);

#endif
