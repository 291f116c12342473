/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The filter, and the sieve made of it: what is let through, and that a trace filtered while
 * it is recorded replays to the same tree as the full one filtered afterwards.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "calls/filter.h"
#include "calls/sieve.h"
#include "show/lines/tree.h"
#include "trace/words.h"

enum { MAIN = 1, WORK, STEP, LEAF, JUMP, NR_NAMES };

static const char *const names[] = { "?", "main", "work", "step", "leaf", "setjmp" };

static struct fc_name name_of(void *ctx, uint32_t func)
{
	return (struct fc_name){ func <= NR_NAMES - 1 ? names[func] : "?",
				 func == LEAF ? "liba.so" : "prog" };
}

/* One tick is a microsecond. */
static const struct fc_clock clock_us = { .tsc1 = 1000, .mono1_ns = 1000 * 1000 };

struct text {
	char bytes[64 * 1024];
	size_t len;
};

static void write_text(void *ctx, const char *lines, size_t len)
{
	struct text *text = ctx;
	assert_true(text->len + len < sizeof(text->bytes));
	memcpy(text->bytes + text->len, lines, len);
	text->len += len;
	text->bytes[text->len] = 0;
}

struct record {
	uint64_t tsc;
	enum fc_kind kind;
	uint32_t func;
	uint64_t a, b; /* of a mark, whose type is func */
};

#define NOW (1ull << 20)

static size_t to_words(const struct record *records, uint64_t *words)
{
	size_t nr = 0;

	for (; records->kind; records++) {
		if (records->kind == FC_MARK) {
			words[nr++] = fc_record(records->tsc, fc_mark_func(records->func, 2),
						FC_MARK);
			words[nr++] = records->a;
			words[nr++] = records->b;
		} else {
			words[nr++] = fc_record(records->tsc, records->func, records->kind);
		}
	}
	return nr;
}

static const struct fc_strand_info strand = { .id = 1, .pid = 7, .tid = 7 };

/* Words of one strand after those of another. */
struct part {
	const struct fc_strand_info *strand;
	const uint64_t *words;
	size_t nr_words;
	uint64_t now;
};

/* The tree of these words, seen through a filter. */
static void draw_parts(const struct part *part, size_t nr_parts,
		       const struct fc_filter_opts *opts, struct text *text)
{
	struct fc_namer namer = { name_of, NULL };
	struct fc_tree_opts tree_opts = {
		.lines = { .clock = &clock_us, .namer = namer },
		.write = write_text,
		.ctx = text,
	};
	struct fc_filter_opts own = *opts;
	struct fc_tree *tree = fc_tree_create(&tree_opts);
	struct fc_event event;

	own.match = fc_namer_match;
	own.ctx = &namer;
	struct fc_filter *filter = fc_filter_create(&own, fc_tree_sink(tree));
	struct fc_calls *calls = fc_calls_create(fc_filter_sink(filter));
	for (; nr_parts--; part++)
		for (size_t i = 0, nr;
		     (nr = fc_words_decode(part->words + i, part->nr_words - i, part->strand,
					   part->now, &event));
		     i += nr)
			fc_calls_feed(calls, &event);
	fc_calls_finish(calls, NOW);
	fc_calls_destroy(calls);
	fc_filter_destroy(filter);
	fc_tree_destroy(tree);
}

static void draw(const uint64_t *words, size_t nr_words, uint64_t now,
		 const struct fc_filter_opts *opts, struct text *text)
{
	draw_parts(&(struct part){ &strand, words, nr_words, now }, 1, opts, text);
}

static void draw_records(const struct record *records, const struct fc_filter_opts *opts,
			 struct text *text)
{
	uint64_t words[4096];
	memset(text, 0, sizeof(*text));
	draw(words, to_words(records, words), NOW, opts, text);
}

/* main -> work -> step -> leaf, leaf; work tail-calls leaf; step; setjmp; step */
static const struct record sample[] = {
	{ 1000, FC_ENTRY, MAIN },      { 1010, FC_ENTRY, WORK }, { 1020, FC_ENTRY, STEP },
	{ 1021, FC_ENTRY, LEAF },      { 1022, FC_EXIT, LEAF },	 { 1030, FC_ENTRY, LEAF },
	{ 1060, FC_EXIT, LEAF },       { 1070, FC_EXIT, STEP },	 { 1080, FC_TAIL, LEAF },
	{ 1085, FC_EXIT, WORK },       { 1090, FC_ENTRY, STEP }, { 1091, FC_EXIT, STEP },
	{ 1092, FC_ENTRY_ONLY, JUMP }, { 1100, FC_ENTRY, STEP }, { 1101, FC_ENTRY, MAIN },
	{ 1150, FC_POP, 1 },	       { 1200, FC_EXIT, MAIN },	 { 0 },
};

