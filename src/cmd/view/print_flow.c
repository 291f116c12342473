/* SPDX-License-Identifier: Apache-2.0 */
/* print_flow.c - prints two aligned call trees as a diff; equal calls are folded. */
#include "cmd/view/print_flow.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "base/vec.h"
#include "base/visited.h"
#include "cmd/out/output.h"
#include "cmd/out/table.h"

#define DEEPEST 40 /* levels that are indented, and shown in any case */
#define NEAREST 5  /* deeper ones are shown around a change, no more */

/* A pair of calls that is being looked into. */
struct opening {
	struct fc_run a, b;
	bool is_shown;
};

struct printer {
	FILE *out;
	const struct fc_flow_view *view;
	struct fc_flow_sums *sums;
	struct fc_visited seen;
	FC_VEC(struct opening) openings; /* outermost first */
	size_t nr_context, trail; /* equal calls around a change; of those behind it, left */
	struct fc_run *held;	  /* the last equal ones, not shown yet: a ring */
	size_t nr_held, next_held;
	uint64_t nr_folded; /* equal calls before them */
	bool is_in_place;
	uint64_t lines[2], hidden[2]; /* of this place: shown, and calls not shown */
};

/* ---- what calls are called ---- */

static struct fc_name name_of(const struct fc_flow_view *view, uint32_t what)
{
	const struct fc_twin *twin = fc_twins_get(view->twins, fc_what_number(what));

	if (!twin || (!twin->func[0] && !twin->func[1]))
		return (struct fc_name){ "?", "" };
	int side = twin->func[0] ? 0 : 1;
	if (twin->any)
		return (struct fc_name){ twin->any, "" };
	return view->namers[side].name_of(view->namers[side].ctx, twin->func[side]);
}

const char *fc_flow_name(const struct fc_flow_view *view, uint32_t what)
{
	switch (fc_what_number(what)) {
	case FC_WHAT_ROOT:
		return "(thread)";
	case FC_WHAT_LOST:
		return "(lost records)";
	case FC_WHAT_REST:
		return "(further calls)";
	default:
		return name_of(view, what).name;
	}
}

const char *fc_flow_module(const struct fc_flow_view *view, uint32_t what)
{
	return fc_what_number(what) < FC_WHAT_FIRST ? "" : name_of(view, what).module;
}

uint64_t fc_flow_calls(const struct fc_flow_view *view, struct fc_run run)
{
	const struct fc_subtree *tree = fc_subtrees_find(view->trees, run.hash);
	return tree ? tree->calls * run.nr : 0;
}

const char *fc_flow_ended(uint32_t what)
{
	static const char *const words[] = {
		[FC_ENDED_WELL] = "returned",
		[FC_ENDED_LEFT] = "was left by longjmp, an exception or cancellation",
		[FC_ENDED_NEVER] = "did not return",
		[FC_ENDED_LOST] = "ended among lost records",
	};
	return words[fc_what_ended(what)];
}

/* ---- which threads ---- */

bool fc_flow_is_enough(const struct fc_flow_view *view, struct fc_flow_sums *sums)
{
	uint64_t most = fc_count_or(view->settings->diff.places, 100);

	if (fc_output_is_over())
		return true;
	if (!most || sums->places < most)
		return false;
	sums->is_stopped = true;
	return true;
}

bool fc_flow_roots(const struct fc_flow_view *view, const struct fc_kin *kin,
		   struct fc_flow_sums *sums, struct fc_run roots[2])
{
	for (int i = 0; i < 2; i++)
		roots[i] = kin->strand[i] ? view->root_of(view->ctx, i, kin->strand[i])
					  : (struct fc_run){ 0 };
	bool is_other = roots[0].hash != roots[1].hash;
	sums->nr_kin++;
	sums->nr_other += is_other;
	return is_other;
}

/* ---- lines ---- */

static void begin_line(struct printer *p, char sign, uint64_t depth)
{
	fprintf(p->out, "%c %*s", sign, (int)(2 * (depth < DEEPEST ? depth : DEEPEST)), "");
	if (depth > DEEPEST)
		fprintf(p->out, "[%" PRIu64 "] ", depth);
}

static void print_name(struct printer *p, uint32_t what)
{
	fc_print_foreign(p->out, fc_flow_name(p->view, what));
	if (fc_what_number(what) >= FC_WHAT_FIRST)
		fputs("()", p->out);
}

