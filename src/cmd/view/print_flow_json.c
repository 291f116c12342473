/* SPDX-License-Identifier: Apache-2.0 */
/* print_flow_json.c - where the flow of calls differs, for programs. */
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "base/visited.h"
#include "cmd/out/output.h"
#include "cmd/view/print_flow.h"

#define PATH_MOST 256 /* of a deeper call the innermost ones are named */

struct teller {
	struct fc_json *json;
	const struct fc_flow_view *view;
	struct fc_flow_sums *sums;
	const struct fc_kin *kin;
	struct fc_visited seen;
	FC_VEC(uint32_t) path;
};

static void put_path(struct teller *t)
{
	size_t i = t->path.nr > PATH_MOST ? t->path.nr - PATH_MOST : 0;

	fc_json_number(t->json, "depth", t->path.nr);
	fc_json_open(t->json, "path", '[');
	for (; i < t->path.nr; i++)
		fc_json_string(t->json, NULL, fc_flow_name(t->view, t->path.at[i]));
	fc_json_close(t->json, '[');
}

static void put_kin(struct teller *t)
{
	static const char *const keys[] = { "tid_a", "tid_b" };

	fc_json_number(t->json, "process", t->kin->nr_process);
	fc_json_number(t->json, "thread", t->kin->nr_thread);
	fc_json_number(t->json, "stack", t->kin->nr_stack);
	for (int i = 0; i < 2; i++) {
		if (t->kin->strand[i])
			fc_json_number(t->json, keys[i], (uint64_t)t->kin->tid[i]);
		else
			fc_json_null(t->json, keys[i]);
	}
}

/* a.nr and b.nr: how often on each side; hash 0: not there. */
static void put_change(struct teller *t, const char *kind, struct fc_run a, struct fc_run b)
{
	uint32_t what = a.hash ? a.what : b.what;

	t->sums->places++;
	fc_json_open(t->json, NULL, '{');
	put_kin(t);
	put_path(t);
	fc_json_string(t->json, "change", kind);
	fc_json_string(t->json, "function", fc_flow_name(t->view, what));
	fc_json_string(t->json, "module", fc_flow_module(t->view, what));
	fc_json_number(t->json, "times_a", a.hash ? a.nr : 0);
	fc_json_number(t->json, "times_b", b.hash ? b.nr : 0);
	fc_json_number(t->json, "calls_a", a.hash ? fc_flow_calls(t->view, a) : 0);
	fc_json_number(t->json, "calls_b", b.hash ? fc_flow_calls(t->view, b) : 0);
	if (a.hash && b.hash && fc_what_ended(a.what) != fc_what_ended(b.what)) {
		fc_json_string(t->json, "ended_a", fc_flow_ended(a.what));
		fc_json_string(t->json, "ended_b", fc_flow_ended(b.what));
	}
	fc_json_close(t->json, '{');
}

static bool tell_changed(struct teller *t, const struct fc_align_step *step)
{
	if (!fc_visited_add(&t->seen, step->a.hash, step->b.hash)) {
		put_change(t, "as before", step->a, step->b);
		return false;
	}
	if (fc_what_ended(step->a.what) != fc_what_ended(step->b.what))
		put_change(t, "ended", step->a, step->b);
	if (fc_what_number(step->a.what) != FC_WHAT_ROOT)
		fc_vec_push(&t->path, step->a.what);
	return true;
}

static bool tell_step(void *ctx, const struct fc_align_step *step)
{
	struct teller *t = ctx;

	switch (step->kind) {
	case FC_SAME:
		break;
	case FC_GONE:
		put_change(t, "gone", step->a, step->b);
		break;
	case FC_NEW:
		put_change(t, "new", step->a, step->b);
		break;
	case FC_TIMES:
		put_change(t, "times", step->a, step->b);
		break;
	case FC_UNKNOWN:
		put_change(t, "unknown", step->a, step->b);
		break;
	case FC_CHANGED:
		return tell_changed(t, step);
	case FC_LEFT:
		if (t->path.nr)
			t->path.nr--;
		break;
	}
	return true;
}

static bool is_enough(void *ctx)
{
	struct teller *t = ctx;
	return fc_flow_is_enough(t->view, t->sums);
}

static void tell_kin(struct teller *t, const struct fc_kin *kin)
{
	struct fc_run roots[2];
	struct fc_align_opts opts = {
		.trees = t->view->trees, .tell = tell_step, .is_enough = is_enough, .ctx = t
	};

	if (!fc_flow_roots(t->view, kin, t->sums, roots) || is_enough(t))
		return;
	t->kin = kin;
	t->path.nr = 0;
	if (roots[0].hash && roots[1].hash)
		t->sums->nr_cut += fc_align(&opts, roots[0], roots[1]);
	else
		put_change(t, roots[0].hash ? "gone" : "new", roots[0], roots[1]);
}

void fc_flow_json(struct fc_json *json, const struct fc_flow_view *view,
		  const struct fc_kins *kins, struct fc_flow_sums *sums)
{
	struct teller t = { .json = json, .view = view, .sums = sums };

	fc_json_open(json, "changes", '[');
	fc_vec_each (kins, kin)
		tell_kin(&t, kin);
	fc_json_close(json, '[');
	fc_vec_free(&t.path);
	fc_visited_deinit(&t.seen);
}