static void without_options_everything_is_shown(void **state)
{
	struct text text;

	draw_records(sample, &(struct fc_filter_opts){ 0 }, &text);
	assert_string_equal(text.bytes, "              [     7] | main() {\n"
					"              [     7] |   work() {\n"
					"              [     7] |     step() {\n"
					"     1.000 us [     7] |       leaf();\n"
					"    30.000 us [     7] |       leaf();\n"
					"    50.000 us [     7] |     } /* step */\n"
					"    70.000 us [     7] |   } /* work */\n"
					"     5.000 us [     7] |   leaf(); /* tail call */\n"
					"     1.000 us [     7] |   step();\n"
					"              [     7] |   setjmp();\n"
					"              [     7] |   step() {\n"
					"    49.000 us [     7] |     main(); /* left */\n"
					"    50.000 us [     7] |   } /* step, left */\n"
					"   200.000 us [     7] | } /* main */\n");
}

static void only_shows_what_is_beneath_and_counts_depth_from_there(void **state)
{
	char *only[] = { "wo*", NULL };
	struct text text;

	draw_records(sample, &(struct fc_filter_opts){ .only = only, .depth = 2 }, &text);
	assert_string_equal(text.bytes, "              [     7] | work() {\n"
					"    50.000 us [     7] |   step();\n"
					"    70.000 us [     7] | } /* work */\n"
					"     5.000 us [     7] | leaf(); /* tail call */\n");
}

/* main calls work, which jumps to step; that calls leaf and jumps to itself, then to leaf. */
static const struct record jumping[] = {
	{ 100, FC_ENTRY, MAIN }, { 110, FC_ENTRY, WORK }, { 120, FC_TAIL, STEP },
	{ 130, FC_ENTRY, LEAF }, { 140, FC_EXIT, LEAF },  { 150, FC_TAIL, STEP },
	{ 160, FC_TAIL, LEAF },	 { 170, FC_EXIT, WORK },  { 180, FC_ENTRY, LEAF },
	{ 190, FC_EXIT, LEAF },	 { 200, FC_EXIT, MAIN },  { 0 },
};

static void what_was_jumped_to_is_beneath_who_jumped(void **state)
{
	static char *work[] = { "work", NULL }, *step[] = { "step", NULL };
	struct text text;

	draw_records(jumping, &(struct fc_filter_opts){ .only = work }, &text);
	assert_string_equal(text.bytes, "    10.000 us [     7] | work();\n"
					"              [     7] | step() { /* tail call */\n"
					"    10.000 us [     7] |   leaf();\n"
					"    30.000 us [     7] | } /* step */\n"
					"    10.000 us [     7] | step(); /* tail call */\n"
					"    10.000 us [     7] | leaf(); /* tail call */\n");
	draw_records(jumping, &(struct fc_filter_opts){ .only = step }, &text);
	assert_string_equal(text.bytes, "              [     7] | step() {\n"
					"    10.000 us [     7] |   leaf();\n"
					"    30.000 us [     7] | } /* step */\n"
					"    10.000 us [     7] | step(); /* tail call */\n"
					"    10.000 us [     7] | leaf(); /* tail call */\n");
	draw_records(jumping, &(struct fc_filter_opts){ .except = work }, &text);
	assert_string_equal(text.bytes, "              [     7] | main() {\n"
					"    10.000 us [     7] |   leaf();\n"
					"   100.000 us [     7] | } /* main */\n");
}

/* A row of jumps is one level, or a long one would go too deep. */
static void what_was_jumped_to_is_one_level_deeper(void **state)
{
	static char *work[] = { "work", NULL };
	struct text text;

	draw_records(jumping, &(struct fc_filter_opts){ .only = work, .depth = 1 }, &text);
	assert_string_equal(text.bytes, "    10.000 us [     7] | work();\n");
	draw_records(jumping, &(struct fc_filter_opts){ .only = work, .depth = 2 }, &text);
	assert_string_equal(text.bytes, "    10.000 us [     7] | work();\n"
					"    30.000 us [     7] | step(); /* tail call */\n"
					"    10.000 us [     7] | step(); /* tail call */\n"
					"    10.000 us [     7] | leaf(); /* tail call */\n");
}

static void except_takes_away_what_is_beneath(void **state)
{
	char *except[] = { "prog:step", "set*", NULL };
	struct text text;

	draw_records(sample, &(struct fc_filter_opts){ .except = except }, &text);
	assert_string_equal(text.bytes, "              [     7] | main() {\n"
					"    70.000 us [     7] |   work();\n"
					"     5.000 us [     7] |   leaf(); /* tail call */\n"
					"   200.000 us [     7] | } /* main */\n");
}

