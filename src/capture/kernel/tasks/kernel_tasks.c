/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_tasks.c - threads by their numbers: their process, its program, their strand. */
#include "capture/kernel/tasks/kernel_tasks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/pairs.h"
#include "base/vec.h"
#include "calls/pass.h"
#include "capture/kernel/end_probes.h"
#include "capture/kernel/raws.h"
#include "capture/kernel/tracefile.h"
#include "capture/target/comm.h"
#include "capture/target/exe.h"
#include "trace/record.h"

/* The kernel's name of what runs where nobody does, which is thread 0 of each CPU. */
static const char idle_program[] = "[swapper]";

/* Ticks: what is so much earlier is so in a trace, too, which tells time in quanta of a few ns. */
#define A_MOMENT 64

/* Of a process, by its first thread. */
struct ending {
	bool is_of_all; /* one of its threads ends them all */
	bool is_over;	/* the last one is about to end */
	int status;	/* as waitpid() has it */
};

struct task {
	int tid, pid;
	uint32_t strand; /* 0: none yet */
	bool is_known, is_kernel;
	bool is_out;	 /* nothing of it is told */
	bool is_process; /* the next tap has heard of the process of this number */
	struct ending ending;
	char *program; /* that it hears of with the first words; NULL: it has, or none is known */
};

struct fc_tasks {
	struct fc_pass pass;
	struct fc_numbers *numbers;
	bool is_all;
	struct fc_pairs tids;	/* (tid, 0) */
	FC_VEC(struct task) at; /* by the pair's number - 1 */
	uint64_t told_until;
	int error;
};

static struct fc_tasks *tasks_of(struct fc_tap *tap)
{
	return (struct fc_tasks *)tap;
}

/* Good until the next call. */
static struct task *task_of(struct fc_tasks *tasks, int tid)
{
	uint32_t number = fc_pairs_number(&tasks->tids, fc_pair((uint32_t)tid, 0));
	if (number > tasks->at.nr)
		fc_vec_push(&tasks->at, (struct task){ .tid = tid });
	return &tasks->at.at[number - 1];
}

static void keep_error(struct fc_tasks *tasks, int err)
{
	if (err && !tasks->error)
		tasks->error = err;
}

/* ---- what is told of them ---- */

static void tell(struct fc_tasks *tasks, int what, int pid, int tid, int other, uint64_t tsc,
		 const char *text)
{
	struct fc_tap *next = tasks->pass.next;
	struct fc_life_info life = {
		.life = what, .pid = pid, .tid = tid, .other = other, .tsc = tsc, .text = text
	};
	keep_error(tasks, next->life(next, &life));
}

static struct fc_strand_info info_of(const struct task *task)
{
	return (struct fc_strand_info){ .id = task->strand,
					.pid = task->pid,
					.tid = task->tid > 0 ? task->tid : 0,
					.kind = task->is_kernel ? FC_STRAND_KERNEL
								: FC_STRAND_THREAD };
}

static void end_strand(struct fc_tasks *tasks, struct task *task, uint64_t tsc)
{
	struct fc_tap *next = tasks->pass.next;
	struct fc_strand_info info = info_of(task);
	if (task->strand)
		keep_error(tasks, next->strand_end(next, &info, tsc));
	task->strand = 0;
}

/* Its number is free. */
static void forget(struct fc_tasks *tasks, struct task *task, uint64_t tsc)
{
	end_strand(tasks, task, tsc);
	free(task->program);
	*task = (struct task){ .tid = task->tid,
			       .is_process = task->is_process,
			       .ending = task->ending };
}

/* ---- who they are ---- */

static void tell_process(struct fc_tasks *tasks, int pid, uint64_t tsc, const char *program)
{
	struct task *process = task_of(tasks, pid);
	if (process->is_process)
		return;
	process->is_process = true;
	tell(tasks, FC_LIFE_START, pid, pid, 0, tsc, NULL);
	if (program)
		tell(tasks, FC_LIFE_EXEC, pid, pid, 0, tsc, program);
}

/* In brackets, as ps shows it. */
static void know_kthread(struct fc_tasks *tasks, const struct fc_kthread *kthread)
{
	struct task *task = task_of(tasks, kthread->tid);
	task->is_known = task->is_kernel = true;
	task->is_out = false;
	task->pid = kthread->tid;
	free(task->program);
	task->program = fc_asprintf("[%s]", kthread->name);
}

/* Its first words come. */
static void tell_program(struct fc_tasks *tasks, struct task *task, uint64_t tsc)
{
	fc_auto_free char *program = fc_take(task->program);
	tell_process(tasks, task->pid, tsc, program);
}

