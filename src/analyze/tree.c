/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/tree.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "analyze/strands.h"
#include "analyze/threads.h"
#include "base/memory.h"
#include "base/printable.h"
#include "base/vec.h"

#define BATCH_BYTES (32 * 1024)
#define HELD_FOR_NS (10 * 1000 * 1000)
#define INDENT_MAX  256 /* levels; deeper calls stay at this column */

/*
 * A strand and its held enter. Held strands hang in a list, the one that holds longest first.
 *
 * A signal's handler on a stack of its own stands below the calls that it interrupted:
 *
 *	strand 1       strand 2
 *	main() {
 *	  down() {
 *	               on_usr1() {     base 2, what is open of strand 1
 *	                 step();
 *
 * A strand that goes on although what is below it went on meanwhile is a coroutine: it is
 * below nothing, and keeps the base that it has.
 */
struct strand {
	struct strand *prev, *next;
	struct fc_call call;
	bool is_held;
	bool is_tail;	   /* the held call took the place of the one before */
	uint64_t tail_tsc; /* the last line ended a call by a tail jump: when, and where */
	uint32_t tail_depth;
	uint32_t base;	  /* what is added to the depth of its calls */
	uint32_t nr_open; /* its calls that are open */
	uint32_t below;	  /* the strand that base comes from; 0: none */
	bool is_coroutine;
};

struct fc_tree {
	struct fc_call_sink sink;
	struct fc_tree_opts opts;
	struct fc_strands strands;
	struct fc_threads threads;
	struct strand held; /* head of the list */
	FC_VEC(char) text;
};

static struct fc_tree *tree_of(struct fc_call_sink *sink)
{
	return (struct fc_tree *)((char *)sink - offsetof(struct fc_tree, sink));
}

static char *room_for(struct fc_tree *tree, size_t len)
{
	fc_vec_reserve(&tree->text, len);
	return tree->text.at + tree->text.nr;
}

static void put(struct fc_tree *tree, const char *text, size_t len)
{
	memcpy(room_for(tree, len), text, len);
	tree->text.nr += len;
}

#define put_literal(tree, text) put(tree, text, sizeof(text) - 1)

/* Text from a file or a program: it must not steer the terminal. */
static void put_foreign(struct fc_tree *tree, const char *text)
{
	size_t len = strlen(text);

	put(tree, text, len);
	fc_make_printable(tree->text.at + tree->text.nr - len, len);
}

static void put_spaces(struct fc_tree *tree, size_t nr)
{
	memset(room_for(tree, nr), ' ', nr);
	tree->text.nr += nr;
}

/* Decimal digits of n, right-aligned in width. */
static void put_number(struct fc_tree *tree, uint64_t n, size_t width)
{
	char digits[20];
	size_t nr = 0;

	do {
		digits[sizeof(digits) - ++nr] = (char)('0' + n % 10);
		n /= 10;
	} while (n);
	if (nr < width)
		put_spaces(tree, width - nr);
	put(tree, digits + sizeof(digits) - nr, nr);
}

/* Thousandths, as in "191.046 us". */
static void put_duration(struct fc_tree *tree, uint64_t ns)
{
	static const char units[][4] = { " us ", " ms ", " s  " };
	size_t unit = 0;

	while (ns >= 1000000 && unit < 2) {
		ns /= 1000;
		unit++;
	}
	put_number(tree, ns / 1000, 6);
	char thousandths[4] = { '.', (char)('0' + ns / 100 % 10), (char)('0' + ns / 10 % 10),
				(char)('0' + ns % 10) };
	put(tree, thousandths, sizeof(thousandths));
	put(tree, units[unit], sizeof(units[unit]));
}

static void put_tid(struct fc_tree *tree, int tid)
{
	put_literal(tree, "[");
	put_number(tree, (uint64_t)(unsigned int)tid, 6);
	put_literal(tree, "] | ");
}

static void put_indent(struct fc_tree *tree, const struct fc_call *call)
{
	const struct strand *strand = fc_strands_find(&tree->strands, call->strand);
	size_t depth = (size_t)strand->base + call->depth;

	put_spaces(tree, 2 * (depth < INDENT_MAX ? depth : INDENT_MAX));
}