static void short_calls_are_dropped_and_callers_of_long_ones_are_not(void **state)
{
	struct text text;

	draw_records(sample, &(struct fc_filter_opts){ .min_ticks = 30 }, &text);
	assert_string_equal(text.bytes, "              [     7] | main() {\n"
					"              [     7] |   work() {\n"
					"              [     7] |     step() {\n"
					"    30.000 us [     7] |       leaf();\n"
					"    50.000 us [     7] |     } /* step */\n"
					"    70.000 us [     7] |   } /* work */\n"
					"              [     7] |   step() {\n"
					"    49.000 us [     7] |     main(); /* left */\n"
					"    50.000 us [     7] |   } /* step, left */\n"
					"   200.000 us [     7] | } /* main */\n");
}

static void a_glob_that_no_call_matches_is_known(void **state)
{
	char *only[] = { "step", "nothing", "s*", NULL };
	struct fc_namer namer = { name_of, NULL };
	struct fc_filter_opts opts = { .only = only, .match = fc_namer_match, .ctx = &namer };
	struct text text = { .len = 0 };
	struct fc_tree_opts tree_opts = {
		.lines = { .clock = &clock_us, .namer = namer },
		.write = write_text,
		.ctx = &text,
	};
	struct fc_tree *tree = fc_tree_create(&tree_opts);
	struct fc_filter *filter = fc_filter_create(&opts, fc_tree_sink(tree));
	struct fc_call call = { .func = WORK, .strand = 1, .tid = 7 };

	fc_filter_sink(filter)->enter(fc_filter_sink(filter), &call);
	assert_false(fc_filter_has_matched(filter, 0));
	call.func = STEP;
	fc_filter_sink(filter)->enter(fc_filter_sink(filter), &call);
	assert_true(fc_filter_has_matched(filter, 0));
	assert_false(fc_filter_has_matched(filter, 1));
	assert_true(fc_filter_has_matched(filter, 2)); /* though the first says it all */
	fc_filter_destroy(filter);
	fc_tree_destroy(tree);
}

static void another_thread_is_not_shown(void **state)
{
	struct text text;

	draw_records(sample, &(struct fc_filter_opts){ .tid = 8 }, &text);
	assert_string_equal(text.bytes, "");
}

static void recursion_counts_among_what_is_shown(void **state)
{
	static const struct record nested[] = {
		{ 1, FC_ENTRY, LEAF },
		{ 2, FC_ENTRY, WORK },
		{ 3, FC_ENTRY, LEAF },
		{ 4, FC_EXIT, LEAF },
		{ 5, FC_EXIT, WORK },
		{ 6, FC_EXIT, LEAF },
		{ 0 },
	};
	char *only[] = { "work", NULL };
	struct text text;

	draw_records(nested, &(struct fc_filter_opts){ .only = only }, &text);
	assert_string_equal(text.bytes, "              [     7] | work() {\n"
					"     1.000 us [     7] |   leaf();\n"
					"     3.000 us [     7] | } /* work */\n");
}

/* A tap that keeps the words it is given, as full times and records. */
struct kept {
	struct fc_tap tap;
	uint64_t words[8192];
	size_t nr_words;
	uint64_t last_tsc;
	bool has_ended;
};

static int keep_module(struct fc_tap *tap, const struct fc_module_info *info)
{
	return 0;
}

static int keep_map(struct fc_tap *tap, const struct fc_map_info *info)
{
	return 0;
}

static int keep_life(struct fc_tap *tap, const struct fc_life_info *info)
{
	return 0;
}

static int keep_records(struct fc_tap *tap, const struct fc_strand_info *info,
			const uint64_t *words, size_t nr_words, uint64_t now_tsc)
{
	struct kept *kept = (struct kept *)tap;
	struct fc_event event;

	assert_true(kept->nr_words + nr_words < 8192);
	memcpy(kept->words + kept->nr_words, words, nr_words * sizeof(*words));
	kept->nr_words += nr_words;
	for (size_t nr; (nr = fc_words_decode(words, nr_words, info, now_tsc, &event));
	     words += nr, nr_words -= nr) {
		assert_true(event.tsc >= kept->last_tsc); /* in order */
		kept->last_tsc = event.tsc;
	}
	assert_int_equal(nr_words, 0); /* whole records */
	return 0;
}

static int keep_end(struct fc_tap *tap, const struct fc_strand_info *info, uint64_t tsc)
{
	((struct kept *)tap)->has_ended = true;
	return 0;
}

static int keep_tick(struct fc_tap *tap, uint64_t now_tsc)
{
	return 0;
}

