/* SPDX-License-Identifier: Apache-2.0 */
/* Events as the kernel writes them, of one thread: which entries and exits they become. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "capture/kernel/kernel_events.h"
#include "trace/record.h"

enum { TID = 42, OTHER = 43, SEEN_IN = 4, ENTRY = 11, EXIT = 10, SWITCH = 300 };

static const char list[] = "ffffffff81000100 vfs_read\n"
			   "ffffffff81000200 schedule\n"
			   "ffffffff81000300 recorder\n"
			   "ffffffff81000400 lock\n"
			   "ffffffff81000500 switch_mm\n"
			   "ffffffff81000600 left_out\n";
enum { VFS_READ = 1, SCHEDULE, RECORDER, LOCK, SWITCH_MM, LEFT_OUT };

#define HEAD                                                                                   \
	"format:\n"                                                                            \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"                 \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"                 \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"         \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

static const struct {
	const char *folder, *text;
} formats[] = {
	{ "events/raw_syscalls/sys_enter",
	  "name: sys_enter\nID: 400\n" HEAD "\tfield:long id;\toffset:8;\tsize:8;\tsigned:1;\n"
	  "\tfield:unsigned long args[6];\toffset:16;\tsize:48;\tsigned:0;\n\nprint fmt: "
	  "\"\"\n" },
	{ "events/raw_syscalls/sys_exit",
	  "name: sys_exit\nID: 401\n" HEAD "\tfield:long id;\toffset:8;\tsize:8;\tsigned:1;\n"
	  "\tfield:long ret;\toffset:16;\tsize:8;\tsigned:1;\n\nprint fmt: \"\"\n" },
	{ "events/ftrace/funcgraph_entry",
	  "name: funcgraph_entry\nID: 11\n" HEAD
	  "\tfield:unsigned long func;\toffset:8;\tsize:8;\tsigned:0;\n"
	  "\tfield:int depth;\toffset:16;\tsize:4;\tsigned:1;\n\nprint fmt: \"\"\n" },
	{ "events/ftrace/funcgraph_exit",
	  "name: funcgraph_exit\nID: 10\n" HEAD
	  "\tfield:unsigned long func;\toffset:8;\tsize:8;\tsigned:0;\n"
	  "\tfield:int depth;\toffset:16;\tsize:4;\tsigned:1;\n\nprint fmt: \"\"\n" },
	{ "events/sched/sched_switch",
	  "name: sched_switch\nID: 300\n" HEAD
	  "\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
	  "\tfield:long prev_state;\toffset:24;\tsize:8;\tsigned:1;\n"
	  "\tfield:pid_t next_pid;\toffset:32;\tsize:4;\tsigned:1;\n\nprint fmt: \"\"\n" },
	{ "events/sched/sched_waking",
	  "name: sched_waking\nID: 301\n" HEAD
	  "\tfield:pid_t pid;\toffset:8;\tsize:4;\tsigned:1;\n\nprint fmt: \"\"\n" },
};

static char folder[] = "/tmp/test_kernel_events.XXXXXX";
static struct fc_kernel_funcs *funcs;
static struct fc_off_cpu *off;
static struct fc_raws *raws;
static struct fc_kernel_events *events;
static uint64_t now;
static char told[1024];

/* ---- what is told ---- */

static int take_module(struct fc_tap *tap, const struct fc_module_info *info)
{
	return 0;
}

static const char *name_of(uint32_t id)
{
	size_t nr;
	struct fc_kernel_func *all = fc_kernel_funcs_all(funcs, &nr);
	const struct fc_module_info *module = fc_off_cpu_module(off);
	for (size_t i = 0; i < nr; i++)
		if (all[i].id == id)
			return all[i].name;
	for (size_t i = 0; i < module->nr_funcs; i++)
		if (module->funcs[i].id == id)
			return module->funcs[i].name;
	return "nobody";
}

static void tell(const char *verb, const char *what)
{
	size_t at = strlen(told);
	snprintf(told + at, sizeof(told) - at, "%s%s %s", at ? "; " : "", verb, what);
}

static int take_records(struct fc_tap *tap, const struct fc_strand_info *strand,
			const uint64_t *words, size_t nr, uint64_t now_tsc)
{
	char depth[16];
	for (size_t i = 0; i < nr; i++) {
		uint32_t func = fc_record_func(words[i]);
		assert_int_equal(strand->tid, TID);
		snprintf(depth, sizeof(depth), "%u", func);
		if (fc_record_kind(words[i]) == FC_ENTRY)
			tell("enter", name_of(func));
		else if (fc_record_kind(words[i]) == FC_EXIT)
			tell("leave", name_of(func));
		else if (fc_record_kind(words[i]) == FC_POP)
			tell("keep", depth);
		else
			i += fc_record_words(words[i]);
	}
	return 0;
}

static struct fc_tap tap = { .module = take_module, .records = take_records };

/* ---- what the kernel writes ---- */

