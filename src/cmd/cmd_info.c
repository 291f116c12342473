/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_info.c - fctrace info: where a trace comes from, what is in it and what is not. */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "base/vec.h"
#include "calls/kinds.h"
#include "cmd/options/cmd.h"
#include "cmd/options/demangling.h"
#include "cmd/options/options.h"
#include "cmd/options/text_output.h"
#include "cmd/out/json.h"
#include "cmd/out/looks.h"
#include "cmd/out/output.h"
#include "cmd/out/say.h"
#include "cmd/out/table.h"
#include "cmd/run/planned.h"
#include "cmd/run/reasons.h"
#include "cmd/view/print_unshown.h"
#include "cmd/view/reading.h"
#include "read/sums/processes.h"

struct module_sums {
	size_t by_how[4];	   /* by enum fc_how */
	struct fc_reasons reasons; /* why functions are not hooked */
};

static int compare_reasons(const void *a, const void *b)
{
	const struct fc_reason *left = a, *right = b;

	if (left->nr != right->nr)
		return left->nr < right->nr ? 1 : -1;
	int ret = strcmp(left->why, right->why);
	return ret ? ret : left->how - right->how;
}

static struct module_sums sum_module(const struct fc_reader *reader,
				     const struct fc_module_info *module)
{
	static const char nowhere[] = "in no process its code was hooked";
	struct module_sums sums = { 0 };
	bool is_there = fc_reader_was_mapped(reader, module);

	for (size_t i = 0; i < module->nr_funcs; i++) {
		const struct fc_func_info *func = &module->funcs[i];
		bool is_lost = !is_there && fc_how_is_recorded(func->how);
		int how = is_lost ? FC_HOW_SKIPPED : func->how;
		const char *why = is_lost ? nowhere : func->why;
		sums.by_how[how]++;
		if (how != FC_HOW_HOOKED)
			fc_reasons_add(&sums.reasons, how, why ? why : "", 1);
	}
	fc_vec_sort(&sums.reasons.list, compare_reasons);
	return sums;
}

struct info {
	struct fc_reader *reader;
	struct fc_totals totals;
	struct fc_processes processes;
	FILE *out;
};

static size_t nr_threads(struct info *info)
{
	size_t nr = 0;
	fc_vec_each (&info->processes.list, process)
		nr += process->nr_threads;
	return nr;
}

static size_t nr_parts(struct info *info)
{
	size_t nr = 0;

	for (size_t i = 0; i < fc_reader_nr_modules(info->reader); i++) {
		const struct fc_module_info *module = fc_reader_module(info->reader, i);
		for (size_t k = 0; k < module->nr_funcs; k++)
			nr += module->funcs[k].how == FC_HOW_PART;
	}
	return nr;
}

/* Text. */

static void print_label(FILE *out, const char *label)
{
	fc_put_tone(out, FC_TONE_DIM);
	fprintf(out, "%-10s ", label);
	fc_put_tone(out, FC_TONE_PLAIN);
}

static void print_line(FILE *out, const char *label, const char *value)
{
	print_label(out, label);
	fc_print_foreign(out, value);
	fputc('\n', out);
}

static void print_number(FILE *out, const char *label, uint64_t value)
{
	print_label(out, label);
	fprintf(out, "%llu\n", (unsigned long long)value);
}

static void print_ending(FILE *out, int status)
{
	if (status < 0)
		fputs("tracing was stopped before it ended", out);
	else if (WIFSIGNALED(status))
		fprintf(out, "killed by signal %d (%s)", WTERMSIG(status),
			strsignal(WTERMSIG(status)));
	else
		fprintf(out, "exited with %d", WEXITSTATUS(status));
}

static void print_command(struct info *info)
{
	print_label(info->out, "command");
	if (!fc_reader_argc(info->reader))
		fputs("none: what was traced ran already", info->out);
	for (int i = 0; i < fc_reader_argc(info->reader); i++) {
		if (i)
			fputc(' ', info->out);
		fc_print_foreign(info->out, fc_reader_arg(info->reader, i));
	}
	fputc('\n', info->out);
}