/* Record through a sieve, in pieces of a few words as a source would hand them over. */
static void sieve_words(const uint64_t *words, size_t nr_words,
			const struct fc_filter_opts *opts, struct kept *kept)
{
	struct fc_func_info funcs[NR_NAMES - 1] = { 0 };
	struct fc_module_info module = {
		.id = 1, .path = "/bin/prog", .funcs = funcs, .nr_funcs = NR_NAMES - 1
	};

	for (uint32_t i = 1; i < NR_NAMES; i++)
		funcs[i - 1] = (struct fc_func_info){ .name = names[i], .id = i };
	memset(kept, 0, sizeof(*kept));
	kept->tap = (struct fc_tap){ keep_module,  keep_map, keep_life,
				     keep_records, keep_end, keep_tick };

	struct fc_sieve *sieve = fc_sieve_create(opts, &kept->tap);
	struct fc_tap *tap = fc_sieve_tap(sieve);
	tap->module(tap, &module);
	for (size_t i = 0; i < nr_words;) {
		size_t nr = fc_record_words(words[i]) + 1;
		tap->records(tap, &strand, words + i, nr, NOW);
		i += nr;
	}
	fc_sieve_finish(sieve, NOW);
	fc_sieve_destroy(sieve);
}

static void assert_same_tree(const struct record *records, const struct fc_filter_opts *opts)
{
	static struct kept kept;
	static struct text full, sieved;
	uint64_t words[4096];
	size_t nr_words = to_words(records, words);

	memset(&full, 0, sizeof(full));
	memset(&sieved, 0, sizeof(sieved));
	draw(words, nr_words, NOW, opts, &full);
	sieve_words(words, nr_words, opts, &kept);
	draw(kept.words, kept.nr_words, NOW, &(struct fc_filter_opts){ 0 }, &sieved);
	assert_string_equal(full.bytes, sieved.bytes);
	/* Filtering what is filtered changes nothing more. */
	memset(&sieved, 0, sizeof(sieved));
	draw(kept.words, kept.nr_words, NOW, opts, &sieved);
	assert_string_equal(full.bytes, sieved.bytes);
}

static const struct record with_marks[] = {
	{ 500, FC_MARK, FC_MARK_FORK, 6, 2 + 1 },
	{ 501, FC_ENTRY, MAIN },
	{ 501, FC_MARK, FC_MARK_WAITED, 40 },
	{ 502, FC_ENTRY, WORK },
	{ 502, FC_MARK, FC_MARK_WAITED, 10 },
	{ 503, FC_ENTRY, STEP },
	{ 560, FC_EXIT, STEP },
	{ 561, FC_ENTRY, STEP },
	{ 562, FC_ENTRY, LEAF },
	{ 590, FC_MARK, FC_MARK_WAITED, 25 },
	{ 600, FC_MARK, FC_MARK_LOST, 99, 4 + 1 },
	{ 601, FC_ENTRY, LEAF },
	{ 602, FC_EXIT, LEAF },
	{ 603, FC_EXIT, LEAF },
	{ 700, FC_EXIT, STEP },
	{ 701, FC_ENTRY, STEP },
	{ 702, FC_TAIL, WORK },
	{ 703, FC_TAIL, STEP },
	{ 704, FC_TAIL, LEAF },
	{ 800, FC_EXIT, STEP },
	{ 801, FC_EXIT, WORK },
	{ 802, FC_ENTRY, LEAF },
	{ 0 },
};

static const struct record with_nothing_inherited[] = {
	{ 500, FC_MARK, FC_MARK_FORK, 6, 0 + 1 },
	{ 502, FC_ENTRY, WORK },
	{ 503, FC_ENTRY, STEP },
	{ 560, FC_EXIT, STEP },
	{ 0 },
};

static void a_filtered_recording_replays_to_the_same_tree(void **state)
{
	static char *globs[][3] = { { "work" }, { "step" }, { "leaf", "set*" }, { "main" } };
	static const struct record *const all[] = { sample, with_marks, jumping,
						    with_nothing_inherited };

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		for (uint32_t depth = 0; depth < 4; depth++) {
			for (uint64_t ticks = 0; ticks < 120; ticks += 29) {
				struct fc_filter_opts opts = { .depth = depth,
							       .min_ticks = ticks };
				assert_same_tree(all[i], &opts);
				for (size_t g = 0; g < 4; g++) {
					opts.only = globs[g];
					opts.except = NULL;
					assert_same_tree(all[i], &opts);
					opts.only = NULL;
					opts.except = globs[g];
					assert_same_tree(all[i], &opts);
				}
			}
		}
	}
}

