/* SPDX-License-Identifier: Apache-2.0 */
/* outline.c - keeps the unfolded nodes of the tree, and reads more as they come into view. */
#include "show/tui/outline.h"

#include <errno.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/vec.h"
#include "show/tui/lanes.h"

enum {
	FIRST_PAGE = 200,    /* children that are read at first, */
	PAGE = 1000,	     /* and then */
	WINDOW = 5 * PAGE,   /* of one call; the others are forgotten */
	NEIGHBOURS = 50,     /* of what is revealed, to both sides, */
	FEW = 5,	     /* and of what is around that */
	LEVELS = 256,	     /* that are shown around what is revealed */
	SUMMED_PACKETS = 64, /* a call that lasts for more has no self time in the tree */
	MOST_NODES = 200 * 1000,
	MOST_UNFOLDED = 2000, /* at once */
};

/* On the way to a call: those around it, the innermost first. */
struct reveal {
	bool is_on;
	uint32_t strand, depth; /* of what is looked for next */
	struct fc_walk_place at;
	bool is_exact; /* at is where it begins */
	FC_VEC(struct fc_step) path;
};

struct fc_outline {
	struct fc_outline_opts opts;
	struct fc_walk *walk;
	struct fc_lanes *lanes;
	struct fc_node root;
	struct fc_node *selected, *top;
	struct reveal reveal;
	FC_VEC(struct fc_node *) busy; /* want something */
	struct fc_node *summed;	       /* its calls are, up to here: for its self time */
	struct fc_walk_place summed_to;
	uint64_t summed_ticks;
	size_t nr_nodes;
	uint32_t unfolding; /* so many are to be unfolded with what is above them */
	bool is_at_end;	    /* go to the last when it is there */
};

/* ---- nodes ---- */

static struct fc_node *make_node(struct fc_outline *outline, uint8_t kind)
{
	struct fc_node *node = fc_alloc(sizeof(*node));
	node->kind = kind;
	outline->nr_nodes++;
	return node;
}

/* before NULL: as the last. */
static void insert(struct fc_node *parent, struct fc_node *node, struct fc_node *before)
{
	node->parent = parent;
	node->next = before;
	node->prev = before ? before->prev : parent->last;
	*(node->prev ? &node->prev->next : &parent->first) = node;
	*(node->next ? &node->next->prev : &parent->last) = node;
	parent->nr += node->kind == FC_NODE_STEP;
}

static void forget_wants(struct fc_outline *outline, struct fc_node *node)
{
	node->wants_front = node->wants_back = 0;
	for (size_t i = 0; i < outline->busy.nr; i++) {
		if (outline->busy.at[i] != node)
			continue;
		outline->busy.at[i] = outline->busy.at[--outline->busy.nr];
		return;
	}
}

static void drop(struct fc_outline *outline, struct fc_node *node);

static void drop_children(struct fc_outline *outline, struct fc_node *node)
{
	while (node->first)
		drop(outline, node->first);
	forget_wants(outline, node);
	node->has_window = false;
}

/* Without recursion into what is deep: the innermost first. */
static void drop(struct fc_outline *outline, struct fc_node *node)
{
	struct fc_node *at = node;

	for (;;) {
		while (at->first)
			at = at->first;
		struct fc_node *parent = at->parent;
		forget_wants(outline, at);
		*(at->prev ? &at->prev->next : &parent->first) = at->next;
		*(at->next ? &at->next->prev : &parent->last) = at->prev;
		parent->nr -= at->kind == FC_NODE_STEP;
		if (outline->selected == at)
			outline->selected = parent == &outline->root ? NULL : parent;
		if (outline->top == at)
			outline->top = NULL;
		if (outline->summed == at)
			outline->summed = NULL;
		outline->nr_nodes--;
		bool is_last = at == node;
		fc_step_text_deinit(&at->text);
		free(at);
		if (is_last)
			return;
		at = parent;
	}
}

static bool is_inside(const struct fc_node *node, const struct fc_node *around)
{
	for (; node; node = node->parent)
		if (node == around)
			return true;
	return false;
}

/* ---- windows ---- */