/* 0: it has ended. */
static int process_of(int tid)
{
	static const char name[] = "\nTgid:";
	char file[32], status[1024];
	snprintf(file, sizeof(file), "%d/status", tid);
	fc_tracefile_read_begin("/proc", file, status, sizeof(status));
	const char *at = strstr(status, name);
	return at ? atoi(at + strlen(name)) : 0;
}

/* Its file, or where that is hidden (from who is not root), or the process is a zombie, its name. */
static bool read_program(int pid, char ret[FC_EXE_PATH])
{
	return fc_exe_path(pid, ret) || fc_comm_read(pid, ret, FC_EXE_PATH);
}

static bool read_kthread(int tid, struct fc_kthread *ret)
{
	char file[32], stat[512];
	snprintf(file, sizeof(file), "%d/stat", tid);
	fc_tracefile_read_begin("/proc", file, stat, sizeof(stat));
	return fc_kthread_read(stat, ret);
}

/* One that has ended meanwhile is taken for a process of its own, of which no name is known. */
static void look_up(struct fc_tasks *tasks, int tid, uint64_t tsc)
{
	struct fc_kthread kthread;
	char path[FC_EXE_PATH];
	if (tid > 0 && read_kthread(tid, &kthread)) {
		know_kthread(tasks, &kthread);
		return;
	}
	bool is_idle = tid <= FC_RAW_IDLE;
	int pid = is_idle ? 0 : process_of(tid);
	if (!is_idle && !pid)
		pid = tid;
	struct task *task = task_of(tasks, tid);
	task->is_known = true;
	task->is_kernel = is_idle;
	task->pid = pid;
	task->is_out = pid == getpid();
	if (task->is_out)
		return;
	if (is_idle)
		tell_process(tasks, 0, tsc, idle_program);
	else
		tell_process(tasks, pid, tsc, read_program(pid, path) ? path : NULL);
	if (!is_idle && tid != pid)
		tell(tasks, FC_LIFE_THREAD_START, pid, tid, 0, tsc, NULL);
}

static struct task *known_task_of(struct fc_tasks *tasks, int tid, uint64_t tsc)
{
	struct task *task = task_of(tasks, tid);
	if (task->is_known)
		return task;
	if (tasks->is_all) {
		look_up(tasks, tid, tsc);
		task = task_of(tasks, tid);
	} else {
		task->is_known = task->is_out = true;
	}
	return task;
}

/* ---- what the well tells ---- */

static int take_records(struct fc_tap *tap, const struct fc_strand_info *strand,
			const uint64_t *words, size_t nr_words, uint64_t now_tsc)
{
	struct fc_tasks *tasks = tasks_of(tap);
	struct fc_tap *next = tasks->pass.next;
	if (strand->id != FC_STRAND_BESIDE) {
		keep_error(tasks, next->records(next, strand, words, nr_words, now_tsc));
		return tasks->error;
	}
	if (!nr_words) {
		tasks->told_until = now_tsc;
		return tasks->error;
	}
	/* What is told of whom was there already stands before what it does now. */
	uint64_t before_tsc = fc_record_tsc(words[0], now_tsc) - A_MOMENT;
	struct task *task = known_task_of(tasks, strand->tid, before_tsc);
	if (task->is_out)
		return tasks->error;
	if (task->program) {
		tell_program(tasks, task, before_tsc);
		task = task_of(tasks, strand->tid);
	}
	if (!task->strand)
		task->strand = fc_numbers_strand(tasks->numbers);
	struct fc_strand_info info = info_of(task);
	keep_error(tasks, next->records(next, &info, words, nr_words, now_tsc));
	return tasks->error;
}

/* Whom a kernel thread makes has a name only later, and may become a program's process. */
static void begin(struct fc_tasks *tasks, const struct fc_life_info *life)
{
	int pid = life->tid;
	struct task maker = *known_task_of(tasks, life->other, life->tsc - A_MOMENT);
	struct task *task = task_of(tasks, life->tid);
	forget(tasks, task, life->tsc);
	task->is_process = false;
	task->ending = (struct ending){ 0 };
	if (maker.is_kernel)
		return;
	task->is_known = true;
	task->is_out = maker.is_out;
	if (life->life == FC_LIFE_THREAD_START)
		pid = maker.pid;
	else
		task->is_process = true;
	task->pid = pid;
	if (!task->is_out)
		tell(tasks, life->life, pid, life->tid,
		     life->life == FC_LIFE_START ? maker.pid : 0, life->tsc, NULL);
}