static void print_begin(struct info *info)
{
	time_t at = (time_t)(fc_reader_clock(info->reader)->real0_ns / 1000000000u);
	struct tm tm;
	char text[64] = "?";

	if (gmtime_r(&at, &tm))
		strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S UTC", &tm);
	print_line(info->out, "began", text);
	print_label(info->out, "lasted");
	fprintf(info->out, "%.6f s\n", (double)info->totals.duration_ns / 1e9);
	print_label(info->out, "ended");
	if (info->totals.is_complete)
		print_ending(info->out, info->totals.wait_status);
	else
		fputs("unknown: the trace has no end", info->out);
	fputc('\n', info->out);
}

static void print_waited(FILE *out, const struct fc_totals *totals)
{
	char text[FC_CLOCK_TEXT];

	fc_clock_ns_text(totals->waited_ns, text);
	print_label(out, "waited");
	fprintf(out, "%s for fctrace, %llu time%s; --loss=drop would not wait\n", text,
		(unsigned long long)totals->waits, totals->waits == 1 ? "" : "s");
}

static void print_sizes(struct info *info)
{
	const struct fc_totals *totals = &info->totals;

	print_number(info->out, "calls", totals->calls);
	print_number(info->out, "records", totals->records - totals->marks);
	print_number(info->out, "lost", totals->lost);
	if (totals->waits)
		print_waited(info->out, totals);
	print_label(info->out, "size");
	fprintf(info->out, "%llu bytes", (unsigned long long)totals->bytes);
	if (totals->calls)
		fprintf(info->out, ", %.2f a call",
			(double)totals->bytes / (double)totals->calls);
	fputc('\n', info->out);
}

static void print_strand(FILE *out, const struct fc_strand_info *strand,
			 const struct fc_strand_totals *totals)
{
	char waited[FC_CLOCK_TEXT];

	fc_clock_ns_text(totals->waited_ns, waited);
	fprintf(out, "%8d %8d %-10s %12llu %12llu %12llu %12s\n", strand->tid, strand->pid,
		fc_strand_word(strand->kind), (unsigned long long)totals->calls,
		(unsigned long long)(totals->records - totals->marks),
		(unsigned long long)totals->lost, totals->waits ? waited : "-");
}

/* A thread with a signal's stack has a line for each of its stacks. */
static void print_troubled_strands(struct info *info)
{
	enum { MANY = 100 };
	size_t nr = 0;

	for (size_t i = 0; i < fc_reader_nr_strands(info->reader); i++) {
		struct fc_strand_totals totals;
		fc_reader_strand_totals(info->reader, i, &totals);
		if ((!totals.lost && !totals.waits) || nr++ >= MANY)
			continue;
		if (nr == 1)
			fprintf(info->out, "\n%8s %8s %-10s %12s %12s %12s %12s\n", "TID",
				"PID", "STACK", "CALLS", "RECORDS", "LOST", "WAITED");
		print_strand(info->out, fc_reader_strand(info->reader, i), &totals);
	}
	if (nr > MANY)
		fprintf(info->out, "%8s and %zu more: --json has them all\n", "", nr - MANY);
}

static void print_process(struct info *info, const struct fc_process_info *process)
{
	fprintf(info->out, "%8d %8d %7zu  ", process->pid, process->parent,
		process->nr_threads);
	if (process->has_ended)
		print_ending(info->out, process->status);
	else
		fputs("end not seen", info->out);
	if (process->program) {
		fputs(", ran ", info->out);
		fc_print_foreign(info->out, process->program);
	}
	fputc('\n', info->out);
}

static void print_processes(struct info *info)
{
	fprintf(info->out, "\n%8s %8s %7s  %s\n", "PID", "PARENT", "THREADS", "END");
	fc_vec_each (&info->processes.list, process)
		print_process(info, process);
}

static void print_module(struct info *info, const struct fc_module_info *module)
{
	struct module_sums sums = sum_module(info->reader, module);

	fprintf(info->out, "%8zu %10zu %8zu %6zu  ", sums.by_how[FC_HOW_HOOKED],
		sums.by_how[FC_HOW_ENTRY_ONLY], sums.by_how[FC_HOW_SKIPPED],
		sums.by_how[FC_HOW_PART]);
	fc_print_foreign(info->out, module->path);
	if (module->build_id && *module->build_id)
		fprintf(info->out, "  %s", module->build_id);
	fputc('\n', info->out);
	fc_vec_each (&sums.reasons.list, reason) {
		bool are_parts = reason->how == FC_HOW_PART && reason->nr > 1;
		fprintf(info->out, "%12zu %s%s: ", reason->nr, fc_how_word(reason->how),
			are_parts ? "s" : "");
		fc_print_foreign(info->out, reason->why);
		fputc('\n', info->out);
	}
	fc_reasons_deinit(&sums.reasons);
}

