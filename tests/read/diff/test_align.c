/* SPDX-License-Identifier: Apache-2.0 */
/* Two call trees laid side by side: what is told, and that it is true of both. */
#include "read/diff/test_align.h"

/* Steps as text: "a -b +c d{...} e3>5": same, gone, new, changed, called 5 times, not 3. */
struct script {
	const struct fc_subtrees *trees;
	struct text told, sides[2];
	FC_VEC(struct fc_align_step) open;
	FC_VEC(size_t) begin; /* of the open pair, in both sides */
};

static void put_times(struct text *text, uint32_t nr)
{
	char word[16];
	if (nr > 1) {
		snprintf(word, sizeof(word), "x%u", nr);
		put(text, word);
	}
}

static void tell_run(struct script *script, const char *sign, struct fc_run run)
{
	put(&script->told, script->told.len ? " " : "");
	put(&script->told, sign);
	struct text own = { 0 };
	put_tree(&own, script->trees, (struct fc_run){ run.hash, run.what, 1 });
	put(&script->told, own.at);
	free(own.at);
	put_times(&script->told, run.nr);
}

static void both(struct script *script, const struct fc_align_step *step, bool is_first, bool is_second)
{
	if (is_first)
		put_tree(&script->sides[0], script->trees, step->a);
	if (is_second)
		put_tree(&script->sides[1], script->trees, step->b);
}

static void tell_open(struct script *script, const struct fc_align_step *step)
{
	fc_vec_push(&script->open, *step);
	if (fc_what_number(step->a.what) == FC_WHAT_ROOT)
		return;
	char word[3] = { 0, '{', 0 };
	word[0] = (char)('a' + fc_what_number(step->a.what) - FC_WHAT_FIRST - 1);
	put(&script->told, script->told.len ? " " : "");
	put(&script->told, word);
	for (int i = 0; i < 2; i++) {
		put_name(&script->sides[i], step->a.what);
		fc_vec_push(&script->begin, script->sides[i].len);
		put(&script->sides[i], "(");
	}
}

/* "a()" is written "a"; a pair that is there n times stands n times on both sides. */
static void close_side(struct text *side, size_t begin, uint32_t what, uint32_t nr)
{
	if (side->len == begin + 1)
		side->at[--side->len] = 0;
	else
		put(side, ")");
	put(side, fc_what_ended(what) == FC_ENDED_LEFT ? "!" : "");
	char *own = fc_strdup(side->at + begin - 1);
	for (uint32_t n = 1; n < nr; n++) {
		put(side, " ");
		put(side, own);
	}
	free(own);
}

static void tell_close(struct script *script)
{
	struct fc_align_step step = script->open.at[--script->open.nr];
	if (fc_what_number(step.a.what) == FC_WHAT_ROOT)
		return;
	put(&script->told, " }");
	put_times(&script->told, step.a.nr);
	script->begin.nr -= 2;
	close_side(&script->sides[0], script->begin.at[script->begin.nr], step.a.what, step.a.nr);
	close_side(&script->sides[1], script->begin.at[script->begin.nr + 1], step.b.what,
		   step.b.nr);
}

static bool tell(void *ctx, const struct fc_align_step *step)
{
	struct script *script = ctx;
	char word[32];

	switch (step->kind) {
	case FC_SAME:
		tell_run(script, "", step->a);
		both(script, step, true, true);
		break;
	case FC_GONE:
		tell_run(script, "-", step->a);
		both(script, step, true, false);
		break;
	case FC_NEW:
		tell_run(script, "+", step->b);
		both(script, step, false, true);
		break;
	case FC_TIMES:
		tell_run(script, "", (struct fc_run){ step->a.hash, step->a.what, 1 });
		snprintf(word, sizeof(word), "%u>%u", step->a.nr, step->b.nr);
		put(&script->told, word);
		both(script, step, true, true);
		break;
	case FC_CHANGED:
		assert_int_equal(step->a.nr, step->b.nr);
		tell_open(script, step);
		break;
	case FC_LEFT:
		tell_close(script);
		break;
	case FC_UNKNOWN:
		put(&script->told, " ?");
		break;
	}
	return true;
}

static void run_script(struct script *script, struct fc_run a, struct fc_run b)
{
	struct fc_align_opts opts = { .trees = script->trees, .tell = tell, .ctx = script };
	put(&script->told, "");
	put(&script->sides[0], "");
	put(&script->sides[1], "");
	fc_align(&opts, a, b);
}

static void script_deinit(struct script *script)
{
	free(script->told.at);
	free(script->sides[0].at);
	free(script->sides[1].at);
	fc_vec_free(&script->open);
	fc_vec_free(&script->begin);
}