static void end_line(struct printer *p, struct fc_run run)
{
	if (run.nr > 1)
		fprintf(p->out, "  /* %" PRIu32 " times */", run.nr);
	if (fc_what_ended(run.what) != FC_ENDED_WELL)
		fprintf(p->out, "  /* %s */", fc_flow_ended(run.what));
	fputc('\n', p->out);
}

/* One line, however much is below. */
static void print_closed(struct printer *p, char sign, uint64_t depth, struct fc_run run)
{
	const struct fc_subtree *tree = fc_subtrees_find(p->view->trees, run.hash);
	bool is_call = fc_what_number(run.what) >= FC_WHAT_FIRST;

	begin_line(p, sign, depth);
	if (!is_call && tree)
		fprintf(p->out, "%" PRIu64 " ", tree->calls);
	print_name(p, run.what);
	if (!tree && is_call)
		fputs(" { ... }", p->out);
	else if (is_call && tree->calls > 1)
		fprintf(p->out, " { ... %" PRIu64 " call%s ... }", tree->calls - 1,
			tree->calls > 2 ? "s" : "");
	else if (is_call)
		fputc(';', p->out);
	end_line(p, run);
}

/* ---- equal calls ---- */

static void print_fold(struct printer *p, uint64_t nr)
{
	begin_line(p, ' ', p->openings.nr);
	fprintf(p->out, "... %" PRIu64 " call%s the same ...\n", nr, nr == 1 ? "" : "s");
}

static struct fc_run *held_at(struct printer *p, size_t i)
{
	return &p->held[(p->next_held + p->nr_context - p->nr_held + i) % p->nr_context];
}

/* Equal calls that stand before a change. */
static void show_held(struct printer *p)
{
	if (p->nr_folded)
		print_fold(p, p->nr_folded);
	for (size_t i = 0; i < p->nr_held; i++)
		print_closed(p, ' ', p->openings.nr, *held_at(p, i));
	p->nr_held = p->nr_folded = 0;
}

/* Those after which no change follows. */
static void fold_held(struct printer *p)
{
	for (size_t i = 0; i < p->nr_held; i++)
		p->nr_folded += held_at(p, i)->nr;
	if (p->nr_held == 1 && p->nr_folded == held_at(p, 0)->nr)
		print_closed(p, ' ', p->openings.nr, *held_at(p, 0));
	else if (p->nr_folded)
		print_fold(p, p->nr_folded);
	p->nr_held = p->nr_folded = 0;
}

static void hold(struct printer *p, struct fc_run run)
{
	if (!p->nr_context) {
		p->nr_folded += run.nr;
		return;
	}
	if (p->nr_held == p->nr_context)
		p->nr_folded += held_at(p, 0)->nr;
	else
		p->nr_held++;
	p->held[p->next_held] = run;
	p->next_held = (p->next_held + 1) % p->nr_context;
}

/* ---- the calls around ---- */

static bool is_level_shown(const struct printer *p)
{
	return !p->openings.nr || p->openings.at[p->openings.nr - 1].is_shown;
}

static bool is_other_end(const struct opening *opening)
{
	return fc_what_ended(opening->a.what) != fc_what_ended(opening->b.what);
}

static void show_opening(struct printer *p, size_t i)
{
	struct opening *opening = &p->openings.at[i];
	bool is_other = is_other_end(opening);

	opening->is_shown = true;
	begin_line(p, is_other ? '!' : ' ', i);
	print_name(p, opening->b.what);
	fputs(" {", p->out);
	if (opening->a.nr > 1)
		fprintf(p->out, "  /* %" PRIu32 " times */", opening->a.nr);
	if (is_other)
		fprintf(p->out, "  %s, before: %s", fc_flow_ended(opening->b.what),
			fc_flow_ended(opening->a.what));
	fputc('\n', p->out);
}

/* Those that are not shown yet; of very many, the innermost. */
static void show_openings(struct printer *p)
{
	size_t nr = p->openings.nr, first = nr;

	while (first && !p->openings.at[first - 1].is_shown)
		first--;
	if (nr - first > NEAREST) {
		begin_line(p, ' ', first);
		fprintf(p->out, "... %zu levels deeper ...\n", nr - first - NEAREST);
		first = nr - NEAREST;
	}
	for (; first < nr; first++)
		show_opening(p, first);
}

/* ---- places where the flow differs ---- */

static void begin_place(struct printer *p)
{
	if (p->is_in_place)
		return;
	show_openings(p);
	show_held(p);
	p->is_in_place = true;
	p->sums->places++;
}

