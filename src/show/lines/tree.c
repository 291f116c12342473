/* SPDX-License-Identifier: Apache-2.0 */
/* tree.c - holds each call until it is known whether it is a leaf, then makes its lines. */
#include "show/lines/tree.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "calls/strands.h"
#include "calls/threads.h"
#include "show/lines/part.h"
#include "trace/mark.h"
#include "values/recorded_text.h"

#define BATCH_BYTES (32 * 1024)
#define HELD_FOR_NS (10 * 1000 * 1000)
#define MOST_ARGS   64 /* of a call, each a line; a forged trace may have more */
/* A shorter wait, or one that is a smaller part of its call, explains nothing. */
#define WAIT_LEAST_NS	  (10 * 1000)
#define WAIT_LEAST(ticks) ((ticks) / 10)

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
	FC_VEC(uint64_t) told; /* by depth: what calls there have waited that lines tell */
};

struct fc_tree {
	struct fc_call_sink sink;
	struct fc_tree_opts opts;
	struct fc_strands strands;
	struct fc_threads threads;
	struct strand held; /* head of the list */
	struct fc_lines lines;
	struct fc_part part;
	uint64_t now_tsc;
	bool is_done;	  /* no more is asked for: open calls do not end, reading does */
	bool is_part;	  /* not all lines are asked for */
	bool has_srcline; /* a field tells it */
	bool has_delta;	  /* a field needs to know the line before */
	struct fc_value_text args, result, written; /* of the line that is made */
	FC_VEC(char) long_args;
	char wait[FC_CLOCK_TEXT + 8]; /* of the call that ends: "waited 1.5 ms", or "" */
	struct strand *current;	      /* what went on last, and did so by itself; NULL: none */
	uint32_t current_id;
};

static struct fc_tree *tree_of(struct fc_call_sink *sink)
{
	return (struct fc_tree *)((char *)sink - offsetof(struct fc_tree, sink));
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

static void end_line(struct fc_tree *tree)
{
	if (tree->lines.text.nr >= tree->opts.batch)
		fc_tree_flush(tree);
}

static struct fc_line line_of(struct fc_tree *tree, const struct strand *strand,
			      const struct fc_call *call, enum fc_line_kind kind)
{
	return (struct fc_line){
		.kind = kind,
		.func = call->func,
		.depth = tree->opts.is_flat ? 0 : strand->base + call->depth,
		.pid = call->pid,
		.tid = call->tid,
		.tsc = call->begin_tsc,
	};
}

static void add_long_arg(struct fc_tree *tree, uint32_t i, const struct fc_value_text *text)
{
	fc_vec_reserve(&tree->long_args, text->nr + 2);
	if (i)
		tree->long_args.at[tree->long_args.nr++] = '\n';
	memcpy(tree->long_args.at + tree->long_args.nr, text->at, text->nr + 1);
	tree->long_args.nr += text->nr;
}

static void add_long_args(struct fc_tree *tree, struct fc_value_words args,
			  struct fc_value_words result, struct fc_line *line)
{
	struct fc_value_text *text = &tree->args;
	uint32_t i = 0;

