/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tree.h - a sink that turns calls into lines, in the layout of the kernel's function_graph.
 *
 *	# DURATION     TID     FUNCTION
 *	   191.046 us [   147] | __monstartup();
 *	              [   147] | main() {
 *	     1.971 us [   147] |   leaf();
 *	     2.000 ms [   147] | }            and the name, as a comment
 *
 * A call that made none is one line. So an enter is held until its strand goes on; when others
 * go on for a while and it does not, it is shown as `f() {`.
 *
 * Calls on a signal's or a coroutine's stack stand below those that were open when they began.
 *
 * Behind a name stands what is special about the call:
 *
 *	tail call   it was jumped to by the function on the line above, whose place it took
 *	inherited   it was open when this process was forked
 *	left        ended by longjmp, an exception or cancellation
 *	no return   still open when its thread ended
 *	lost        its end is among records that were lost
 *
 * Lines are handed on whole.
 */
#ifndef FC_ANALYZE_TREE_H
#define FC_ANALYZE_TREE_H

#include "analyze/call.h"
#include "analyze/names.h"
#include "trace/clock.h"

struct fc_tree_opts {
	const struct fc_clock *clock; /* may become more exact on the way */
	struct fc_namer namer;
	void (*write)(void *ctx, const char *lines, size_t len);
	void *ctx;
};

struct fc_tree;
struct fc_tree *fc_tree_create(const struct fc_tree_opts *opts);
void fc_tree_destroy(struct fc_tree *tree);
struct fc_call_sink *fc_tree_sink(struct fc_tree *tree);

/* The line above all others. */
void fc_tree_head(struct fc_tree *tree);
/* A process runs a program, or ends. */
void fc_tree_life(struct fc_tree *tree, const struct fc_life_info *life);
/* It is now_tsc: show calls that have been held for a while. */
void fc_tree_pass_time(struct fc_tree *tree, uint64_t now_tsc);
/* Hand on the lines made so far. */
void fc_tree_flush(struct fc_tree *tree);

#endif