static void want(struct fc_outline *outline, struct fc_node *node, uint32_t front,
		 uint32_t back)
{
	bool was_idle = !node->wants_front && !node->wants_back;

	node->wants_front = node->is_front_done ? 0 : node->wants_front + front;
	node->wants_back = node->is_back_done ? 0 : node->wants_back + back;
	if (was_idle && (node->wants_front || node->wants_back))
		fc_vec_push(&outline->busy, node);
}

static bool is_more(const struct fc_node *node, uint8_t kind)
{
	return node && node->kind == kind;
}

/* The rows that say there is more stand where there is. */
static void place_more(struct fc_outline *outline, struct fc_node *node)
{
	if (is_more(node->first, FC_NODE_EARLIER) == node->is_front_done) {
		if (node->is_front_done)
			drop(outline, node->first);
		else
			insert(node, make_node(outline, FC_NODE_EARLIER), node->first);
	}
	if (is_more(node->last, FC_NODE_LATER) == node->is_back_done) {
		if (node->is_back_done)
			drop(outline, node->last);
		else
			insert(node, make_node(outline, FC_NODE_LATER), NULL);
	}
}

static struct fc_node *first_step(const struct fc_node *node)
{
	return is_more(node->first, FC_NODE_EARLIER) ? node->first->next : node->first;
}

static struct fc_node *last_step(const struct fc_node *node)
{
	return is_more(node->last, FC_NODE_LATER) ? node->last->prev : node->last;
}

static struct fc_node *add_step(struct fc_outline *outline, struct fc_node *node,
				const struct fc_step *step, bool is_front)
{
	struct fc_node *child = make_node(outline, FC_NODE_STEP);
	struct fc_node *before = is_front			      ? first_step(node)
				 : is_more(node->last, FC_NODE_LATER) ? node->last
								      : NULL;
	child->step = *step;
	insert(node, child, before);
	return child;
}

static uint32_t depth_inside(const struct fc_node *node)
{
	return node->step.kind == FC_STEP_RUN ? node->step.depth : node->step.depth + 1;
}

/* -EAGAIN: what is inside from from_tsc on was not found in time. */
static int lay_window_at(struct fc_outline *outline, struct fc_node *node)
{
	uint32_t strand = node->step.strand, depth = depth_inside(node);
	struct fc_walk_place at = fc_walk_at(outline->walk, strand, outline->opts.from_tsc);
	struct fc_step step;

	node->front = node->back = at;
	if (fc_walk_depth(outline->walk, strand, at) <= depth)
		return 0;
	int found = fc_walk_back(outline->walk, strand, depth, &at, &step);
	if (found > 0)
		node->front = node->back = step.place;
	return found < 0 ? found : 0;
}

static int lay_window(struct fc_outline *outline, struct fc_node *node)
{
	if (node->has_window)
		return 0;
	/* What was entered in a gap has its first calls in the same. */
	bool is_in = node->step.kind == FC_STEP_RUN || !node->step.func;
	node->front = node->back = node->step.place;
	node->back.record += !is_in;
	node->is_front_done = true;
	node->is_back_done = false;
	if (node->step.begin_tsc < outline->opts.from_tsc && node->step.kind != FC_STEP_RUN) {
		int err = lay_window_at(outline, node);
		if (err)
			return err;
	}
	node->has_window = true;
	place_more(outline, node);
	return 0;
}

static bool is_behind(const struct fc_outline *outline, const struct fc_step *step)
{
	return outline->opts.to_tsc && step->begin_tsc >= outline->opts.to_tsc;
}

static bool is_before(const struct fc_outline *outline, const struct fc_step *step)
{
	return step->end_tsc < outline->opts.from_tsc;
}

/* The next child behind what was read. As fc_walk_next(). */
static int read_back(struct fc_outline *outline, struct fc_node *node, struct fc_step *step)
{
	if (node == &outline->root)
		return fc_lanes_next(outline->lanes, step);
	fc_walk_set_single(outline->walk, node->step.kind == FC_STEP_RUN);
	int found = fc_walk_next(outline->walk, node->step.strand, depth_inside(node),
				 &node->back, step);
	fc_walk_set_single(outline->walk, false);
	bool is_out = fc_place_compare(step->place, node->step.behind) >= 0;
	return found > 0 && is_out ? 0 : found;
}

