/* SPDX-License-Identifier: Apache-2.0 */
/* why.c - each question is asked, and the answers are put in order of the time that they explain. */
#include "read/why/why.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "base/order.h"
#include "read/why/questions.h"
#include "trace/clock.h"

static const struct fc_question_shape *shape_of(const struct fc_question *question,
						const struct fc_figures *figures)
{
	const struct fc_figure *shape = fc_figures_find(figures, "shape", strlen("shape"));
	const struct fc_question_shape *at = question->shapes;

	while (at->shape && at->sentence && strcmp(at->shape, shape->text) != 0)
		at++;
	return at;
}

/* What commands name. */
struct words {
	const char *file, *than;
};

static char *make_command(const struct fc_question *question,
			  const struct fc_question_shape *shape, const struct words *words,
			  const struct fc_figures *figures)
{
	char *command = fc_figures_sentence(figures, shape->command);

	if (question->needs_than)
		fc_append(&command, " %s", words->than);
	if (*words->file)
		fc_append(&command, " %s", words->file);
	return command;
}

static void add_answer(const struct fc_question *question, sqlite3_stmt *stmt,
		       const struct words *words, struct fc_answers *ret)
{
	struct fc_answer answer = { .kind = question->kind, .sql = question->sql };
	struct fc_figures *figures = &answer.figures;

	fc_figures_take(figures, stmt);
	const struct fc_question_shape *shape = shape_of(question, figures);
	if (!shape->sentence) {
		fc_figures_deinit(figures);
		return;
	}
	answer.weight = fc_figures_number(figures, "weight");
	answer.sentence = fc_figures_sentence(figures, shape->sentence);
	if (shape->command)
		answer.command = make_command(question, shape, words, figures);
	fc_vec_push(&ret->list, answer);
}

static int failed(sqlite3 *db, const struct fc_question *question, int code)
{
	if (code == SQLITE_INTERRUPT)
		return -EINTR;
	return fc_fail(EIO, "SQLite: %s: %s", question->kind, sqlite3_errmsg(db));
}

static int ask(sqlite3 *db, const struct fc_question *question, const struct words *words,
	       struct fc_answers *ret)
{
	uint64_t began_ns = fc_clock_mono_ns();
	size_t first = ret->list.nr;
	sqlite3_stmt *stmt = NULL;
	int code = sqlite3_prepare_v2(db, question->sql, -1, &stmt, NULL);

	while (code == SQLITE_OK || code == SQLITE_ROW) {
		code = sqlite3_step(stmt);
		if (code == SQLITE_ROW)
			add_answer(question, stmt, words, ret);
	}
	int err = code == SQLITE_DONE ? 0 : failed(db, question, code);
	sqlite3_finalize(stmt);
	for (size_t i = first; i < ret->list.nr; i++)
		ret->list.at[i].took_ns = fc_clock_mono_ns() - began_ns;
	return err;
}

/* The sort is stable by the order of asking. */
static int by_weight(const void *a, const void *b)
{
	const struct fc_answer *x = a, *y = b;

	return fc_order(y->weight, x->weight) ?: strcmp(x->sentence, y->sentence);
}

int fc_why_ask(struct fc_query *query, const char *file, const char *than,
	       struct fc_answers *ret)
{
	const struct words words = { file, than };
	int err = 0;

	for (size_t i = 0; i < fc_nr_questions && !err; i++)
		if (than || !fc_questions[i].needs_than)
			err = ask(fc_query_db(query), &fc_questions[i], &words, ret);
	if (!err && ret->list.nr > 1)
		qsort(ret->list.at, ret->list.nr, sizeof(*ret->list.at), by_weight);
	return err;
}

void fc_answers_deinit(struct fc_answers *answers)
{
	fc_vec_each (&answers->list, answer) {
		free(answer->sentence);
		free(answer->command);
		fc_figures_deinit(&answer->figures);
	}
	fc_vec_free(&answers->list);
}