static void exec_program(struct fc_tasks *tasks, const struct fc_life_info *life)
{
	static const char proc[] = "/proc/";
	char path[FC_EXE_PATH];
	struct task *task = known_task_of(tasks, life->tid, life->tsc);
	if (task->is_out)
		return;
	if (task->is_kernel)
		end_strand(tasks, task, life->tsc);
	task->is_kernel = false;
	task_of(tasks, task->pid)->ending =
		(struct ending){ 0 }; /* of the threads that it had */
	/* As in "/proc/self/exe". */
	bool is_link = !strncmp(life->text, proc, strlen(proc));
	const char *text = is_link && fc_exe_path(task->pid, path) ? path : life->text;
	tell(tasks, FC_LIFE_EXEC, task->pid, task->tid, 0, life->tsc, text);
}

/* Of those who were told of: what a process ends with is its first thread's, or that of who ended all. */
static void note_end(struct fc_tasks *tasks, const struct fc_life_info *life)
{
	const struct task *task = task_of(tasks, life->tid);
	bool is_first = task->pid == life->tid;
	if (!task->is_known || task->is_kernel)
		return;
	struct ending *ending = &task_of(tasks, task->pid)->ending;
	if (life->other == FC_END_OF_ALL)
		ending->is_of_all = true;
	else if (life->other == FC_END_OF_ONE && (is_first || ending->is_of_all))
		ending->status = life->status;
	else if (life->other == FC_END_LAST && life->status)
		ending->is_over = true;
}

static bool is_any_left(const struct fc_tasks *tasks, int pid)
{
	fc_vec_each (&tasks->at, task)
		if (task->is_known && task->pid == pid)
			return true;
	return false;
}

/* Whose last thread has ended: its number is free. */
static void end_process(struct fc_tasks *tasks, int pid, uint64_t tsc)
{
	struct fc_tap *next = tasks->pass.next;
	struct task *process = task_of(tasks, pid);
	struct fc_life_info life = { .life = FC_LIFE_EXIT,
				     .pid = pid,
				     .tid = pid,
				     .status = process->ending.status,
				     .tsc = tsc };
	process->is_process = false;
	process->ending = (struct ending){ 0 };
	keep_error(tasks, next->life(next, &life));
}

/* Of who was never told of, nothing is. */
static void end(struct fc_tasks *tasks, const struct fc_life_info *life)
{
	struct task *task = task_of(tasks, life->tid);
	struct task was = *task;
	if (!was.is_known)
		return;
	bool has_program = was.program;
	forget(tasks, task, life->tsc);
	if (was.is_out || has_program)
		return;
	if (task_of(tasks, was.pid)->ending.is_over && !is_any_left(tasks, was.pid))
		end_process(tasks, was.pid, life->tsc);
	else
		tell(tasks, FC_LIFE_THREAD_EXIT, was.pid, was.tid, 0, life->tsc, NULL);
}

static int take_life(struct fc_tap *tap, const struct fc_life_info *life)
{
	struct fc_tasks *tasks = tasks_of(tap);
	struct fc_tap *next = tasks->pass.next;
	if (life->life == FC_LIFE_START || life->life == FC_LIFE_THREAD_START)
		begin(tasks, life);
	else if (life->life == FC_LIFE_EXEC)
		exec_program(tasks, life);
	else if (life->life == FC_LIFE_THREAD_EXIT)
		end(tasks, life);
	else if (life->life == FC_LIFE_EXIT)
		note_end(tasks, life);
	else
		keep_error(tasks, next->life(next, life));
	return tasks->error;
}

/* ---- its life ---- */

struct fc_tasks *fc_tasks_create(struct fc_numbers *numbers, bool is_all, struct fc_tap *next)
{
	struct fc_tasks *tasks = fc_alloc(sizeof(*tasks));
	fc_pass_init(&tasks->pass, next);
	tasks->pass.tap.records = take_records;
	tasks->pass.tap.life = take_life;
	tasks->numbers = numbers;
	tasks->is_all = is_all;
	return tasks;
}

void fc_tasks_destroy(struct fc_tasks *tasks)
{
	if (!tasks)
		return;
	fc_vec_each (&tasks->at, task)
		forget(tasks, task, tasks->told_until);
	fc_vec_free(&tasks->at);
	fc_pairs_deinit(&tasks->tids);
	free(tasks);
}

struct fc_tap *fc_tasks_tap(struct fc_tasks *tasks)
{
	return &tasks->pass.tap;
}

bool fc_tasks_add(struct fc_tasks *tasks, const struct fc_kthread *kthread)
{
	struct task *task = task_of(tasks, kthread->tid);
	if (task->is_known && !task->is_out)
		return false;
	know_kthread(tasks, kthread);
	return true;
}

void fc_tasks_remove(struct fc_tasks *tasks, int tid)
{
	forget(tasks, task_of(tasks, tid), tasks->told_until);
}

uint64_t fc_tasks_told_until(const struct fc_tasks *tasks)
{
	return tasks->told_until;
}

int fc_tasks_error(const struct fc_tasks *tasks)
{
	return tasks->error;
}