static void end_place(struct printer *p)
{
	if (!p->is_in_place)
		return;
	for (int i = 0; i < 2; i++) {
		if (p->hidden[i]) {
			begin_line(p, i ? '+' : '-', p->openings.nr);
			fprintf(p->out, "... %" PRIu64 " more calls ...\n", p->hidden[i]);
		}
		p->lines[i] = p->hidden[i] = 0;
	}
	p->is_in_place = false;
	p->trail = p->nr_context;
}

static uint64_t lines_most(const struct printer *p)
{
	const struct fc_diff_settings *diff = &p->view->settings->diff;
	uint64_t most = fc_count_or(diff->lines, 20);
	return most ? most : UINT64_MAX / 2;
}

/* A call that is being written with what it made. */
struct opened {
	struct fc_run run;
	const struct fc_run *runs;
	uint32_t next, nr;
};

struct writing {
	struct printer *p;
	char sign;
	uint64_t *lines;
	uint64_t owed; /* lines of calls that are open, and of what they made */
	FC_VEC(struct opened) open;
};

/* In one line, or opened if there is room for a line for each call that it made. */
static void write_call(struct writing *w, struct fc_run run)
{
	const struct fc_subtree *tree = fc_subtrees_find(w->p->view->trees, run.hash);
	uint64_t depth = w->p->openings.nr + w->open.nr;

	(*w->lines)++;
	if (!tree || !tree->nr_runs ||
	    *w->lines + w->owed + tree->nr_runs + 1 > lines_most(w->p)) {
		print_closed(w->p, w->sign, depth, run);
		return;
	}
	begin_line(w->p, w->sign, depth);
	print_name(w->p, run.what);
	fputs(" {", w->p->out);
	end_line(w->p, run);
	w->owed += tree->nr_runs + 1;
	fc_vec_push(&w->open, (struct opened){ run, fc_subtrees_runs(w->p->view->trees, tree),
					       0, tree->nr_runs });
}

static void write_end(struct writing *w)
{
	w->open.nr--;
	w->owed--;
	(*w->lines)++;
	begin_line(w->p, w->sign, w->p->openings.nr + w->open.nr);
	fputs("}\n", w->p->out);
}

/* A tree that only one side has. */
static void write_tree(struct printer *p, int side, struct fc_run run)
{
	struct writing w = { .p = p, .sign = side ? '+' : '-', .lines = &p->lines[side] };

	begin_place(p);
	if (p->lines[side] >= lines_most(p)) {
		uint64_t calls = fc_flow_calls(p->view, run);
		p->hidden[side] += calls ? calls : run.nr;
		return;
	}
	write_call(&w, run);
	while (w.open.nr) {
		struct opened *open = &w.open.at[w.open.nr - 1];
		if (open->next == open->nr) {
			write_end(&w);
			continue;
		}
		w.owed--;
		write_call(&w, open->runs[open->next++]);
	}
	fc_vec_free(&w.open);
}

static void write_times(struct printer *p, const struct fc_align_step *step)
{
	begin_place(p);
	begin_line(p, '!', p->openings.nr);
	print_name(p, step->a.what);
	fprintf(p->out, ";  called %" PRIu32 " time%s instead of %" PRIu32 "\n", step->b.nr,
		step->b.nr == 1 ? "" : "s", step->a.nr);
}

static void write_unknown(struct printer *p, const struct fc_align_step *step)
{
	begin_place(p);
	begin_line(p, '!', p->openings.nr);
	if (fc_what_number(step->a.what) == FC_WHAT_REST)
		fprintf(p->out,
			"... from here on calls were not compared one by one: %" PRIu64
			" before, %" PRIu64 " now ...\n",
			fc_flow_calls(p->view, step->a), fc_flow_calls(p->view, step->b));
	else
		fputs("... it differs in here, but memory did not suffice to say where (see "
		      "--memory) ...\n",
		      p->out);
}

static bool write_changed(struct printer *p, const struct fc_align_step *step)
{
	bool is_root = fc_what_number(step->a.what) == FC_WHAT_ROOT;
	bool is_new = fc_visited_add(&p->seen, step->a.hash, step->b.hash);

	end_place(p);
	if (is_root)
		return true;
	if (is_level_shown(p))
		show_held(p);
	p->nr_held = p->nr_folded = 0;
	if (!is_new) {
		begin_place(p);
		begin_line(p, '!', p->openings.nr);
		print_name(p, step->b.what);
		fputs(" { ... the same changes as in one before ... }", p->out);
		end_line(p, step->b);
		return false;
	}
	struct opening opening = { step->a, step->b, false };
	fc_vec_push(&p->openings, opening);
	p->trail = 0;
	p->sums->places += is_other_end(&opening);
	if (is_other_end(&opening) || p->openings.nr <= DEEPEST)
		show_openings(p);
	return true;
}