/* All of a line that stands before the function's name. */
static void put_margin(struct fc_tree *tree, const struct fc_call *call, bool is_timed)
{
	if (is_timed)
		put_duration(tree, fc_clock_duration_ns(tree->opts.clock, fc_call_ticks(call)));
	else
		put_spaces(tree, 14);
	put_tid(tree, call->tid);
	put_indent(tree, call);
}

static const char *how_left(const struct fc_call *call)
{
	switch (call->left) {
	case FC_LEFT_POP:
		return "left";
	case FC_LEFT_LOST:
		return "lost";
	case FC_LEFT_END:
		return "no return";
	default:
		return NULL;
	}
}

static const char *how_begun(const struct fc_call *call)
{
	return call->is_resumed ? "begun before" : call->is_inherited ? "inherited" : NULL;
}

static bool is_end_known(const struct fc_call *call)
{
	return call->left != FC_LEFT_UNSEEN && call->left != FC_LEFT_LOST && !call->is_resumed;
}

static void put_name(struct fc_tree *tree, uint32_t func)
{
	const struct fc_namer *namer = &tree->opts.namer;
	put_foreign(tree, namer->name_of(namer->ctx, func).name);
}

/* The name of a call that begins. */
static void put_call(struct fc_tree *tree, uint32_t func)
{
	const struct fc_namer *namer = &tree->opts.namer;
	struct fc_name name = namer->name_of(namer->ctx, func);
	const char *parens = fc_name_parens(name);

	put_foreign(tree, name.name);
	put(tree, parens, strlen(parens));
}

static const char *source_of(struct fc_tree *tree, uint32_t func)
{
	const struct fc_namer *namer = &tree->opts.namer;
	const struct fc_source *source = namer->name_of(namer->ctx, func).source;
	return source ? source->text : NULL;
}

/* The notes behind a name, as one comment. */
static void put_notes(struct fc_tree *tree, const char *const *notes, size_t nr)
{
	bool is_first = true;

	for (size_t i = 0; i < nr; i++) {
		if (!notes[i])
			continue;
		put(tree, is_first ? " /* " : ", ", is_first ? 4 : 2);
		put_foreign(tree, notes[i]);
		is_first = false;
	}
	if (!is_first)
		put_literal(tree, " */");
	put_literal(tree, "\n");
}

static void end_line(struct fc_tree *tree)
{
	if (tree->text.nr >= BATCH_BYTES)
		fc_tree_flush(tree);
}

static void hold(struct fc_tree *tree, struct strand *strand, const struct fc_call *call)
{
	strand->call = *call;
	strand->is_held = true;
	/* A filter may have taken away the call that was jumped to. */
	strand->is_tail = strand->tail_tsc && strand->tail_tsc == call->begin_tsc &&
			  strand->tail_depth == call->depth;
	strand->tail_tsc = 0;
	strand->prev = tree->held.prev;
	strand->next = &tree->held;
	strand->prev->next = strand;
	strand->next->prev = strand;
}

static void let_go(struct strand *strand)
{
	strand->is_held = false;
	strand->prev->next = strand->next;
	strand->next->prev = strand->prev;
}

static void put_leaf(struct fc_tree *tree, const struct strand *strand,
		     const struct fc_call *call)
{
	const char *notes[] = { strand->is_tail ? "tail call" : NULL, how_begun(call),
				how_left(call), source_of(tree, call->func) };

	put_margin(tree, call, is_end_known(call));
	put_call(tree, call->func);
	put_literal(tree, ";");
	put_notes(tree, notes, 4);
	end_line(tree);
}

static void put_opening(struct fc_tree *tree, const struct strand *strand)
{
	const struct fc_call *call = &strand->call;
	const char *notes[] = { strand->is_tail ? "tail call" : NULL, how_begun(call),
				source_of(tree, call->func) };

	put_margin(tree, call, false);
	put_call(tree, call->func);
	put_literal(tree, " {");
	put_notes(tree, notes, 3);
	end_line(tree);
}