static int read_front(struct fc_outline *outline, struct fc_node *node, struct fc_step *step)
{
	if (node == &outline->root)
		return fc_lanes_back(outline->lanes, step);
	fc_walk_set_single(outline->walk, node->step.kind == FC_STEP_RUN);
	int found = fc_walk_back(outline->walk, node->step.strand, depth_inside(node),
				 &node->front, step);
	fc_walk_set_single(outline->walk, false);
	bool is_out = fc_place_compare(step->place, node->step.place) < 0;
	return found > 0 && is_out ? 0 : found;
}

static bool is_needed(const struct fc_outline *outline, const struct fc_node *node)
{
	return is_inside(outline->selected, node) || is_inside(outline->top, node);
}

/* Too many at once: those at the other end are forgotten. */
static void trim(struct fc_outline *outline, struct fc_node *node, bool is_front)
{
	while (node->nr > WINDOW) {
		struct fc_node *far = is_front ? last_step(node) : first_step(node);
		if (is_needed(outline, far))
			return;
		if (is_front) {
			node->back = far->step.place;
			node->is_back_done = false;
		} else {
			node->front = far->step.behind;
			node->is_front_done = false;
		}
		if (node == &outline->root)
			fc_lanes_unread(outline->lanes, &far->step, is_front);
		drop(outline, far);
	}
}

static int read_one(struct fc_outline *outline, struct fc_node *node)
{
	bool is_front = !node->wants_back;
	struct fc_step step = { 0 };
	int found =
		is_front ? read_front(outline, node, &step) : read_back(outline, node, &step);
	uint32_t *wants = is_front ? &node->wants_front : &node->wants_back;

	if (found < 0)
		return found;
	if (!found || (is_front ? is_before(outline, &step) : is_behind(outline, &step))) {
		*wants = 0;
		*(is_front ? &node->is_front_done : &node->is_back_done) = true;
		return 0;
	}
	if (!is_front && is_before(outline, &step))
		return 0; /* it ends before what is looked at begins */
	struct fc_node *child = add_step(outline, node, &step, is_front);
	if (--*wants == 0)
		trim(outline, node, is_front);
	if (outline->unfolding && fc_outline_can_unfold(child) && node->is_unfolded) {
		outline->unfolding--;
		child->is_unfolded = true;
		if (!lay_window(outline, child))
			want(outline, child, 0, FIRST_PAGE);
	}
	return 0;
}

/* ---- to reveal ---- */

static void go_to(struct fc_outline *outline, struct fc_node *node)
{
	outline->selected = node;
	outline->top = NULL;
}

/* The window of node is laid around the step, which is its only child for now. */
static struct fc_node *lay_around(struct fc_outline *outline, struct fc_node *node,
				  const struct fc_step *step)
{
	drop_children(outline, node);
	node->is_unfolded = node->has_window = true;
	node->is_front_done = node->is_back_done = false;
	node->front = step->place;
	node->back = step->behind;
	struct fc_node *child = add_step(outline, node, step, false);
	place_more(outline, node);
	want(outline, node, FEW, FEW);
	return child;
}

/* Nodes that were read already stay folded or unfolded as they are. */
static struct fc_node *find_child(const struct fc_node *node, const struct fc_step *step)
{
	for (struct fc_node *child = node->first; child; child = child->next)
		if (child->kind == FC_NODE_STEP && child->step.strand == step->strand &&
		    child->step.depth == step->depth && child->step.kind == step->kind &&
		    !fc_place_compare(child->step.place, step->place))
			return child;
	return NULL;
}

static bool has_outer(const struct fc_outline *outline)
{
	return outline->root.first && outline->root.first->kind == FC_NODE_OUTER;
}

static struct fc_node *child_for(struct fc_outline *outline, struct fc_node *node,
				 const struct fc_step *step)
{
	struct fc_node *child = node->has_window ? find_child(node, step) : NULL;

	if (!child)
		return lay_around(outline, node, step);
	node->is_unfolded = true;
	return child;
}