	tree->long_args.nr = 0;
	for (; fc_values_arg_line(tree->opts.values, args, result, i, text); i++) {
		if (i < MOST_ARGS) {
			add_long_arg(tree, i, text);
			continue;
		}
		fc_value_text_clear(text);
		fc_value_text_add(text, "...");
		add_long_arg(tree, i, text);
		break;
	}
	if (!i)
		return;
	line->args = tree->long_args.at;
	line->is_long = true;
}

/* The texts of a call's arguments and result, for the line that shows them. */
static void add_values(struct fc_tree *tree, const struct fc_call *call, struct fc_line *line,
		       bool with_args, bool with_result)
{
	static const struct fc_call_values nothing;
	const struct fc_call_values *of = call->values ? call->values : &nothing;
	uint64_t key[] = { fca_format(call->func, false), fca_format(call->func, true) };
	if (!tree->opts.values)
		return;
	struct fc_value_words args = fc_call_args(of), none = { NULL, 0 };
	struct fc_value_words result = fc_call_result(of);
	/* If nothing was fetched, the table says whether the function has arguments at all. */
	if (!args.nr && fc_values_are_unknown(tree->opts.values, (uint32_t)key[0]))
		args = (struct fc_value_words){ .at = &key[0], .nr = 1 };
	if (!result.nr && with_result && call->left == FC_LEFT_RETURN &&
	    fc_values_are_unknown(tree->opts.values, (uint32_t)key[1]))
		result = (struct fc_value_words){ .at = &key[1], .nr = 1 };
	if (with_args && fc_values_args_text(tree->opts.values, args,
					     with_result ? result : none, &tree->args))
		line->args = tree->args.at;
	if (with_result && fc_values_result_text(tree->opts.values, result, &tree->result))
		line->result = tree->result.at;
	if (!with_args && with_result &&
	    fc_values_written_text(tree->opts.values, args, result, &tree->written))
		line->written = tree->written.at;
	if (line->args && tree->opts.is_long)
		add_long_args(tree, args, with_result ? result : none, line);
}

/* How long it is since the line before of the same thread. */
static void measure(struct fc_tree *tree, struct fc_line *line)
{
	struct fc_thread *thread = fc_threads_make(&tree->threads, line->tid);

	line->has_delta = thread->last_tsc;
	if (line->tsc > thread->last_tsc) {
		line->delta_ticks = line->tsc - thread->last_tsc;
		thread->last_tsc = line->tsc;
	}
}

static void put_line(struct fc_tree *tree, struct fc_line *line)
{
	line->has_notes = line->notes[0] || line->notes[1] || line->notes[2] || line->notes[3];
	if (tree->has_delta)
		measure(tree, line);
	fc_lines_put(&tree->lines, line);
	end_line(tree);
}

/* ---- a part of all lines ---- */

static inline void set_now(struct fc_tree *tree, uint64_t now_tsc)
{
	if (now_tsc > tree->now_tsc)
		tree->now_tsc = now_tsc;
}

static bool is_held(void *ctx, uint32_t id)
{
	const struct fc_tree *tree = ctx;
	const struct strand *strand = fc_strands_find(&tree->strands, id);
	return strand && strand->is_held;
}

/* A call that is open where the lines begin. */
static void put_begun(struct fc_tree *tree, const struct fc_call *call)
{
	const struct strand *strand = fc_strands_find(&tree->strands, call->strand);
	struct fc_line line = line_of(tree, strand, call,
				      tree->opts.is_flat ? FC_LINE_ENTER : FC_LINE_OPENING);

	line.notes[0] = "begun before";
	line.has_notes = true;
	fc_lines_put(&tree->lines, &line);
	end_line(tree);
}

static void put_all_begun(struct fc_tree *tree, int tid)
{
	fc_auto_free struct fc_call *calls = NULL;
	size_t nr = fc_part_untold(&tree->part, tid, is_held, tree, &calls);

	for (size_t i = 0; i < nr; i++)
		put_begun(tree, &calls[i]);
}

/* Is a line to be shown? Before the first come the calls that are open there. */
static bool is_in_part(struct fc_tree *tree, int tid, uint64_t first_tsc, uint64_t last_tsc)
{
	bool had_begun = tree->part.has_begun;

	if (!fc_part_wants(&tree->part, tree->now_tsc, first_tsc, last_tsc))
		return false;
	if (tree->opts.is_open_needed || !had_begun)
		put_all_begun(tree, tree->opts.is_open_needed ? tid : 0);
	return true;
}

/* The line of a call that begins, or of a leaf. */
static bool is_begin_shown(struct fc_tree *tree, const struct fc_call *call, uint64_t last_tsc)
{
	if (!tree->is_part)
		return true;
	fc_part_tell(&tree->part, call->strand, true);
	bool is_shown = is_in_part(tree, call->tid, call->begin_tsc, last_tsc);
	fc_part_tell(&tree->part, call->strand, is_shown);
	return is_shown;
}

static bool is_end_shown(struct fc_tree *tree, const struct fc_call *call)
{
	return !tree->is_part || is_in_part(tree, call->tid, call->end_tsc, call->end_tsc);
}

/* ---- lines ---- */

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

static const char *note_tail(const struct strand *strand)
{
	return strand->is_tail ? "tail call" : NULL;
}

static const char *note_wait(const struct fc_tree *tree)
{
	return *tree->wait ? tree->wait : NULL;
}

/*
 * What a call has waited is a note where no line beneath it tells: those calls are shorter than -t, deeper than
 * -D, or left out by -N. So each wait stands in the tree once, in the innermost line that is there.
 *
 *	main() {                             main() {
 *	  naps() {                             naps(); and a note: waited 20 ms
 *	    asleep();
 */
static __attribute__((noinline)) void take_wait(struct fc_tree *tree, struct strand *strand,
						const struct fc_call *call)
{
	uint64_t *beneath = fc_vec_make(&strand->told, call->depth + 1);
	uint64_t told = *beneath;
	uint64_t waited = call->wait_ticks > told ? call->wait_ticks - told : 0;

	*beneath = 0;
	if (call->is_off_cpu) {
		told = call->wait_ticks;
	} else if (!call->is_reopened && waited >= WAIT_LEAST(fc_call_ticks(call)) &&
		   fc_clock_duration_ns(tree->opts.lines.clock, waited) >= WAIT_LEAST_NS) {
		char *text = stpcpy(tree->wait, "waited ");
		fc_clock_duration_text(tree->opts.lines.clock, waited, text);
		told = call->wait_ticks;
	}
	if (call->depth)
		strand->told.at[call->depth] += told;
}

static void put_leaf(struct fc_tree *tree, const struct strand *strand,
		     const struct fc_call *call)
{
	if (!is_begin_shown(tree, call, call->end_tsc))
		return;
	struct fc_line line = line_of(tree, strand, call, FC_LINE_LEAF);
	line.is_timed = is_end_known(call);
	line.ticks = fc_call_ticks(call);
	line.notes[0] = note_tail(strand);
	line.notes[1] = how_begun(call);
	line.notes[2] = how_left(call);
	line.notes[3] = note_wait(tree);
	line.has_source = !tree->has_srcline;
	add_values(tree, call, &line, true, true);
	put_line(tree, &line);
}

/* It is left out when it lies before the lines asked for; but if these have begun meanwhile
 * (a filter held it back), its end will be among them. */
static void put_opening(struct fc_tree *tree, const struct strand *strand)
{
	const struct fc_call *call = &strand->call;
	bool is_late =
		tree->is_part && tree->part.has_begun && call->begin_tsc < tree->part.from_tsc;

	if (is_late) {
		fc_part_tell(&tree->part, call->strand, true);
		put_begun(tree, call);
		return;
	}
	if (!is_begin_shown(tree, call, call->begin_tsc))
		return;
	struct fc_line line = line_of(tree, strand, call,
				      tree->opts.is_flat ? FC_LINE_ENTER : FC_LINE_OPENING);
	line.notes[0] = note_tail(strand);
	line.notes[1] = how_begun(call);
	line.has_source = !tree->has_srcline;
	if (tree->opts.is_flat && call->left == FC_LEFT_UNSEEN)
		line.notes[2] = "entry only";
	add_values(tree, call, &line, true, false);
	put_line(tree, &line);
}

static void put_closing(struct fc_tree *tree, const struct strand *strand,
			const struct fc_call *call)
{
	if (call->left == FC_LEFT_END && tree->opts.leaves_open)
		return;
	if (!is_end_shown(tree, call))
		return;
	struct fc_line line = line_of(tree, strand, call,
				      tree->opts.is_flat ? FC_LINE_LEAVE : FC_LINE_CLOSING);
	line.tsc = call->end_tsc;
	line.is_timed = is_end_known(call);
	line.ticks = fc_call_ticks(call);
	line.notes[0] = how_left(call);
	line.notes[1] = note_wait(tree);
	add_values(tree, call, &line, false, true);
	put_line(tree, &line);
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
		    fc_clock_duration_ns(tree->opts.lines.clock, now_tsc - since) < HELD_FOR_NS)
			break;
		show_held(tree, strand);
	}
}