static void put_closing(struct fc_tree *tree, const struct fc_call *call)
{
	const char *note = how_left(call);

	put_margin(tree, call, is_end_known(call));
	put_literal(tree, "} /* ");
	put_name(tree, call->func);
	if (note) {
		put_literal(tree, ", ");
		put(tree, note, strlen(note));
	}
	put_literal(tree, " */\n");
	end_line(tree);
}

static void show_held(struct fc_tree *tree, struct strand *strand)
{
	let_go(strand);
	put_opening(tree, strand);
}

void fc_tree_pass_time(struct fc_tree *tree, uint64_t now_tsc)
{
	while (tree->held.next != &tree->held) {
		struct strand *strand = tree->held.next;
		uint64_t since = strand->call.begin_tsc;
		if (now_tsc <= since ||
		    fc_clock_duration_ns(tree->opts.clock, now_tsc - since) < HELD_FOR_NS)
			break;
		show_held(tree, strand);
	}
}

/* The strand that its thread was on before, if it is another one; its enter is shown. */
static struct strand *show_interrupted(struct fc_tree *tree, const struct fc_thread *thread,
				       uint32_t id)
{
	struct strand *other = thread->current && thread->current != id
				       ? fc_strands_find(&tree->strands, thread->current)
				       : NULL;

	if (other && other->is_held)
		show_held(tree, other);
	return other;
}

/* A strand begins anew: below what its thread was in the middle of. */
static void set_base(struct strand *strand, const struct fc_thread *thread,
		     const struct strand *other)
{
	strand->base = other->base + other->nr_open;
	strand->below = thread->current;
}

/* The thread goes on in this strand. */
static void go_on(struct fc_tree *tree, struct strand *strand, const struct fc_call *call,
		  bool is_new)
{
	struct fc_thread *thread = fc_threads_make(&tree->threads, call->tid);
	const struct strand *other = show_interrupted(tree, thread, call->strand);

	if (!thread->first)
		thread->first = call->strand;
	if (other && is_new && thread->first != call->strand && !strand->is_coroutine)
		set_base(strand, thread, other);
	else if (other && !is_new && strand->below == thread->current)
		strand->is_coroutine = true;
	thread->current = call->strand;
}

static void tree_enter(struct fc_call_sink *sink, const struct fc_call *call)
{
	struct fc_tree *tree = tree_of(sink);
	struct strand *strand = fc_strands_make(&tree->strands, call->strand);

	if (strand->is_held)
		show_held(tree, strand);
	go_on(tree, strand, call, !call->depth);
	strand->nr_open = call->depth + 1;
	fc_tree_pass_time(tree, call->begin_tsc);
	hold(tree, strand, call);
}

static void tree_leave(struct fc_call_sink *sink, const struct fc_call *call)
{
	struct fc_tree *tree = tree_of(sink);
	struct strand *strand = fc_strands_make(&tree->strands, call->strand);
	bool is_leaf = strand->is_held;

	if (fc_call_is_own_end(call))
		go_on(tree, strand, call, false);
	else
		show_interrupted(tree, fc_threads_make(&tree->threads, call->tid),
				 call->strand);
	strand->nr_open = call->depth;
	if (is_leaf)
		let_go(strand);
	fc_tree_pass_time(tree, call->end_tsc);
	if (is_leaf)
		put_leaf(tree, strand, call);
	else
		put_closing(tree, call);
	strand->tail_tsc = call->left == FC_LEFT_TAIL ? call->end_tsc : 0;
	strand->tail_depth = call->depth;
}

__attribute__((format(printf, 3, 4))) static void put_comment(struct fc_tree *tree, int tid,
							      const char *fmt, ...)
{
	char *text = NULL;
	va_list ap;

	va_start(ap, fmt);
	int len = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (len < 0)
		return;
	put_spaces(tree, 14);
	put_tid(tree, tid);
	put_literal(tree, "/* ");
	put_foreign(tree, text);
	put_literal(tree, " */\n");
	end_line(tree);
	free(text);
}