static void aligns(const char *a, const char *b, const char *told)
{
	struct fc_subtrees *trees = fc_subtrees_create(64 << 20);
	struct script script = { .trees = trees };

	run_script(&script, tree_of(trees, a), tree_of(trees, b));
	assert_string_equal(script.sides[0].at, a);
	assert_string_equal(script.sides[1].at, b);
	if (told)
		assert_string_equal(script.told.at, told);
	script_deinit(&script);
	fc_subtrees_destroy(trees);
}

static void what_differs_is_told_where_it_is(void **state)
{
	aligns("a(b c d)", "a(b e d)", "a{ b -c +e d }");
	aligns("a(b c d)", "a(b c d e)", "a{ b c d +e }");
	aligns("a(b(c) d(e(f) g))", "a(b(c) d(e(h) g))", "a{ b(c) d{ e{ -f +h } g } }");
	aligns("a b", "b", "-a b");
	aligns("a(b)", "a", "a{ -b }");
}

static void equal_calls_in_a_row_are_counted(void **state)
{
	aligns("a(b b b)", "a(b b b b b)", "a{ b3>5 }");
	aligns("a(b b b b b c)", "a(b b c)", "a{ b5>2 c }");
	aligns("a(b b b c)", "a(b b d b c)", "a{ bx2 +d b c }");
	aligns("a(b(c) b(c) b(d))", "a(b(c) b(d) b(d))", NULL);
}

static void a_call_put_in_front_does_not_shift_the_others(void **state)
{
	aligns("a(b(c) b(d) b(e))", "a(b(f) b(c) b(d) b(e))", "a{ +b(f) b(c) b(d) b(e) }");
	aligns("a(b(c d e) b(f g h))", "a(b(f g i))", "a{ -b(c d e) b{ f g -h +i } }");
}

static void calls_that_changed_alike_are_told_once(void **state)
{
	aligns("a(b(c) b(c) b(c))", "a(b(d) b(d) b(d))", "a{ b{ -c +d }x3 }");
	aligns("a(b(c) b(c))", "a(b(d) b(d) b(d))", "a{ b{ -c +d }x2 +b(d) }");
}

static void another_end_of_a_call_is_a_change(void **state)
{
	aligns("a(b c)", "a(b! c)", "a{ b{ } c }");
}

static void equal_trees_are_the_same_at_once(void **state)
{
	aligns("a(b(c d) e)", "a(b(c d) e)", "a(b(c d) e)");
	struct fc_subtrees *trees = fc_subtrees_create(1 << 20);
	assert_true(tree_of(trees, "a(b z(c d) e)").hash == tree_of(trees, "a(b c d e)").hash);
	assert_true(tree_of(trees, "a(b(c))").hash != tree_of(trees, "a(b c)").hash);
	assert_true(tree_of(trees, "a(3 b)").hash != tree_of(trees, "a(4 b)").hash);
	fc_subtrees_destroy(trees);
}

/* ---- any two trees: either side of what is told is that tree ---- */

static unsigned int seed;

static unsigned int any(unsigned int below)
{
	seed = seed * 1103515245u + 12345u;
	return (seed >> 12) % below;
}

static void put_any(struct text *text, int depth, unsigned int letters)
{
	char word[2] = { (char)('a' + any(letters)), 0 };

	if (text->len && !strchr("( ", text->at[text->len - 1]))
		put(text, " ");
	put(text, word);
	unsigned int nr = depth ? any(5) : 0;
	if (nr) {
		put(text, "(");
		for (unsigned int i = 0; i < nr; i++)
			put_any(text, depth - 1, letters);
		put(text, ")");
	}
	if (!any(12))
		put(text, "!");
}

/* The same with some letters changed, and calls put in: mostly alike. */
static void put_alike(struct text *text, const char *other, unsigned int letters)
{
	for (const char *p = other; *p; p++) {
		char word[3] = { *p, 0, 0 };
		if (islower((unsigned char)*p) && !any(10)) {
			put(text, any(2) ? "k k " : "l(m) ");
		} else if (islower((unsigned char)*p) && !any(10)) {
			word[0] = (char)('a' + any(letters));
		}
		put(text, word);
	}
}

static void either_side_is_true(void **state)
{
	for (seed = 1; seed < 200000; seed += 100) {
		struct text a = { 0 }, b = { 0 };
		unsigned int letters = 1 + any(6), nr = 1 + any(4);
		put(&a, "");
		for (unsigned int i = 0; i < nr; i++)
			put_any(&a, (int)any(6), letters);
		put(&b, "");
		if (any(3))
			put_alike(&b, a.at, letters);
		else
			put_any(&b, (int)any(6), letters);
		aligns(a.at, b.at, NULL);
		free(a.at);
		free(b.at);
	}
}