/* Random records, also ones that make no sense. */
static void a_filtered_recording_of_anything_replays_to_the_same_tree(void **state)
{
	static char *globs[][3] = { { "work" }, { "step" }, { "leaf", "set*" } };
	struct record records[200];

	srand(1);
	for (int round = 0; round < 3000; round++) {
		uint64_t tsc = 100;
		size_t nr = (size_t)rand() % 199;
		for (size_t i = 0; i < nr; i++) {
			static const enum fc_kind kinds[] = { FC_ENTRY, FC_ENTRY, FC_ENTRY,
							      FC_ENTRY, FC_EXIT,  FC_EXIT,
							      FC_EXIT,	FC_TAIL,  FC_ENTRY_ONLY,
							      FC_POP,	FC_MARK };
			tsc += 1 + (uint64_t)rand() % 20;
			records[i] = (struct record){ tsc, kinds[rand() % 11],
						      1 + (uint32_t)rand() % 5, 0, 0 };
			if (records[i].kind == FC_POP)
				records[i].func %= 4;
			if (records[i].kind == FC_MARK) {
				static const enum fc_mark marks[] = { FC_MARK_LOST,
								      FC_MARK_WAITED,
								      FC_MARK_WAITED,
								      FC_MARK_FORK };
				records[i].func = marks[rand() % 4];
				records[i].a = 5 + (uint64_t)rand() % 70;
				records[i].b = (uint64_t)rand() % 8;
			}
			if (records[i].kind == FC_MARK && records[i].func == FC_MARK_FORK && i)
				records[i].func = FC_MARK_LOST;
		}
		records[nr] = (struct record){ 0 };
		struct fc_filter_opts opts = {
			.only = rand() % 3 ? NULL : globs[rand() % 3],
			.except = rand() % 3 ? NULL : globs[rand() % 3],
			.depth = (uint32_t)(rand() % 4),
			.min_ticks = rand() % 2 ? 0 : (uint64_t)rand() % 60,
		};
		assert_same_tree(records, &opts);
	}
}

/* A function that jumped is over, and its strand has no other call that is held. */
static void what_a_jump_leads_to_may_be_unknown(void **state)
{
	static const struct record before[] = {
		{ 100, FC_ENTRY, MAIN }, { 200, FC_ENTRY, LEAF }, { 260, FC_EXIT, LEAF },
		{ 300, FC_ENTRY, STEP }, { 310, FC_TAIL, 0 },	  { 0 },
	};
	static const struct record handler[] = { { 320, FC_ENTRY, WORK },
						 { 330, FC_EXIT, WORK },
						 { 0 } };
	static const struct record after[] = { { 345, FC_EXIT, 0 },
					       { 500, FC_EXIT, MAIN },
					       { 0 } };
	static const struct fc_strand_info other = { .id = 2, .pid = 7, .tid = 7 };
	static struct text text;
	uint64_t words[3][16];
	const struct part parts[] = {
		{ &strand, words[0], to_words(before, words[0]), NOW },
		{ &other, words[1], to_words(handler, words[1]), NOW },
		{ &strand, words[2], to_words(after, words[2]), NOW },
	};

	memset(&text, 0, sizeof(text));
	draw_parts(parts, 3, &(struct fc_filter_opts){ .min_ticks = 50, .is_ordered = true },
		   &text);
	assert_string_equal(text.bytes, "              [     7] | main() {\n"
					"    60.000 us [     7] |   leaf();\n"
					"   400.000 us [     7] | } /* main */\n");
}

/* A call of minutes is held until it ends: its entry is older than a record's tick reaches. */
static void a_call_longer_than_a_tick_reaches_keeps_its_times(void **state)
{
	static struct kept kept;
	uint64_t far = 5ull << FC_RECORD_TICK_BITS;
	uint64_t early = fc_record(1000, WORK, FC_ENTRY), late = fc_record(far, WORK, FC_EXIT);
	struct fc_filter_opts opts = { .min_ticks = 10 };

	memset(&kept, 0, sizeof(kept));
	kept.tap = (struct fc_tap){ keep_module,  keep_map, keep_life,
				    keep_records, keep_end, keep_tick };
	struct fc_sieve *sieve = fc_sieve_create(&opts, &kept.tap);
	struct fc_tap *tap = fc_sieve_tap(sieve);
	tap->records(tap, &strand, &early, 1, 2000);
	assert_int_equal(kept.nr_words, 0);
	tap->records(tap, &strand, &late, 1, far + 10);
	assert_int_equal(kept.nr_words, 2);
	assert_int_equal(kept.last_tsc, far);
	tap->strand_end(tap, &strand, far + 20);
	assert_true(kept.has_ended);
	fc_sieve_finish(sieve, far + 30);
	fc_sieve_destroy(sieve);
}