/* Where the records that a flight recorder kept begin. */
static void put_resume(struct fc_tree *tree, const struct fc_event *event)
{
	unsigned long long nr = event->word[0], around = event->word[2];

	if (around)
		put_comment(
			tree, event->tid,
			"%llu records before this were not kept; %llu calls are open around "
			"those shown",
			nr, around);
	else
		put_comment(tree, event->tid, "%llu %s before this %s not kept", nr,
			    nr == 1 ? "record" : "records", nr == 1 ? "was" : "were");
}

static void put_wait(struct fc_tree *tree, const struct fc_event *event)
{
	char time[FC_CLOCK_TEXT];

	fc_clock_duration_text(tree->opts.clock, event->word[0], time);
	put_comment(tree, event->tid, "waited %s for fctrace", time);
}

static void tree_event(struct fc_call_sink *sink, const struct fc_event *event)
{
	struct fc_tree *tree = tree_of(sink);
	struct strand *strand = fc_strands_find(&tree->strands, event->strand);

	if (strand && strand->is_held)
		show_held(tree, strand);
	show_interrupted(tree, fc_threads_make(&tree->threads, event->tid), event->strand);
	if (event->mark == FC_MARK_LOST)
		put_comment(tree, event->tid, "%llu %s lost",
			    (unsigned long long)event->word[0],
			    event->word[0] == 1 ? "record" : "records");
	else if (event->mark == FC_MARK_RESUME)
		put_resume(tree, event);
	else if (event->mark == FC_MARK_FORK)
		put_comment(tree, event->tid, "%d was forked by %d", event->pid,
			    (int)event->word[0]);
	else if (event->mark == FC_MARK_WAITED)
		put_wait(tree, event);
}

static void put_end(struct fc_tree *tree, const struct fc_life_info *life)
{
	int status = life->status;

	if (WIFSIGNALED(status))
		put_comment(tree, life->pid, "%d was killed by SIG%s%s", life->pid,
			    sigabbrev_np(WTERMSIG(status)) ? sigabbrev_np(WTERMSIG(status))
							   : "?",
			    WCOREDUMP(status) ? " (core dumped)" : "");
	else
		put_comment(tree, life->pid, "%d exited with %d", life->pid,
			    WEXITSTATUS(status));
}

void fc_tree_life(struct fc_tree *tree, const struct fc_life_info *life)
{
	if (life->life == FC_LIFE_EXEC)
		put_comment(tree, life->pid, "%d runs %s", life->pid,
			    life->text ? life->text : "?");
	else if (life->life == FC_LIFE_EXIT)
		put_end(tree, life);
	else if (life->life == FC_LIFE_NOTE)
		put_comment(tree, life->pid, "%s", life->text ? life->text : "?");
}

void fc_tree_head(struct fc_tree *tree)
{
	put_literal(tree, "# DURATION     TID     FUNCTION\n");
}

void fc_tree_flush(struct fc_tree *tree)
{
	if (tree->text.nr)
		tree->opts.write(tree->opts.ctx, tree->text.at, tree->text.nr);
	tree->text.nr = 0;
}

static void tree_finish(struct fc_call_sink *sink)
{
	fc_tree_flush(tree_of(sink));
}

struct fc_tree *fc_tree_create(const struct fc_tree_opts *opts)
{
	struct fc_tree *tree = fc_alloc(sizeof(*tree));

	tree->sink = (struct fc_call_sink){
		.enter = tree_enter,
		.leave = tree_leave,
		.event = tree_event,
		.finish = tree_finish,
	};
	tree->opts = *opts;
	tree->strands.size = sizeof(struct strand);
	tree->held.prev = tree->held.next = &tree->held;
	return tree;
}

void fc_tree_destroy(struct fc_tree *tree)
{
	if (!tree)
		return;
	fc_strands_deinit(&tree->strands);
	fc_threads_deinit(&tree->threads);
	fc_vec_free(&tree->text);
	free(tree);
}

struct fc_call_sink *fc_tree_sink(struct fc_tree *tree)
{
	return &tree->sink;
}
