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
 *	begun before it was open where the lines begin
 *	left        ended by longjmp, an exception or cancellation
 *	no return   still open when its thread ended
 *	lost        its end is among records that were lost
 *
 * Lines are handed on whole.
 *
 * A part of all lines can be asked for; it consists of the very lines that the whole would have
 * there. Before them stand the calls that are open where they begin, each as `f() {`.
 */
#ifndef FC_SHOW_LINES_TREE_H
#define FC_SHOW_LINES_TREE_H

#include "calls/call.h"
#include "show/lines/lines.h"
#include "values/recorded.h"

struct fc_tree_opts {
	struct fc_lines_opts lines;
	const struct fc_values *values; /* what fetched values mean; NULL: none are shown */
	bool is_long;			/* a line for each argument, with its type and name */
	bool is_flat;			/* a line for each enter and each leave, no tree */
	bool no_merge;			/* calls that made none are two lines as well */
	bool has_lives; /* comments on all of lives, not only on what is news while it runs */
	size_t batch;	/* bytes of lines to be handed on at a time; 0: a few */
	void (*write)(void *ctx, const char *lines, size_t len);
	void *ctx;

	/* Lines of calls and events from here on, and before then; 0: no limit. */
	uint64_t from_tsc, to_tsc;
	uint64_t since_tsc;  /* lines count from here on, */
	uint64_t skip;	     /* so many are left out, */
	uint64_t max;	     /* and no more than so many shown; 0: no limit */
	bool is_open_needed; /* of open calls, only those of threads that have a line */
	bool leaves_open;    /* no closing line of calls that never ended: none is counted */
};

struct fc_tree;
struct fc_tree *fc_tree_create(const struct fc_tree_opts *opts);
void fc_tree_destroy(struct fc_tree *tree);
struct fc_call_sink *fc_tree_sink(struct fc_tree *tree);

/* The line above all others. */
void fc_tree_head(struct fc_tree *tree);
/* A process begins, runs a program, or ends; a sentence about the program. */
void fc_tree_life(struct fc_tree *tree, const struct fc_life_info *life);
/* It is now_tsc: show calls that have been held for a while. */
void fc_tree_pass_time(struct fc_tree *tree, uint64_t now_tsc);
/* Hand on the lines made so far. */
void fc_tree_flush(struct fc_tree *tree);

/* Nothing that comes from now_tsc on can be among the lines that were asked for. If so, calls
 * that are still open do not end: no more is told. */
bool fc_tree_is_done(struct fc_tree *tree, uint64_t now_tsc);
/* Lines up to now, without the first and those of open calls: those left out count, too. */
uint64_t fc_tree_nr_lines(const struct fc_tree *tree);

#endif