/* Record through a sieve whose filter changes before word change_at. */
static void sieve_changing(const uint64_t *words, size_t nr_words, size_t change_at,
			   const struct fc_filter_info *info, struct kept *kept)
{
	struct fc_func_info funcs[NR_NAMES - 1] = { 0 };
	struct fc_module_info module = {
		.id = 1, .path = "/bin/prog", .funcs = funcs, .nr_funcs = NR_NAMES - 1
	};

	for (uint32_t i = 1; i < NR_NAMES; i++)
		funcs[i - 1] = (struct fc_func_info){ .name = names[i], .id = i };
	memset(kept, 0, sizeof(*kept));
	kept->tap = (struct fc_tap){ keep_module,  keep_map, keep_life,
				     keep_records, keep_end, keep_tick };
	struct fc_sieve *sieve = fc_sieve_create(&(struct fc_filter_opts){ 0 }, &kept->tap);
	struct fc_tap *tap = fc_sieve_tap(sieve);
	assert_int_equal(fc_sieve_add_module(sieve, &module), 0);
	for (size_t i = 0; i < nr_words; i++) {
		if (i == change_at)
			fc_sieve_change(sieve, info, info->min_ns);
		tap->records(tap, &strand, words + i, 1, NOW);
	}
	fc_sieve_finish(sieve, NOW);
	fc_sieve_destroy(sieve);
}

static void a_call_that_was_told_ends_under_any_filter(void **state)
{
	static char *leaf[] = { "leaf", NULL };
	static struct kept kept;
	static struct text text;
	struct fc_filter_info info = { .only = leaf };
	uint64_t words[64];
	size_t nr = to_words(sample, words);

	/* It comes while main, work and step are open. */
	sieve_changing(words, nr, 3, &info, &kept);
	memset(&text, 0, sizeof(text));
	draw(kept.words, kept.nr_words, NOW, &(struct fc_filter_opts){ 0 }, &text);
	assert_string_equal(text.bytes, "              [     7] | main() {\n"
					"              [     7] |   work() {\n"
					"              [     7] |     step() {\n"
					"     1.000 us [     7] |       leaf();\n"
					"    30.000 us [     7] |       leaf();\n"
					"    50.000 us [     7] |     } /* step */\n"
					"    70.000 us [     7] |   } /* work */\n"
					"     5.000 us [     7] |   leaf(); /* tail call */\n"
					"   200.000 us [     7] | } /* main */\n");
}

/* What a filter left out stays out, with its end; what begins later is shown. */
static void a_call_that_was_left_out_stays_so(void **state)
{
	static char *leaf[] = { "leaf", NULL };
	static struct kept kept;
	struct fc_filter_info all = { 0 }, info = { .only = leaf };
	struct fc_func_info funcs[NR_NAMES - 1] = { 0 };
	struct fc_module_info module = {
		.id = 1, .path = "/bin/prog", .funcs = funcs, .nr_funcs = NR_NAMES - 1
	};
	uint64_t words[64];
	size_t nr = to_words(sample, words);

	for (uint32_t i = 1; i < NR_NAMES; i++)
		funcs[i - 1] = (struct fc_func_info){ .name = names[i], .id = i };
	memset(&kept, 0, sizeof(kept));
	kept.tap = (struct fc_tap){ keep_module,  keep_map, keep_life,
				    keep_records, keep_end, keep_tick };
	struct fc_sieve *sieve = fc_sieve_create(&(struct fc_filter_opts){ 0 }, &kept.tap);
	struct fc_tap *tap = fc_sieve_tap(sieve);
	assert_int_equal(fc_sieve_add_module(sieve, &module), 0);
	fc_sieve_change(sieve, &info, 0);
	tap->records(tap, &strand, words, 3, NOW);
	assert_int_equal(kept.nr_words, 0);
	fc_sieve_change(sieve, &all, 0);
	tap->records(tap, &strand, words + 3, nr - 3, NOW);
	fc_sieve_finish(sieve, NOW);
	fc_sieve_destroy(sieve);

	static struct text text;
	memset(&text, 0, sizeof(text));
	draw(kept.words, kept.nr_words, NOW, &(struct fc_filter_opts){ 0 }, &text);
	assert_string_equal(text.bytes, "     1.000 us [     7] | leaf();\n"
					"    30.000 us [     7] | leaf();\n"
					"     5.000 us [     7] | leaf();\n"
					"     1.000 us [     7] | step();\n"
					"              [     7] | setjmp();\n"
					"              [     7] | step() {\n"
					"    49.000 us [     7] |   main(); /* left */\n"
					"    50.000 us [     7] | } /* step, left */\n");
}

/* Each entry that was written has its end: what is open at last, was open all the time. */
static void whenever_a_filter_comes_each_entry_has_its_exit(void **state)
{
	static char *globs[][3] = { { "work" }, { "step" }, { "leaf", "set*" }, { "main" } };
	static struct kept kept;
	uint64_t words[64];
	size_t nr = to_words(sample, words);

	for (size_t at = 0; at < nr; at++)
		for (size_t g = 0; g < 8; g++)
			for (uint32_t depth = 0; depth < 3; depth++)
				for (uint64_t ticks = 0; ticks < 120; ticks += 29) {
					struct fc_filter_info info = { .depth = depth,
								       .min_ns = ticks };
					*(g < 4 ? &info.only : &info.except) = globs[g % 4];
					sieve_changing(words, nr, at, &info, &kept);
					int open = 0;
					for (size_t i = 0; i < kept.nr_words; i++) {
						uint32_t func = fc_record_func(kept.words[i]);
						switch (fc_record_kind(kept.words[i])) {
						case FC_ENTRY:
							open++;
							break;
						case FC_EXIT:
							open--;
							break;
						case FC_POP:
							assert_true((int)func <= open);
							open = (int)func;
							break;
						default:
							break;
						}
						assert_true(open >= 0);
					}
					assert_int_equal(open, 0);
				}
}