static void write_left(struct printer *p)
{
	bool is_shown = is_level_shown(p);

	end_place(p);
	if (is_shown)
		fold_held(p);
	p->nr_held = p->nr_folded = 0;
	p->trail = p->nr_context;
	if (!p->openings.nr)
		return;
	p->openings.nr--;
	if (!is_shown)
		return;
	begin_line(p, ' ', p->openings.nr);
	fputs("}\n", p->out);
}

static bool write_step(void *ctx, const struct fc_align_step *step)
{
	struct printer *p = ctx;

	switch (step->kind) {
	case FC_SAME:
		end_place(p);
		if (p->trail && is_level_shown(p)) {
			p->trail--;
			print_closed(p, ' ', p->openings.nr, step->a);
		} else {
			hold(p, step->a);
		}
		break;
	case FC_GONE:
		write_tree(p, 0, step->a);
		break;
	case FC_NEW:
		write_tree(p, 1, step->b);
		break;
	case FC_TIMES:
		write_times(p, step);
		break;
	case FC_UNKNOWN:
		write_unknown(p, step);
		break;
	case FC_CHANGED:
		return write_changed(p, step);
	case FC_LEFT:
		write_left(p);
		break;
	}
	return true;
}

/* The last one is shown whole. */
static bool is_enough(void *ctx)
{
	struct printer *p = ctx;
	return p->is_in_place ? fc_output_is_over() : fc_flow_is_enough(p->view, p->sums);
}

/* ---- threads ---- */

static void print_head(struct printer *p, const struct fc_kin *kin)
{
	int side = kin->strand[0] ? 0 : 1;

	fprintf(p->out, "@@ process %" PRIu32 " ", kin->nr_process);
	fc_print_foreign(p->out, fc_base_name(kin->program[side]));
	if (kin->strand[0] && kin->strand[1] &&
	    strcmp(fc_base_name(kin->program[0]), fc_base_name(kin->program[1])) != 0) {
		fputs(" / ", p->out);
		fc_print_foreign(p->out, fc_base_name(kin->program[1]));
	}
	fprintf(p->out, ", thread %" PRIu32, kin->nr_thread);
	if (kin->nr_stack > 1)
		fprintf(p->out, ", stack %" PRIu32, kin->nr_stack);
	if (kin->strand[0] && kin->strand[1])
		fprintf(p->out, " (tid %d / %d) @@\n", kin->tid[0], kin->tid[1]);
	else
		fprintf(p->out, " (tid %d) only in %c @@\n", kin->tid[side], side ? 'B' : 'A');
}

/* It is on one side only. */
static void write_thread(struct printer *p, int side, struct fc_run root)
{
	const struct fc_subtree *tree = fc_subtrees_find(p->view->trees, root.hash);

	if (!tree)
		write_tree(p, side, root);
	for (uint32_t i = 0; tree && i < tree->nr_runs; i++)
		write_tree(p, side, fc_subtrees_runs(p->view->trees, tree)[i]);
	end_place(p);
}

static void print_kin(struct printer *p, const struct fc_kin *kin)
{
	struct fc_run roots[2];
	struct fc_align_opts opts = {
		.trees = p->view->trees, .tell = write_step, .is_enough = is_enough, .ctx = p
	};

	if (!fc_flow_roots(p->view, kin, p->sums, roots) || is_enough(p))
		return;
	print_head(p, kin);
	p->openings.nr = p->trail = 0;
	if (roots[0].hash && roots[1].hash) {
		p->sums->nr_cut += fc_align(&opts, roots[0], roots[1]);
		if (!p->sums->is_stopped)
			return;
		end_place(p);
		p->nr_held = p->nr_folded = 0;
	} else {
		write_thread(p, roots[0].hash ? 0 : 1, roots[0].hash ? roots[0] : roots[1]);
	}
}

void fc_flow_print(FILE *out, const struct fc_flow_view *view, const struct fc_kins *kins,
		   struct fc_flow_sums *sums)
{
	const struct fc_diff_settings *diff = &view->settings->diff;
	struct printer p = { .out = out, .view = view, .sums = sums };

	p.nr_context = fc_count_or(diff->context, 2);
	p.held = calloc(p.nr_context + 1, sizeof(*p.held));
	if (!p.held)
		return;
	fc_vec_each (kins, kin)
		print_kin(&p, kin);
	free(p.held);
	fc_vec_free(&p.openings);
	fc_visited_deinit(&p.seen);
}