/* Lists that are longer, and differ more, than is looked at call by call. */
static void long_lists_are_true_too(void **state)
{
	for (int turn = 0; turn < 4; turn++) {
		struct text a = { 0 }, b = { 0 };
		seed = (unsigned int)turn + 7;
		put(&a, "a(");
		put(&b, "a(");
		for (int i = 0; i < 9000; i++) {
			put_any(&a, (int)any(2), turn % 2 ? 20 : 3);
			put_any(&b, (int)any(2), turn < 2 ? 20 : 3);
		}
		put(&a, ")");
		put(&b, ")");
		aligns(a.at, b.at, NULL);
		free(a.at);
		free(b.at);
	}
}

/* ---- memory that does not suffice ---- */

#define LIMIT      (1 << 20)
#define NR_CALLS   5000
#define LIST_BYTES (2 * NR_CALLS * sizeof(struct fc_run)) /* is kept, however long */

static void what_was_forgotten_is_unknown_but_equal_trees_are_known(void **state)
{
	struct fc_subtrees *trees = fc_subtrees_create(LIMIT);
	struct text a = { 0 }, b = { 0 };
	seed = 3;
	put(&a, "a(b(");
	for (int i = 0; i < NR_CALLS; i++)
		put_any(&a, 4, 20);
	put(&b, a.at);
	put(&a, ") c(d(e)))");
	put(&b, ") c(d(f)))");
	struct fc_run left = tree_of(trees, a.at), right = tree_of(trees, b.at);
	assert_true(left.hash != right.hash);
	assert_in_range(fc_subtrees_bytes(trees), 1, LIST_BYTES + 2 * LIMIT);

	struct script script = { .trees = trees };
	run_script(&script, left, right);
	assert_non_null(strstr(script.told.at, "?"));
	script_deinit(&script);

	fc_subtrees_want(trees, left.hash);
	fc_subtrees_want(trees, right.hash);
	free(a.at);
	free(b.at);
	fc_subtrees_destroy(trees);
}

static void what_is_wanted_is_kept(void **state)
{
	struct fc_subtrees *trees = fc_subtrees_create(LIMIT);
	struct text text = { 0 };
	seed = 5;
	uint64_t wanted = 0, small = 0;
	for (int pass = 0; pass < 2; pass++) {
		struct fc_run kept = tree_of(trees, "v(w(x) y)");
		const struct fc_subtree *root = fc_subtrees_find(trees, kept.hash);
		assert_non_null(root);
		wanted = fc_subtrees_runs(trees, root)->hash;
		small = fc_subtrees_runs(trees, fc_subtrees_find(trees, wanted))->hash;
		put(&text, "");
		for (int i = 0; i < NR_CALLS; i++)
			put_any(&text, 6, 20);
		tree_of(trees, text.at);
		assert_int_equal(!!fc_subtrees_find(trees, wanted), pass);
		assert_int_equal(!!fc_subtrees_find(trees, small), pass);
		fc_subtrees_want(trees, wanted);
		text.len = 0;
	}
	free(text.at);
	fc_subtrees_destroy(trees);
}

static void a_list_that_is_too_long_ends_in_a_rest(void **state)
{
	struct fc_subtrees *trees = fc_subtrees_create(1 << 20);
	struct script script = { .trees = trees };
	struct fc_run a = tree_of_limited(trees, "a(b c d e f g)", 16);
	struct fc_run b = tree_of_limited(trees, "a(b c d e f h)", 16);
	assert_true(a.hash == tree_of(trees, "a(b c d e f g)").hash);
	run_script(&script, a, b);
	assert_non_null(strstr(script.told.at, "?"));
	script_deinit(&script);
	fc_subtrees_destroy(trees);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_differs_is_told_where_it_is),
		cmocka_unit_test(equal_calls_in_a_row_are_counted),
		cmocka_unit_test(a_call_put_in_front_does_not_shift_the_others),
		cmocka_unit_test(calls_that_changed_alike_are_told_once),
		cmocka_unit_test(another_end_of_a_call_is_a_change),
		cmocka_unit_test(equal_trees_are_the_same_at_once),
		cmocka_unit_test(either_side_is_true),
		cmocka_unit_test(long_lists_are_true_too),
		cmocka_unit_test(what_was_forgotten_is_unknown_but_equal_trees_are_known),
		cmocka_unit_test(what_is_wanted_is_kept),
		cmocka_unit_test(a_list_that_is_too_long_ends_in_a_rest),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