static void write_file(const char *name, const char *text)
{
	char path[256];
	for (size_t i = 0; i <= strlen(name); i++)
		if (name[i] == '/') {
			snprintf(path, sizeof(path), "%s/%.*s", folder, (int)i, name);
			mkdir(path, 0700);
		}
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static void write_event(uint16_t type, int tid, const void *fields, size_t size)
{
	char event[64] = { 0 };
	memcpy(event, &type, sizeof(type));
	memcpy(event + 4, &tid, sizeof(tid));
	memcpy(event + 8, fields, size);
	fc_raws_add(raws, 0, ++now, event, 8 + size);
}

static void func_event(uint16_t type, unsigned which, int depth)
{
	struct {
		uint64_t func;
		int depth, unused;
	} fields = { 0xffffffff81000000u + which * 0x100u + SEEN_IN, depth, 0 };
	write_event(type, TID, &fields, sizeof(fields));
}

static void enter(unsigned which, int depth)
{
	func_event(ENTRY, which, depth);
}

static void leave(unsigned which, int depth)
{
	func_event(EXIT, which, depth);
}

static void switch_to(int from, int state, int to)
{
	struct {
		char comm[16];
		uint64_t state;
		int next, unused;
	} fields = { "somebody", (uint64_t)state, to, 0 };
	write_event(SWITCH, from, &fields, sizeof(fields));
}

static void expect(const char *expected)
{
	fc_kernel_events_tell(events, raws, now + 1);
	assert_string_equal(told, expected);
	told[0] = 0;
}

static int begin(void **state)
{
	struct fc_numbers numbers = { 0 };
	char *const recorders[] = { "recorder", NULL }, *const out[] = { "left_out", NULL };
	write_file("available_filter_functions_addrs", list);
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		char name[128];
		snprintf(name, sizeof(name), "%s/format", formats[i].folder);
		write_file(name, formats[i].text);
	}
	assert_int_equal(fc_kernel_funcs_read(folder, &funcs), 0);
	fc_kernel_funcs_leave_out(funcs, out);
	fc_kernel_funcs_set_aside(funcs, recorders);
	fc_kernel_funcs_number(funcs, &numbers);
	off = fc_off_cpu_create(folder, NULL, false, &numbers);
	assert_int_equal(fc_raws_create(folder,
					FC_RAWS_SYSCALLS | FC_RAWS_FUNCTIONS | FC_RAWS_SWITCHES,
					"none", &raws),
			 0);
	const struct fc_kernel_events_opts opts = { .tap = &tap,
						    .funcs = funcs,
						    .off_cpu = off };
	events = fc_kernel_events_create(&opts);
	told[0] = 0;
	return 0;
}

static int end(void **state)
{
	fc_kernel_events_destroy(events);
	fc_raws_destroy(raws);
	fc_off_cpu_destroy(off);
	fc_kernel_funcs_destroy(funcs);
	return 0;
}

/* ---- the cases ---- */

static void functions_nest_as_deep_as_the_kernel_tells(void **state)
{
	enter(VFS_READ, 0);
	enter(LOCK, 1);
	leave(LOCK, 1);
	leave(VFS_READ, 0);
	expect("enter vfs_read; enter lock; leave lock; leave vfs_read");
	/* The exits of the inner ones are among what was lost. */
	enter(VFS_READ, 0);
	enter(SCHEDULE, 1);
	enter(LOCK, 2);
	leave(VFS_READ, 0);
	expect("enter vfs_read; enter schedule; enter lock; keep 1; leave vfs_read");
	/* It was entered before anybody looked. */
	leave(SCHEDULE, 3);
	leave(LEFT_OUT, 0);
	expect("");
}

static void what_recorders_do_is_not_told(void **state)
{
	enter(VFS_READ, 0);
	enter(RECORDER, 1);
	enter(LOCK, 2);
	leave(LOCK, 2);
	leave(RECORDER, 1);
	enter(LOCK, 1);
	leave(LOCK, 1);
	leave(VFS_READ, 0);
	expect("enter vfs_read; enter lock; leave lock; leave vfs_read");
	/* Its exit is among what was lost: it is over where something less deep goes on. */
	enter(VFS_READ, 0);
	enter(RECORDER, 1);
	enter(LOCK, 2);
	enter(LOCK, 1);
	leave(LOCK, 1);
	enter(RECORDER, 1);
	leave(VFS_READ, 0);
	expect("enter vfs_read; enter lock; leave lock; leave vfs_read");
	enter(LOCK, 0);
	leave(LOCK, 0);
	expect("enter lock; leave lock");
}

/* Between the event of the switch and the switch itself the thread still runs some functions. */
static void it_is_off_until_it_is_switched_to(void **state)
{
	enter(SCHEDULE, 0);
	enter(RECORDER, 1);
	switch_to(TID, 0, OTHER);
	enter(LOCK, 2);
	leave(LOCK, 2);
	leave(RECORDER, 1);
	enter(SWITCH_MM, 1);
	leave(SWITCH_MM, 1);
	expect("enter schedule; enter runnable");
	switch_to(OTHER, 1, TID);
	enter(LOCK, 1);
	leave(LOCK, 1);
	leave(SCHEDULE, 0);
	expect("leave runnable; enter lock; leave lock; leave schedule");
	/* When it came back is among what was lost. */
	enter(SCHEDULE, 0);
	switch_to(TID, 1, OTHER);
	leave(SCHEDULE, 0);
	expect("enter schedule; enter asleep; keep 1; leave schedule");
	enter(SCHEDULE, 0);
	switch_to(TID, 1, OTHER);
	enter(VFS_READ, 0);
	leave(VFS_READ, 0);
	expect("enter schedule; enter asleep; keep 1; keep 0; enter vfs_read; leave vfs_read");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(functions_nest_as_deep_as_the_kernel_tells,
						begin, end),
		cmocka_unit_test_setup_teardown(what_recorders_do_is_not_told, begin, end),
		cmocka_unit_test_setup_teardown(it_is_off_until_it_is_switched_to, begin, end),
	};
	if (!mkdtemp(folder))
		return 1;
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	char command[64];
	snprintf(command, sizeof(command), "rm -r %s", folder);
	return system(command) ? 1 : failed;
}
