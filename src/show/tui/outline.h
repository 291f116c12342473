/* SPDX-License-Identifier: Apache-2.0 */
/*
 * outline.h - the calls of a trace as a tree that is folded and unfolded; nothing is read but
 * what is unfolded, and of that a page at a time.
 *
 *	+ main                     a call that is folded
 *	- serve                    one that is unfolded:
 *	    … earlier calls          there are more before
 *	    read x 5000              a run of leaves
 *	  + answer
 *	    … later calls            and behind
 *
 * What takes long is done a little at a time by fc_outline_work().
 */
#ifndef FC_SHOW_TUI_OUTLINE_H
#define FC_SHOW_TUI_OUTLINE_H

#include "show/tui/step_values.h"
#include "show/tui/walk.h"

enum fc_node_kind {
	FC_NODE_STEP,
	FC_NODE_EARLIER, /* there are more before what comes next */
	FC_NODE_LATER,
	FC_NODE_OUTER, /* calls further out than what is shown */
};

struct fc_node {
	uint8_t kind; /* enum fc_node_kind */
	bool is_unfolded, has_window;
	bool is_front_done, is_back_done; /* no more before, behind */
	uint32_t wants_front, wants_back; /* so many are to be read */
	uint32_t nr;			  /* children, of FC_NODE_STEP */
	struct fc_walk_place front, back; /* what is before, and behind, what was read */
	struct fc_node *parent, *prev, *next, *first, *last;
	struct fc_step step;
	bool has_text;
	struct fc_step_text text; /* if has_text */
};

struct fc_outline_opts {
	struct fc_reader *reader;
	int tid;		   /* of one thread; 0: all */
	uint64_t from_tsc, to_tsc; /* what lasts into this; to 0: to the end */
};

struct fc_outline;
struct fc_outline *fc_outline_create(const struct fc_outline_opts *opts);
void fc_outline_destroy(struct fc_outline *outline);

/* Other threads, another time: all is folded. The same reader. */
void fc_outline_set(struct fc_outline *outline, const struct fc_outline_opts *opts);
const struct fc_outline_opts *fc_outline_opts(const struct fc_outline *outline);
struct fc_walk *fc_outline_walk(struct fc_outline *outline);

/* Read what is wanted, until mono_ns at most. Returns whether there is more to do. */
bool fc_outline_work(struct fc_outline *outline, uint64_t mono_ns);

/* Rows from the top; NULL: there is none. */
struct fc_node *fc_outline_first(const struct fc_outline *outline);
struct fc_node *fc_outline_last(const struct fc_outline *outline);
struct fc_node *fc_outline_next(const struct fc_outline *outline, const struct fc_node *node);
struct fc_node *fc_outline_prev(const struct fc_outline *outline, const struct fc_node *node);
/* NULL: it is outermost. */
struct fc_node *fc_outline_parent(const struct fc_outline *outline, const struct fc_node *node);
/* How far to the right; outermost calls are 0. */
uint32_t fc_outline_level(const struct fc_outline *outline, const struct fc_node *node);

/* The row the user is on, and the first that is seen. NULL while there is none. */
struct fc_node *fc_outline_selected(const struct fc_outline *outline);
void fc_outline_select(struct fc_outline *outline, struct fc_node *node);
struct fc_node *fc_outline_top(const struct fc_outline *outline);
void fc_outline_set_top(struct fc_outline *outline, struct fc_node *node);

bool fc_outline_can_unfold(const struct fc_node *node);
/* Of FC_NODE_EARLIER and LATER: read the next page. */
void fc_outline_unfold(struct fc_outline *outline, struct fc_node *node);
void fc_outline_fold(struct fc_outline *outline, struct fc_node *node);
/* With all below, as far as there is room. */
void fc_outline_unfold_all(struct fc_outline *outline, struct fc_node *node);

/* Go to the first or the last of all. */
void fc_outline_home(struct fc_outline *outline);
void fc_outline_end(struct fc_outline *outline);

/*
 * Unfold what leads to the call that is open, or begins, at this record and depth, and go
 * there; done by and by. single: not as part of a run.
 */
void fc_outline_reveal(struct fc_outline *outline, uint32_t strand, struct fc_walk_place place,
		       uint32_t depth);
bool fc_outline_is_revealing(const struct fc_outline *outline);
void fc_outline_stop(struct fc_outline *outline);

/*
 * Find what the call spent in itself, if it is not known and the call is not too long; until
 * mono_ns at most. Returns whether there is more to do.
 */
bool fc_outline_find_self(struct fc_outline *outline, struct fc_node *node, uint64_t mono_ns);
/* Read what the call was given and returned, once. */
void fc_outline_find_text(struct fc_node *node, struct fc_step_values *values);

#endif