static void print_modules(struct info *info)
{
	fprintf(info->out, "\n%8s %10s %8s %6s  %s\n", "HOOKED", "ENTRY ONLY", "SKIPPED",
		"PARTS", "MODULE");
	for (size_t i = 0; i < fc_reader_nr_modules(info->reader); i++)
		print_module(info, fc_reader_module(info->reader, i));
	fprintf(info->out, "%8llu %10llu %8llu %6zu  in all\n",
		(unsigned long long)info->totals.hooked,
		(unsigned long long)info->totals.entry_only,
		(unsigned long long)info->totals.skipped, nr_parts(info));
}

static void print_said(struct info *info)
{
	bool is_first = true;

	for (size_t i = 0; i < fc_reader_nr_lives(info->reader); i++) {
		const struct fc_life_info *life = fc_reader_life(info->reader, i);
		if (life->life != FC_LIFE_SAY)
			continue;
		fputs(is_first ? "\n" : "", info->out);
		is_first = false;
		fc_print_foreign(info->out, life->text);
		fputc('\n', info->out);
	}
}

static void print_text(struct info *info)
{
	print_command(info);
	if (*fc_reader_options(info->reader))
		print_line(info->out, "options", fc_reader_options(info->reader));
	print_line(info->out, "machine", fc_reader_machine(info->reader));
	print_begin(info);
	print_label(info->out, "processes");
	fprintf(info->out, "%zu, with %zu thread%s\n", info->processes.list.nr,
		nr_threads(info), nr_threads(info) == 1 ? "" : "s");
	print_sizes(info);
	print_processes(info);
	print_troubled_strands(info);
	print_modules(info);
	fc_unshown_print(info->out, info->reader);
	print_said(info);
}

/* JSON. */

static void json_ending(struct fc_json *json, bool is_known, int status)
{
	if (is_known)
		fc_json_number(json, "exit_status", (uint64_t)fc_exit_status(status));
	else
		fc_json_null(json, "exit_status");
	if (is_known && WIFSIGNALED(status))
		fc_json_number(json, "signal", (uint64_t)WTERMSIG(status));
	else
		fc_json_null(json, "signal");
}

static void json_session(struct fc_json *json, struct info *info)
{
	fc_json_open(json, "session", '{');
	fc_json_open(json, "command", '[');
	for (int i = 0; i < fc_reader_argc(info->reader); i++)
		fc_json_string(json, NULL, fc_reader_arg(info->reader, i));
	fc_json_close(json, '[');
	fc_json_string(json, "options", fc_reader_options(info->reader));
	fc_json_number(json, "began_ns", fc_reader_clock(info->reader)->real0_ns);
	fc_json_number(json, "duration_ns", info->totals.duration_ns);
	fc_json_bool(json, "complete", info->totals.is_complete);
	fc_json_close(json, '{');
	fc_json_string(json, "machine", fc_reader_machine(info->reader));
}

static void json_processes(struct fc_json *json, struct info *info)
{
	fc_json_number(json, "threads", nr_threads(info));
	fc_json_open(json, "processes", '[');
	fc_vec_each (&info->processes.list, process) {
		fc_json_open(json, NULL, '{');
		fc_json_number(json, "pid", (uint64_t)process->pid);
		fc_json_number(json, "parent", (uint64_t)process->parent);
		fc_json_number(json, "threads", process->nr_threads);
		fc_json_string(json, "program", process->program);
		json_ending(json, process->has_ended, process->status);
		fc_json_close(json, '{');
	}
	fc_json_close(json, '[');
}

static void json_sums(struct fc_json *json, const struct fc_strand_totals *sums)
{
	fc_json_number(json, "calls", sums->calls);
	fc_json_number(json, "records", sums->records - sums->marks);
	fc_json_number(json, "lost", sums->lost);
	fc_json_number(json, "waits", sums->waits);
	fc_json_number(json, "waited_ns", sums->waited_ns);
}

