/* SPDX-License-Identifier: Apache-2.0 */
/* test_align.h - call trees written down: "a(b c(d) e!)", a call that made b, c and e; ! = left. */
#ifndef FC_TEST_ALIGN_H
#define FC_TEST_ALIGN_H

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/vec.h"
#include "read/diff/align.h"
#include "read/diff/flow.h"

/* Functions are letters: 'a' is function 1, number FC_WHAT_FIRST + 1. 'z' is passed over. */
static inline uint32_t number_of_letter(void *ctx, uint32_t func)
{
	return func == 'z' - 'a' + 1 ? 0 : FC_WHAT_FIRST + func;
}

static inline void feed_text(struct fc_call_sink *sink, const char *text)
{
	struct {
		struct fc_call at[64];
		size_t nr;
	} open = { .nr = 0 };

	for (const char *p = text; *p; p++) {
		if (*p == ')') {
			struct fc_call *call = &open.at[--open.nr];
			call->left = p[1] == '!' ? FC_LEFT_POP : FC_LEFT_RETURN;
			sink->leave(sink, call);
		} else if (*p >= '1' && *p <= '9') {
			struct fc_event lost = { .strand = 1, .kind = FC_MARK, .mark = FC_MARK_LOST };
			uint64_t nr = (uint64_t)(*p - '0');
			lost.words = &nr;
			lost.nr_words = 1;
			sink->event(sink, &lost);
		} else if (islower((unsigned char)*p)) {
			struct fc_call call = { .func = (uint32_t)(*p - 'a' + 1), .strand = 1 };
			sink->enter(sink, &call);
			if (p[1] == '(') {
				open.at[open.nr++] = call;
			} else {
				call.left = p[1] == '!' ? FC_LEFT_POP : FC_LEFT_RETURN;
				sink->leave(sink, &call);
			}
		}
	}
	assert_int_equal(open.nr, 0);
	sink->finish(sink);
}

static inline struct fc_run tree_of_limited(struct fc_subtrees *trees, const char *text,
					    size_t limit_runs)
{
	struct fc_flow_opts opts = { .trees = trees, .number_of = number_of_letter,
				     .limit_runs = limit_runs };
	struct fc_flow *flow = fc_flow_create(&opts);
	struct fc_run root = { 0 };

	feed_text(fc_flow_sink(flow), text);
	fc_flow_root(flow, 1, &root);
	fc_flow_destroy(flow);
	return root;
}

static inline struct fc_run tree_of(struct fc_subtrees *trees, const char *text)
{
	return tree_of_limited(trees, text, 1 << 20);
}

/* What one side of an alignment, or a kept tree, looks like when it is written down again. */
struct text {
	char *at;
	size_t len, room;
};

static inline void put(struct text *text, const char *word)
{
	size_t len = strlen(word);
	if (text->len + len + 1 > text->room) {
		text->room = 2 * (text->len + len + 64);
		text->at = fc_realloc(text->at, text->room);
	}
	memcpy(text->at + text->len, word, len + 1);
	text->len += len;
}

static inline void put_name(struct text *text, uint32_t what)
{
	uint32_t number = fc_what_number(what);
	char word[2] = { number > FC_WHAT_FIRST ? (char)('a' + number - FC_WHAT_FIRST - 1)
			 : number == FC_WHAT_LOST ? '?' : '~', 0 };
	if (text->len && !strchr("( ", text->at[text->len - 1]))
		put(text, " ");
	put(text, word);
}

static inline void put_tree(struct text *text, const struct fc_subtrees *trees, struct fc_run run)
{
	for (uint32_t n = 0; n < run.nr; n++) {
		const struct fc_subtree *tree = fc_subtrees_find(trees, run.hash);
		if (fc_what_number(run.what) != FC_WHAT_ROOT)
			put_name(text, run.what);
		bool is_call = fc_what_number(run.what) != FC_WHAT_ROOT;
		if (tree && tree->nr_runs) {
			if (is_call)
				put(text, "(");
			for (uint32_t i = 0; i < tree->nr_runs; i++)
				put_tree(text, trees, fc_subtrees_runs(trees, tree)[i]);
			if (is_call)
				put(text, ")");
		}
		if (fc_what_ended(run.what) == FC_ENDED_LEFT)
			put(text, "!");
	}
}

#endif