static void show_path(struct fc_outline *outline)
{
	struct reveal *reveal = &outline->reveal;
	const struct fc_step *outer = &reveal->path.at[reveal->path.nr - 1];
	struct fc_node *node = &outline->root;

	bool is_there = outline->nr_nodes < MOST_NODES && !has_outer(outline) &&
			!outer->depth && find_child(node, outer);
	if (!is_there)
		fc_lanes_set(outline->lanes, outer);
	node = is_there ? find_child(node, outer) : lay_around(outline, node, outer);
	if (outer->depth) {
		/* What is further out is not shown: nor are others beside it. */
		outline->root.is_front_done = outline->root.is_back_done = true;
		place_more(outline, &outline->root);
		struct fc_node *row = make_node(outline, FC_NODE_OUTER);
		row->step = *outer;
		insert(&outline->root, row, outline->root.first);
	}
	for (size_t i = reveal->path.nr - 1; i-- > 0;)
		node = child_for(outline, node, &reveal->path.at[i]);
	bool is_alone = node->parent->nr == 1;
	outline->selected = node;
	outline->is_at_end = false;
	if (is_alone || is_more(node->prev, FC_NODE_EARLIER))
		want(outline, node->parent, NEIGHBOURS, 0);
	if (is_alone || is_more(node->next, FC_NODE_LATER))
		want(outline, node->parent, 0, NEIGHBOURS);
	reveal->is_on = false;
	reveal->path.nr = 0;
}

/* One call further out. */
static int reveal_one(struct fc_outline *outline)
{
	struct reveal *reveal = &outline->reveal;
	struct fc_step step;
	int found = 0;

	if (reveal->is_exact)
		found = fc_walk_here(outline->walk, reveal->strand, reveal->depth, reveal->at,
				     &step);
	if (!found)
		found = fc_walk_back(outline->walk, reveal->strand, reveal->depth, &reveal->at,
				     &step);
	if (found < 0)
		return found;
	reveal->is_exact = false;
	if (found) {
		fc_vec_push(&reveal->path, step);
		reveal->at = step.place;
		/* A call that was entered in a gap has those around it in the same mark. */
		reveal->is_exact = !step.func;
	}
	if (!found || !reveal->depth || reveal->path.nr == LEVELS) {
		reveal->is_on = false;
		if (reveal->path.nr)
			show_path(outline);
		return 0;
	}
	reveal->depth--;
	return 0;
}

void fc_outline_reveal(struct fc_outline *outline, uint32_t strand, struct fc_walk_place place,
		       uint32_t depth)
{
	struct reveal *reveal = &outline->reveal;

	reveal->is_on = reveal->is_exact = true;
	reveal->strand = strand;
	reveal->depth = depth;
	reveal->at = place;
	reveal->path.nr = 0;
	outline->is_at_end = false;
}

bool fc_outline_is_revealing(const struct fc_outline *outline)
{
	return outline->reveal.is_on;
}

void fc_outline_stop(struct fc_outline *outline)
{
	outline->reveal.is_on = false;
	outline->unfolding = 0;
	while (outline->busy.nr)
		forget_wants(outline, outline->busy.at[0]);
}

/* ---- work ---- */

static void settle(struct fc_outline *outline)
{
	if (outline->is_at_end && outline->root.last) {
		outline->selected = last_step(&outline->root);
		outline->top = NULL;
	}
	if (!outline->selected)
		outline->selected = fc_outline_first(outline);
}

bool fc_outline_work(struct fc_outline *outline, uint64_t mono_ns)
{
	fc_walk_set_deadline(outline->walk, mono_ns);
	while (outline->reveal.is_on && fc_clock_mono_ns() < mono_ns)
		reveal_one(outline);
	while (outline->busy.nr && !outline->reveal.is_on && fc_clock_mono_ns() < mono_ns) {
		struct fc_node *node = outline->busy.at[0];
		int err = read_one(outline, node);
		if (!err && !node->wants_front && !node->wants_back) {
			forget_wants(outline, node);
			place_more(outline, node);
		}
	}
	fc_walk_set_deadline(outline->walk, UINT64_MAX);
	settle(outline);
	if (!outline->busy.nr)
		outline->is_at_end = false;
	return outline->busy.nr || outline->reveal.is_on;
}

/* ---- self times ---- */

static bool needs_self(const struct fc_node *node)
{
	const struct fc_step *step = &node->step;
	return node->kind == FC_NODE_STEP && step->kind == FC_STEP_CALL && step->func &&
	       !step->has_self && !step->is_reopened && step->is_end_known &&
	       step->behind.packet - step->place.packet <= SUMMED_PACKETS;
}