/* Mostly nothing is held: one strand goes on and shows its own. */
static inline void pass_time(struct fc_tree *tree, uint64_t now_tsc)
{
	if (tree->held.next != &tree->held)
		fc_tree_pass_time(tree, now_tsc);
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
	if (tree->current == strand)
		return;
	struct fc_thread *thread = fc_threads_make(&tree->threads, call->tid);
	const struct strand *other = show_interrupted(tree, thread, call->strand);

	if (!thread->first)
		thread->first = call->strand;
	if (other && is_new && thread->first != call->strand && !strand->is_coroutine)
		set_base(strand, thread, other);
	else if (other && !is_new && strand->below == thread->current)
		strand->is_coroutine = true;
	thread->current = call->strand;
	tree->current = strand;
	tree->current_id = call->strand;
}

/* Its end was noticed from outside, its thread may be elsewhere. */
static void end_late(struct fc_tree *tree, const struct fc_call *call)
{
	show_interrupted(tree, fc_threads_make(&tree->threads, call->tid), call->strand);
}

static struct strand *strand_of(struct fc_tree *tree, uint32_t id)
{
	return tree->current && tree->current_id == id ? tree->current
						       : fc_strands_make(&tree->strands, id);
}

/* May it be one line with its end? */
static bool may_be_leaf(const struct fc_tree *tree, const struct fc_call *call)
{
	if (tree->opts.is_flat || call->is_reopened)
		return false;
	return !tree->opts.no_merge || call->left == FC_LEFT_UNSEEN;
}