/* Waits of 5 in calls of 8 and 9 that -t takes away, within one that it leaves. */
static const struct record with_waits[] = {
	{ 100, FC_ENTRY, MAIN },
	{ 110, FC_ENTRY, STEP },
	{ 117, FC_MARK, FC_MARK_WAITED, 5 },
	{ 118, FC_EXIT, STEP },
	{ 120, FC_ENTRY, LEAF },
	{ 127, FC_MARK, FC_MARK_WAITED, 6 },
	{ 129, FC_EXIT, LEAF },
	{ 190, FC_MARK, FC_MARK_WAITED, 50 },
	{ 200, FC_EXIT, MAIN },
	{ 0 },
};

static void waits_in_calls_too_short_to_be_shown_are_told_as_one(void **state)
{
	static struct text text;
	struct fc_filter_opts opts = { .min_ticks = 20 };

	draw_records(with_waits, &opts, &text);
	assert_string_equal(text.bytes,
			    "              [     7] | main() {\n"
			    "              [     7] | /* waited 11.000 us for fctrace */\n"
			    "              [     7] | /* waited 50.000 us for fctrace */\n"
			    "   100.000 us [     7] | } /* main */\n");
	assert_same_tree(with_waits, &opts);
	opts = (struct fc_filter_opts){ .min_ticks = 1000 };
	draw_records(with_waits, &opts, &text);
	assert_string_equal(text.bytes,
			    "              [     7] | /* waited 61.000 us for fctrace */\n");
}

static void what_leads_to_a_call_is_shown_with_it(void **state)
{
	static char *leaf[] = { "leaf", NULL }, *step[] = { "prog:step", NULL },
		    *outer[] = { "main", NULL }, *entry[] = { "setj*", NULL },
		    *nobody[] = { "nobody", NULL };
	static struct text text;

	draw_records(sample, &(struct fc_filter_opts){ .leading = leaf }, &text);
	assert_string_equal(text.bytes, "              [     7] | main() {\n"
					"              [     7] |   work() {\n"
					"              [     7] |     step() {\n"
					"     1.000 us [     7] |       leaf();\n"
					"    30.000 us [     7] |       leaf();\n"
					"    50.000 us [     7] |     } /* step */\n"
					"    70.000 us [     7] |   } /* work */\n"
					"     5.000 us [     7] |   leaf(); /* tail call */\n"
					"   200.000 us [     7] | } /* main */\n");
	draw_records(sample, &(struct fc_filter_opts){ .leading = step }, &text);
	assert_string_equal(text.bytes, "              [     7] | main() {\n"
					"              [     7] |   work() {\n"
					"    50.000 us [     7] |     step();\n"
					"    70.000 us [     7] |   } /* work */\n"
					"     1.000 us [     7] |   step();\n"
					"    50.000 us [     7] |   step(); /* left */\n"
					"   200.000 us [     7] | } /* main */\n");
	draw_records(sample, &(struct fc_filter_opts){ .leading = outer }, &text);
	assert_string_equal(text.bytes, "              [     7] | main() {\n"
					"              [     7] |   step() {\n"
					"    49.000 us [     7] |     main(); /* left */\n"
					"    50.000 us [     7] |   } /* step, left */\n"
					"   200.000 us [     7] | } /* main */\n");
	draw_records(sample, &(struct fc_filter_opts){ .leading = entry }, &text);
	assert_string_equal(text.bytes, "              [     7] | main() {\n"
					"              [     7] |   setjmp();\n"
					"   200.000 us [     7] | } /* main */\n");
	draw_records(sample, &(struct fc_filter_opts){ .leading = nobody }, &text);
	assert_string_equal(text.bytes, "");
}