bool fc_outline_find_self(struct fc_outline *outline, struct fc_node *node, uint64_t mono_ns)
{
	struct fc_step *step = &node->step, child = { 0 };
	int found = 0;

	if (!needs_self(node))
		return false;
	if (outline->summed != node) {
		outline->summed = node;
		outline->summed_ticks = 0;
		outline->summed_to = step->place;
		outline->summed_to.record++;
	}
	fc_walk_set_deadline(outline->walk, mono_ns);
	do {
		found = fc_walk_next(outline->walk, step->strand, step->depth + 1,
				     &outline->summed_to, &child);
		if (found > 0 && fc_place_compare(child.place, step->behind) >= 0)
			found = 0;
		outline->summed_ticks += found > 0 ? child.ticks : 0;
	} while (found > 0 && fc_clock_mono_ns() < mono_ns);
	fc_walk_set_deadline(outline->walk, UINT64_MAX);
	if (found)
		return true;
	step->self_ticks =
		step->ticks > outline->summed_ticks ? step->ticks - outline->summed_ticks : 0;
	step->has_self = true;
	outline->summed = NULL;
	return false;
}

void fc_outline_find_text(struct fc_node *node, struct fc_step_values *values)
{
	if (node->has_text || node->kind != FC_NODE_STEP)
		return;
	node->text = fc_step_values_tell(values, &node->step);
	node->has_text = true;
}

/* ---- life ---- */

static void begin(struct fc_outline *outline)
{
	struct fc_node *root = &outline->root;

	outline->selected = outline->top = NULL;
	outline->unfolding = 0;
	outline->is_at_end = false;
	drop_children(outline, root);
	root->is_unfolded = root->has_window = true;
	root->is_front_done = true;
	root->is_back_done = false;
	place_more(outline, root);
	want(outline, root, 0, FIRST_PAGE);
}

struct fc_outline *fc_outline_create(const struct fc_outline_opts *opts)
{
	struct fc_outline *outline = fc_alloc(sizeof(*outline));
	outline->opts = *opts;
	outline->walk = fc_walk_create(opts->reader);
	outline->lanes =
		fc_lanes_create(opts->reader, outline->walk, opts->tid, opts->from_tsc);
	begin(outline);
	return outline;
}

void fc_outline_destroy(struct fc_outline *outline)
{
	if (!outline)
		return;
	drop_children(outline, &outline->root);
	fc_lanes_destroy(outline->lanes);
	fc_walk_destroy(outline->walk);
	fc_vec_free(&outline->reveal.path);
	fc_vec_free(&outline->busy);
	free(outline);
}

void fc_outline_set(struct fc_outline *outline, const struct fc_outline_opts *opts)
{
	fc_outline_stop(outline);
	outline->opts = *opts;
	fc_lanes_destroy(outline->lanes);
	outline->lanes =
		fc_lanes_create(opts->reader, outline->walk, opts->tid, opts->from_tsc);
	begin(outline);
}

const struct fc_outline_opts *fc_outline_opts(const struct fc_outline *outline)
{
	return &outline->opts;
}

struct fc_walk *fc_outline_walk(struct fc_outline *outline)
{
	return outline->walk;
}

void fc_outline_home(struct fc_outline *outline)
{
	if (outline->root.is_front_done && fc_outline_first(outline) &&
	    fc_outline_first(outline)->kind != FC_NODE_OUTER) {
		go_to(outline, fc_outline_first(outline));
		return;
	}
	const struct fc_outline_opts opts = outline->opts;
	fc_outline_set(outline, &opts);
}

void fc_outline_end(struct fc_outline *outline)
{
	struct fc_node *root = &outline->root;

	if (root->is_back_done && root->last &&
	    fc_outline_first(outline)->kind != FC_NODE_OUTER) {
		go_to(outline, fc_outline_last(outline));
		return;
	}
	fc_outline_stop(outline);
	outline->selected = outline->top = NULL;
	drop_children(outline, root);
	root->has_window = true;
	root->is_front_done = false;
	root->is_back_done = true;
	fc_lanes_to_end(outline->lanes, outline->opts.to_tsc);
	place_more(outline, root);
	want(outline, root, FIRST_PAGE, 0);
	outline->is_at_end = true;
}

/* ---- folding ---- */

bool fc_outline_can_unfold(const struct fc_node *node)
{
	return node->kind != FC_NODE_STEP || !node->step.is_leaf;
}