static void tree_enter(struct fc_call_sink *sink, const struct fc_call *call)
{
	struct fc_tree *tree = tree_of(sink);
	struct strand *strand = strand_of(tree, call->strand);

	set_now(tree, call->begin_tsc);
	if (strand->is_held)
		show_held(tree, strand);
	go_on(tree, strand, call, !call->depth);
	strand->nr_open = call->depth + 1;
	pass_time(tree, call->begin_tsc);
	if (tree->is_part)
		fc_part_enter(&tree->part, call);
	hold(tree, strand, call);
	if (!may_be_leaf(tree, call))
		show_held(tree, strand);
}

/* Reading stopped, not the call. */
static bool is_cut(const struct fc_tree *tree, const struct fc_call *call)
{
	return tree->is_done && call->left == FC_LEFT_END;
}

static void put_end(struct fc_tree *tree, const struct strand *strand,
		    const struct fc_call *call, bool is_leaf)
{
	if (is_leaf && is_cut(tree, call))
		put_opening(tree, strand);
	else if (is_leaf)
		put_leaf(tree, strand, call);
	else if (!tree->opts.is_flat || call->left != FC_LEFT_UNSEEN)
		put_closing(tree, strand, call);
}

static void tree_leave(struct fc_call_sink *sink, const struct fc_call *call)
{
	struct fc_tree *tree = tree_of(sink);
	struct strand *strand = strand_of(tree, call->strand);
	bool is_leaf = strand->is_held;

	set_now(tree, call->end_tsc);
	if (fc_call_is_own_end(call))
		go_on(tree, strand, call, false);
	else
		end_late(tree, call);
	strand->nr_open = call->depth;
	if (is_leaf)
		let_go(strand);
	pass_time(tree, call->end_tsc);
	*tree->wait = '\0';
	if (call->wait_ticks || strand->told.nr > call->depth + 1)
		take_wait(tree, strand, call);
	put_end(tree, strand, call, is_leaf);
	if (tree->is_part)
		fc_part_leave(&tree->part, call->strand);
	strand->tail_tsc = call->left == FC_LEFT_TAIL ? call->end_tsc : 0;
	strand->tail_depth = call->depth;
}

