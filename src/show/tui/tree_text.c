/* SPDX-License-Identifier: Apache-2.0 */
#include "show/tui/tree_text.h"

#include <inttypes.h>
#include <stdio.h>

const struct fc_tree_head fc_tree_heads[FC_TREE_NR_COLUMNS] = {
	[FC_TREE_TIME] = { "TIME s", 14 },
	[FC_TREE_DURATION] = { "DURATION", 13 },
	[FC_TREE_SELF] = { "SELF", 13 },
	[FC_TREE_THREAD] = { "TID", 9 },
};

/* ---- cells ---- */

static void put_ticks(const struct fc_reader *reader, uint64_t ticks, char ret[FC_TREE_CELL])
{
	fc_clock_ns_cell(fc_clock_duration_ns(fc_reader_clock(reader), ticks), ret);
}

void fc_tree_cell(const struct fc_reader *reader, const struct fc_node *node,
		  enum fc_tree_column column, char ret[FC_TREE_CELL])
{
	const struct fc_step *step = &node->step;
	bool is_call = step->kind != FC_STEP_LOST && step->left != FC_LEFT_UNSEEN;

	ret[0] = 0;
	if (node->kind != FC_NODE_STEP)
		return;
	if (column == FC_TREE_TIME) {
		uint64_t ns = fc_clock_ns(fc_reader_clock(reader), step->begin_tsc);
		snprintf(ret, FC_TREE_CELL, "%" PRIu64 ".%09" PRIu64, ns / 1000000000,
			 ns % 1000000000);
	} else if (column == FC_TREE_DURATION && is_call) {
		put_ticks(reader, step->ticks, ret);
	} else if (column == FC_TREE_SELF && is_call && step->has_self) {
		put_ticks(reader, step->self_ticks, ret);
	} else if (column == FC_TREE_THREAD) {
		snprintf(ret, FC_TREE_CELL, "%d", fc_reader_strand(reader, step->strand)->tid);
	}
}

/* ---- names ---- */

static const char *note_of(const struct fc_step *step)
{
	static const char *const notes[] = {
		[FC_LEFT_RETURN] = "",		 [FC_LEFT_TAIL] = "  (jumped on)",
		[FC_LEFT_POP] = "  (left)",	 [FC_LEFT_LOST] = "  (its end is lost)",
		[FC_LEFT_END] = "  (no return)", [FC_LEFT_UNSEEN] = "  (end not seen)",
	};
	return step->left <= FC_LEFT_UNSEEN ? notes[step->left] : "";
}

static void put_step(const struct fc_namer *namer, const struct fc_step *step, char *ret,
		     size_t room)
{
	struct fc_name name = step->func ? namer->name_of(namer->ctx, step->func)
					 : (struct fc_name){ .name = "[unknown]" };

	if (step->kind == FC_STEP_LOST)
		snprintf(ret, room, "~~ %" PRIu64 " records are lost here ~~", step->nr);
	else if (step->kind == FC_STEP_RUN)
		snprintf(ret, room, "%s x %" PRIu64 "%s", name.name, step->nr, note_of(step));
	else
		snprintf(ret, room, "%s%s%s", name.name, note_of(step),
			 step->is_reopened ? "  (begun before)" : "");
}

static char sign_of(const struct fc_node *node)
{
	if (!fc_outline_can_unfold(node))
		return ' ';
	return node->is_unfolded ? '-' : '+';
}

static void put_more(const struct fc_node *node, char *ret, size_t room)
{
	const struct fc_node *parent = node->parent;
	bool is_earlier = node->kind == FC_NODE_EARLIER;
	uint32_t wants = is_earlier ? parent->wants_front : parent->wants_back;

	if (node->kind == FC_NODE_OUTER)
		snprintf(ret, room, "^ %" PRIu32 " calls further out", node->step.depth);
	else if (wants)
		snprintf(ret, room, "  ... reading");
	else
		snprintf(ret, room, "+ ... more %s calls", is_earlier ? "earlier" : "later");
}

/* What is further to the right than can be seen says so, and how far. */
static int put_indent(uint32_t level, uint32_t base, int width, char *ret, size_t room)
{
	int step = width < 60 ? 1 : 2;
	uint32_t most = width > 12 ? (uint32_t)(width / 2 / step) : 1, shown = level - base;

	if (shown > most)
		return snprintf(ret, room, "%*s>%" PRIu32 " ", (int)(most / 2) * step, "",
				level);
	return snprintf(ret, room, "%*s", (int)shown * step, "");
}

void fc_tree_text(const struct fc_outline *outline, const struct fc_namer *namer,
		  const struct fc_node *node, uint32_t base, int width, char *ret, size_t room)
{
	int at = put_indent(fc_outline_level(outline, node), base, width, ret, room);

	if (at < 0 || (size_t)at + 4 >= room)
		return;
	if (node->kind != FC_NODE_STEP) {
		put_more(node, ret + at, room - (size_t)at);
		return;
	}
	ret[at] = sign_of(node);
	ret[at + 1] = ' ';
	put_step(namer, &node->step, ret + at + 2, room - (size_t)at - 2);
}