static void keep_within(struct fc_outline *outline)
{
	if (outline->nr_nodes < MOST_NODES)
		return;
	/* Folded rows that still have children, the first ones: they are read again. */
	struct fc_node *node = fc_outline_first(outline);
	for (; node && outline->nr_nodes > MOST_NODES / 2;
	     node = fc_outline_next(outline, node)) {
		if (node->kind == FC_NODE_STEP && !node->is_unfolded && node->first)
			drop_children(outline, node);
	}
}

void fc_outline_unfold(struct fc_outline *outline, struct fc_node *node)
{
	if (node->kind == FC_NODE_EARLIER || node->kind == FC_NODE_LATER) {
		want(outline, node->parent, node->kind == FC_NODE_EARLIER ? PAGE : 0,
		     node->kind == FC_NODE_LATER ? PAGE : 0);
		return;
	}
	if (node->kind == FC_NODE_OUTER) {
		if (node->step.depth)
			fc_outline_reveal(outline, node->step.strand, node->step.place,
					  node->step.depth - 1);
		outline->reveal.is_exact = !node->step.func;
		return;
	}
	if (!fc_outline_can_unfold(node) || node->is_unfolded)
		return;
	keep_within(outline);
	node->is_unfolded = true;
	if (!node->has_window && !lay_window(outline, node))
		want(outline, node, 0, FIRST_PAGE);
}

void fc_outline_fold(struct fc_outline *outline, struct fc_node *node)
{
	if (node->kind != FC_NODE_STEP)
		return;
	if (is_inside(outline->selected, node))
		outline->selected = node;
	if (outline->top != node && is_inside(outline->top, node))
		outline->top = NULL;
	node->is_unfolded = false;
	keep_within(outline);
}

void fc_outline_unfold_all(struct fc_outline *outline, struct fc_node *node)
{
	if (node->kind != FC_NODE_STEP)
		return;
	uint32_t left = MOST_UNFOLDED;
	const struct fc_node *behind = node;
	outline->unfolding = MOST_UNFOLDED;
	fc_outline_unfold(outline, node);
	/* What is there already; what is read from now on is unfolded when it comes. */
	for (struct fc_node *at = node; at && left && (at == node || is_inside(at, behind));
	     at = fc_outline_next(outline, at)) {
		if (at->kind == FC_NODE_STEP && fc_outline_can_unfold(at) && !at->is_unfolded) {
			fc_outline_unfold(outline, at);
			left--;
		}
	}
}

/* ---- rows ---- */

struct fc_node *fc_outline_first(const struct fc_outline *outline)
{
	return outline->root.first;
}

static struct fc_node *innermost_last(struct fc_node *node)
{
	while (node && node->is_unfolded && node->last)
		node = node->last;
	return node;
}

struct fc_node *fc_outline_last(const struct fc_outline *outline)
{
	return innermost_last(outline->root.last);
}

struct fc_node *fc_outline_next(const struct fc_outline *outline, const struct fc_node *node)
{
	if (node->is_unfolded && node->first)
		return node->first;
	while (node != &outline->root && !node->next)
		node = node->parent;
	return node == &outline->root ? NULL : node->next;
}

struct fc_node *fc_outline_prev(const struct fc_outline *outline, const struct fc_node *node)
{
	if (node->prev)
		return innermost_last(node->prev);
	return node->parent == &outline->root ? NULL : node->parent;
}

struct fc_node *fc_outline_parent(const struct fc_outline *outline, const struct fc_node *node)
{
	return node->parent == &outline->root ? NULL : node->parent;
}

uint32_t fc_outline_level(const struct fc_outline *outline, const struct fc_node *node)
{
	uint32_t level = 0;

	for (node = node->parent; node != &outline->root; node = node->parent)
		level++;
	return level;
}

struct fc_node *fc_outline_selected(const struct fc_outline *outline)
{
	return outline->selected;
}

void fc_outline_select(struct fc_outline *outline, struct fc_node *node)
{
	outline->selected = node;
	outline->is_at_end = false;
}

struct fc_node *fc_outline_top(const struct fc_outline *outline)
{
	return outline->top;
}

void fc_outline_set_top(struct fc_outline *outline, struct fc_node *node)
{
	outline->top = node;
}