/* ---- comments ---- */

struct about {
	int pid, tid;
	uint64_t tsc;
};

__attribute__((format(printf, 3, 4))) static void
put_comment(struct fc_tree *tree, struct about about, const char *fmt, ...)
{
	fc_auto_free char *text = NULL;
	va_list ap;

	if (tree->is_part && !is_in_part(tree, about.tid, about.tsc, about.tsc))
		return;
	va_start(ap, fmt);
	int len = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (len < 0) {
		text = NULL;
		return;
	}
	struct fc_line line = { .pid = about.pid, .tid = about.tid, .tsc = about.tsc };
	if (tree->has_delta)
		measure(tree, &line);
	fc_lines_comment(&tree->lines, &line, text);
	end_line(tree);
}

static struct about about_event(const struct fc_event *event)
{
	return (struct about){ event->pid, event->tid, event->tsc };
}

static struct about about_life(const struct fc_life_info *life)
{
	return (struct about){ life->pid, life->pid, life->tsc };
}

/* A flight recorder has overwritten what came before this. */
static void put_resume(struct fc_tree *tree, const struct fc_event *event)
{
	unsigned long long nr = fc_event_word(event, 0), around = fc_event_word(event, 2);

	if (around)
		put_comment(
			tree, about_event(event),
			"%llu records before this were not kept; %llu calls are open around "
			"those shown",
			nr, around);
	else
		put_comment(tree, about_event(event), "%llu %s before this %s not kept", nr,
			    nr == 1 ? "record" : "records", nr == 1 ? "was" : "were");
}

static void put_wait(struct fc_tree *tree, const struct fc_event *event)
{
	char time[FC_CLOCK_TEXT];

	fc_clock_duration_text(tree->opts.lines.clock, fc_mark_waited(event), time);
	put_comment(tree, about_event(event), "waited %s for fctrace", time);
}

static void put_mark(struct fc_tree *tree, const struct fc_event *event)
{
	switch (event->mark) {
	case FC_MARK_LOST:
		put_comment(tree, about_event(event), "%llu %s lost",
			    (unsigned long long)fc_mark_lost(event),
			    fc_mark_lost(event) == 1 ? "record" : "records");
		break;
	case FC_MARK_RESUME:
		put_resume(tree, event);
		break;
	case FC_MARK_FORK:
		put_comment(tree, about_event(event), "%d was forked by %d", event->pid,
			    (int)fc_event_word(event, 0));
		break;
	case FC_MARK_WAITED:
		put_wait(tree, event);
		break;
	default:
		put_comment(tree, about_event(event), "%s %llu", fc_mark_word(event->mark),
			    (unsigned long long)fc_event_word(event, 0));
		break;
	}
}

static void tree_event(struct fc_call_sink *sink, const struct fc_event *event)
{
	struct fc_tree *tree = tree_of(sink);
	struct strand *strand = fc_strands_find(&tree->strands, event->strand);

	set_now(tree, event->tsc);
	if (strand && strand->is_held)
		show_held(tree, strand);
	show_interrupted(tree, fc_threads_make(&tree->threads, event->tid), event->strand);
	put_mark(tree, event);
}

static void put_exit(struct fc_tree *tree, const struct fc_life_info *life)
{
	int status = life->status;

	if (WIFSIGNALED(status))
		put_comment(tree, about_life(life), "%d was killed by SIG%s%s", life->pid,
			    sigabbrev_np(WTERMSIG(status)) ? sigabbrev_np(WTERMSIG(status))
							   : "?",
			    WCOREDUMP(status) ? " (core dumped)" : "");
	else
		put_comment(tree, about_life(life), "%d exited with %d", life->pid,
			    WEXITSTATUS(status));
}

