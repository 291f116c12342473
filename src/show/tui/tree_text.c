/* SPDX-License-Identifier: Apache-2.0 */
/* tree_text.c - formats a row of the tree. */
#include "show/tui/tree_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

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

/* Not in the middle of a character. */
static size_t cut_at(const char *text, size_t len)
{
	while (len && ((unsigned char)text[len] & 0xc0) == 0x80)
		len--;
	return len;
}

/* Cut long arguments, so that there is room for the result. */
static void put_values(const struct fc_step_text *text, struct fc_name name, size_t width,
		       char *ret, size_t room)
{
	const char *args = text->args ? text->args : "", *result = text->result;
	size_t around =
		strlen(ret) + strlen("()") + (result ? strlen(" = ") + strlen(result) : 0);
	size_t len = strlen(args), left = width > around ? width - around : 0;
	bool is_cut = result && len > left && left > strlen("...");
	size_t at = strlen(ret);

	if (is_cut)
		len = cut_at(args, left - strlen("..."));
	if (text->args)
		at += (size_t)snprintf(ret + at, room - at, "(%.*s%s)", (int)len, args,
				       is_cut ? "..." : "");
	else if (result)
		at += (size_t)snprintf(ret + at, room - at, "%s", fc_name_parens(name));
	if (result && at < room)
		snprintf(ret + at, room - at, " = %s", result);
}

static void put_call(const struct fc_namer *namer, const struct fc_node *node, int width,
		     char *ret, size_t room)
{
	const struct fc_step *step = &node->step;
	struct fc_name name = step->func ? namer->name_of(namer->ctx, step->func)
					 : (struct fc_name){ .name = "[unknown]" };

	snprintf(ret, room, "%s", name.name);
	if (step->kind == FC_STEP_RUN)
		snprintf(ret, room, "%s x %" PRIu64, name.name, step->nr);
	else if (node->text.args || node->text.result)
		put_values(&node->text, name, width > 0 ? (size_t)width : 0, ret, room);
	size_t at = strlen(ret);
	snprintf(ret + at, room - at, "%s%s", note_of(step),
		 step->kind == FC_STEP_CALL && step->is_reopened ? "  (begun before)" : "");
}

static void put_step(const struct fc_namer *namer, const struct fc_node *node, int width,
		     char *ret, size_t room)
{
	if (node->step.kind == FC_STEP_LOST)
		snprintf(ret, room, "~~ %" PRIu64 " records are lost here ~~", node->step.nr);
	else
		put_call(namer, node, width, ret, room);
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

/* A row that is indented beyond the middle of the screen shows its level as a number. */
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
	put_step(namer, node, width - at - 2, ret + at + 2, room - (size_t)at - 2);
}
