/* SPDX-License-Identifier: Apache-2.0 */
/* sums.c - starts and ends the errands for the chosen thread and range. */
#include "show/tui/sums.h"

#include <stdlib.h>

#include "base/memory.h"

/* Keep its sentence on what is missing of the trace. */
static void end(struct fc_app *app, struct fc_errand *errand)
{
	if (fc_errand_is_done(errand) && fc_errand_missing(errand) && !app->missing)
		app->missing = fc_strdup(fc_errand_missing(errand));
	fc_errand_destroy(errand);
}

static void end_those_that_stopped(struct fc_app *app)
{
	struct fc_sums *sums = &app->sums;

	for (size_t i = sums->ending.nr; i-- > 0;) {
		if (!fc_errand_is_done(sums->ending.at[i]))
			continue;
		end(app, sums->ending.at[i]);
		sums->ending.at[i] = sums->ending.at[--sums->ending.nr];
	}
}

/* A key does not wait until it has stopped. */
static void drop(struct fc_app *app, struct fc_errand **errand)
{
	if (!*errand)
		return;
	fc_errand_cancel(*errand);
	fc_vec_push(&app->sums.ending, *errand);
	*errand = NULL;
	end_those_that_stopped(app);
}

struct fc_errand *fc_sums_of(struct fc_app *app, enum fc_errand_kind kind)
{
	const struct fc_errand_opts opts = {
		.kind = kind,
		.path = app->opts->path,
		.reader = app->opts->reader,
		.namer = app->opts->namer,
		.tid = app->tid,
		.range = fc_app_range(app),
	};
	struct fc_errand **errand =
		fc_errand_is_of_part(&opts) ? &app->sums.part[kind] : &app->sums.whole[kind];

	if (*errand && !fc_errand_is_for(*errand, &opts))
		drop(app, errand);
	if (!*errand)
		*errand = fc_errand_start(&opts);
	return *errand;
}

void fc_sums_drop(struct fc_app *app)
{
	for (int i = 0; i < FC_NR_ERRANDS; i++) {
		drop(app, &app->sums.whole[i]);
		drop(app, &app->sums.part[i]);
	}
}

void fc_sums_deinit(struct fc_app *app)
{
	fc_sums_drop(app);
	fc_vec_each (&app->sums.ending, errand)
		end(app, *errand);
	fc_vec_free(&app->sums.ending);
}