/* While a program runs these are printed on stderr instead. */
static void put_more(struct fc_tree *tree, const struct fc_life_info *life)
{
	if (life->life == FC_LIFE_START && life->other)
		put_comment(tree, (struct about){ life->other, life->other, life->tsc },
			    "%d forks %d", life->other, life->pid);
	else if (life->life == FC_LIFE_SAY)
		put_comment(tree, about_life(life), "%s", life->text ? life->text : "?");
}

void fc_tree_life(struct fc_tree *tree, const struct fc_life_info *life)
{
	set_now(tree, life->tsc);
	if (life->life == FC_LIFE_EXEC)
		put_comment(tree, about_life(life), "%d runs %s", life->pid,
			    life->text ? life->text : "?");
	else if (life->life == FC_LIFE_EXIT)
		put_exit(tree, life);
	else if (life->life == FC_LIFE_NOTE)
		put_comment(tree, about_life(life), "%s", life->text ? life->text : "?");
	else if (life->life == FC_LIFE_SIGNAL)
		put_comment(tree, (struct about){ life->pid, life->tid, life->tsc }, "%s",
			    life->text ? life->text : "?");
	else if (life->life == FC_LIFE_NAME)
		put_comment(tree, (struct about){ life->pid, life->tid, life->tsc },
			    "%d is called %s", life->tid, life->text ? life->text : "?");
	else if (tree->opts.has_lives)
		put_more(tree, life);
}

void fc_tree_head(struct fc_tree *tree)
{
	fc_lines_head(&tree->lines);
}

void fc_tree_flush(struct fc_tree *tree)
{
	if (tree->lines.text.nr)
		tree->opts.write(tree->opts.ctx, tree->lines.text.at, tree->lines.text.nr);
	tree->lines.text.nr = 0;
}

/* Is a call held that may turn out to be a leaf, and began before the part ends? */
static bool holds_one(const struct fc_tree *tree)
{
	const struct strand *longest = tree->held.next;
	return longest != &tree->held && longest->call.begin_tsc < tree->part.to_tsc;
}

bool fc_tree_is_done(struct fc_tree *tree, uint64_t now_tsc)
{
	const struct fc_part *part = &tree->part;
	bool has_max = part->max && part->nr >= part->skip + part->max;

	tree->is_done =
		has_max || (part->to_tsc && now_tsc >= part->to_tsc && !holds_one(tree));
	return tree->is_done;
}

uint64_t fc_tree_nr_lines(const struct fc_tree *tree)
{
	return tree->part.nr;
}

static void tree_finish(struct fc_call_sink *sink)
{
	fc_tree_flush(tree_of(sink));
}

static bool has_field(const struct fc_fields *fields, enum fc_field field)
{
	for (size_t i = 0; i < fields->nr; i++)
		if (fields->at[i] == field)
			return true;
	return false;
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
	if (!opts->batch)
		tree->opts.batch = BATCH_BYTES;
	fc_lines_init(&tree->lines, &opts->lines);
	tree->has_srcline = has_field(tree->lines.opts.fields, FC_FIELD_SRCLINE);
	tree->has_delta = has_field(tree->lines.opts.fields, FC_FIELD_DELTA);
	tree->part = (struct fc_part){
		.from_tsc = opts->from_tsc,
		.to_tsc = opts->to_tsc,
		.since_tsc = opts->since_tsc,
		.skip = opts->skip,
		.max = opts->max,
	};
	tree->is_part = !fc_part_is_all(&tree->part);
	tree->strands.size = sizeof(struct strand);
	tree->held.prev = tree->held.next = &tree->held;
	return tree;
}

void fc_tree_destroy(struct fc_tree *tree)
{
	if (!tree)
		return;
	struct strand *strand;
	fc_strands_each (&tree->strands, strand)
		fc_vec_free(&strand->told);
	fc_strands_deinit(&tree->strands);
	fc_threads_deinit(&tree->threads);
	fc_lines_deinit(&tree->lines);
	fc_vec_free(&tree->long_args);
	fc_part_deinit(&tree->part);
	free(tree);
}

struct fc_call_sink *fc_tree_sink(struct fc_tree *tree)
{
	return &tree->sink;
}