/* What jumped to it led to it. */
static void what_leads_to_a_call_goes_with_other_filters(void **state)
{
	static char *leaf[] = { "leaf", NULL }, *work[] = { "work", NULL },
		    *step[] = { "step", NULL };
	static struct text text;

	draw_records(jumping, &(struct fc_filter_opts){ .leading = leaf, .only = step }, &text);
	assert_string_equal(text.bytes, "              [     7] | step() {\n"
					"    10.000 us [     7] |   leaf();\n"
					"    30.000 us [     7] | } /* step */\n"
					"    10.000 us [     7] | step(); /* tail call */\n"
					"    10.000 us [     7] | leaf(); /* tail call */\n");
	draw_records(sample, &(struct fc_filter_opts){ .leading = leaf, .except = step },
		     &text);
	assert_string_equal(text.bytes, "              [     7] | main() {\n"
					"    70.000 us [     7] |   work();\n"
					"     5.000 us [     7] |   leaf(); /* tail call */\n"
					"   200.000 us [     7] | } /* main */\n");
	draw_records(sample, &(struct fc_filter_opts){ .leading = leaf, .min_ticks = 10 },
		     &text);
	assert_string_equal(text.bytes, "              [     7] | main() {\n"
					"              [     7] |   work() {\n"
					"              [     7] |     step() {\n"
					"    30.000 us [     7] |       leaf();\n"
					"    50.000 us [     7] |     } /* step */\n"
					"    70.000 us [     7] |   } /* work */\n"
					"   200.000 us [     7] | } /* main */\n");
	draw_records(sample, &(struct fc_filter_opts){ .leading = leaf, .depth = 3 }, &text);
	assert_string_equal(text.bytes, "              [     7] | main() {\n"
					"    70.000 us [     7] |   work();\n"
					"     5.000 us [     7] |   leaf(); /* tail call */\n"
					"   200.000 us [     7] | } /* main */\n");
	for (int i = 0; i < 3; i++) {
		char **leading = i == 0 ? leaf : i == 1 ? work : step;
		assert_same_tree(sample, &(struct fc_filter_opts){ .leading = leading });
		assert_same_tree(jumping, &(struct fc_filter_opts){ .leading = leading });
		assert_same_tree(with_waits, &(struct fc_filter_opts){ .leading = leading });
	}
}

/* As if the others were not hooked: no levels of -D, and what they call is there. */
static void functions_of_other_files_are_left_out(void **state)
{
	static char *program[] = { "prog", NULL }, *library[] = { "lib*", NULL },
		    *neither[] = { "other", NULL };
	static struct text text;

	draw_records(sample, &(struct fc_filter_opts){ .modules = program }, &text);
	assert_string_equal(text.bytes, "              [     7] | main() {\n"
					"              [     7] |   work() {\n"
					"    50.000 us [     7] |     step();\n"
					"    70.000 us [     7] |   } /* work */\n"
					"     1.000 us [     7] |   step();\n"
					"              [     7] |   setjmp();\n"
					"              [     7] |   step() {\n"
					"    49.000 us [     7] |     main(); /* left */\n"
					"    50.000 us [     7] |   } /* step, left */\n"
					"   200.000 us [     7] | } /* main */\n");
	for (uint32_t depth = 0; depth < 2; depth++) {
		draw_records(sample,
			     &(struct fc_filter_opts){ .modules = library, .depth = depth },
			     &text);
		assert_string_equal(text.bytes, "     1.000 us [     7] | leaf();\n"
						"    30.000 us [     7] | leaf();\n"
						"     5.000 us [     7] | leaf();\n");
	}
	draw_records(sample, &(struct fc_filter_opts){ .modules = neither }, &text);
	assert_string_equal(text.bytes, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_options_everything_is_shown),
		cmocka_unit_test(only_shows_what_is_beneath_and_counts_depth_from_there),
		cmocka_unit_test(what_was_jumped_to_is_beneath_who_jumped),
		cmocka_unit_test(what_was_jumped_to_is_one_level_deeper),
		cmocka_unit_test(except_takes_away_what_is_beneath),
		cmocka_unit_test(short_calls_are_dropped_and_callers_of_long_ones_are_not),
		cmocka_unit_test(a_glob_that_no_call_matches_is_known),
		cmocka_unit_test(another_thread_is_not_shown),
		cmocka_unit_test(recursion_counts_among_what_is_shown),
		cmocka_unit_test(a_filtered_recording_replays_to_the_same_tree),
		cmocka_unit_test(a_filtered_recording_of_anything_replays_to_the_same_tree),
		cmocka_unit_test(what_a_jump_leads_to_may_be_unknown),
		cmocka_unit_test(a_call_longer_than_a_tick_reaches_keeps_its_times),
		cmocka_unit_test(a_call_that_was_told_ends_under_any_filter),
		cmocka_unit_test(a_call_that_was_left_out_stays_so),
		cmocka_unit_test(whenever_a_filter_comes_each_entry_has_its_exit),
		cmocka_unit_test(waits_in_calls_too_short_to_be_shown_are_told_as_one),
		cmocka_unit_test(what_leads_to_a_call_is_shown_with_it),
		cmocka_unit_test(what_leads_to_a_call_goes_with_other_filters),
		cmocka_unit_test(functions_of_other_files_are_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