static void json_strands(struct fc_json *json, struct info *info)
{
	fc_json_open(json, "strands", '[');
	for (size_t i = 0; i < fc_reader_nr_strands(info->reader); i++) {
		const struct fc_strand_info *strand = fc_reader_strand(info->reader, i);
		struct fc_strand_totals sums;
		fc_reader_strand_totals(info->reader, i, &sums);
		fc_json_open(json, NULL, '{');
		fc_json_number(json, "strand", strand->id);
		fc_json_number(json, "pid", (uint64_t)strand->pid);
		fc_json_number(json, "tid", (uint64_t)strand->tid);
		fc_json_string(json, "kind", fc_strand_word(strand->kind));
		json_sums(json, &sums);
		fc_json_close(json, '{');
	}
	fc_json_close(json, '[');
}

static void json_modules(struct fc_json *json, struct info *info)
{
	fc_json_open(json, "modules", '[');
	for (size_t i = 0; i < fc_reader_nr_modules(info->reader); i++) {
		const struct fc_module_info *module = fc_reader_module(info->reader, i);
		struct module_sums sums = sum_module(info->reader, module);
		fc_json_open(json, NULL, '{');
		fc_json_string(json, "path", module->path);
		fc_json_string(json, "build_id", module->build_id ? module->build_id : "");
		fc_json_number(json, "hooked", sums.by_how[FC_HOW_HOOKED]);
		fc_json_number(json, "entry_only", sums.by_how[FC_HOW_ENTRY_ONLY]);
		fc_json_number(json, "skipped", sums.by_how[FC_HOW_SKIPPED]);
		fc_json_number(json, "parts", sums.by_how[FC_HOW_PART]);
		fc_reasons_json(&sums.reasons, json);
		fc_json_close(json, '{');
		fc_reasons_deinit(&sums.reasons);
	}
	fc_json_close(json, '[');
}

static void json_said(struct fc_json *json, struct info *info)
{
	fc_json_open(json, "said", '[');
	for (size_t i = 0; i < fc_reader_nr_lives(info->reader); i++) {
		const struct fc_life_info *life = fc_reader_life(info->reader, i);
		if (life->life == FC_LIFE_SAY)
			fc_json_string(json, NULL, life->text);
	}
	fc_json_close(json, '[');
}

static void print_json(struct info *info)
{
	struct fc_json json = { .out = info->out };
	const struct fc_totals *totals = &info->totals;

	fc_json_open(&json, NULL, '{');
	fc_json_number(&json, "calls", totals->calls);
	fc_json_number(&json, "records", totals->records - totals->marks);
	fc_json_number(&json, "lost", totals->lost);
	fc_json_number(&json, "waits", totals->waits);
	fc_json_number(&json, "waited_ns", totals->waited_ns);
	fc_json_number(&json, "bytes", totals->bytes);
	fc_json_number(&json, "hooked", totals->hooked);
	fc_json_number(&json, "entry_only", totals->entry_only);
	fc_json_number(&json, "skipped", totals->skipped);
	fc_json_number(&json, "parts", nr_parts(info));
	json_ending(&json, totals->is_complete && totals->wait_status >= 0,
		    totals->wait_status);
	fc_json_string(&json, "trouble", fc_reader_trouble(info->reader));
	json_session(&json, info);
	json_processes(&json, info);
	json_strands(&json, info);
	json_modules(&json, info);
	fc_unshown_json(&json, info->reader);
	json_said(&json, info);
	fc_json_close(&json, '{');
}

static int run_info(const struct fc_settings *settings, int argc, char **argv)
{
	struct info info = { 0 };
	int status = 0;

	if (!fc_reading_open(argc, argv, &info.reader, &status))
		return status;
	fc_reader_totals(info.reader, &info.totals);
	fc_processes_find(info.reader, &info.processes);

	info.out = fc_text_output_open(settings, !settings->json);
	if (settings->json)
		print_json(&info);
	else
		print_text(&info);
	fc_processes_deinit(&info.processes);
	status = fc_reading_close(info.reader);
	return fc_output_close(info.out, status);
}

static const struct fc_option *const options[] = {
	&fc_option_demangle, FC_OPTIONS_TEXT, &fc_option_json, &fc_option_help, NULL,
};

const struct fc_cmd fc_cmd_info = {
	.name = "info",
	.usage = "[OPTIONS] [FILE]",
	.summary = "where a trace comes from and what is in it",
	.options = options,
	.notes = "FILE: a trace that `fctrace record` wrote (default "
		 "fctrace.data).\n" FC_NOTES_READ,
	.run = run_info,
};
