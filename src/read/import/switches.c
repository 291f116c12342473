/* SPDX-License-Identifier: Apache-2.0 */
/* switches.c - merges the context switches of all CPUs in order of time. */
#include "read/import/switches.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/vec.h"

#define BUF_BYTES  (16u << 10)
#define CPUS_MAX   512
#define HEAD_BYTES 8

/* perf_event_open(2) */
enum {
	RECORD_EXIT = 4,
	EXIT_BYTES = 32, /* head, pid, ppid, tid, ptid, time */
	RECORD_SWITCH = 14,
	SWITCH_OUT = 1 << 13,
	SWITCH_PREEMPTED = 1 << 14,
	SWITCH_BYTES = 24, /* head, pid, tid, time */
};

struct cpu {
	int fd;
	uint8_t *buf;
	size_t at, nr;
	bool has_next, is_over;
	struct fc_uf_switch next;
};

struct fc_uf_switches {
	const struct fc_folder *folder;
	FC_VEC(struct cpu) cpus;
	struct cpu *first; /* whose next is the earliest; NULL: look */
	size_t nr_bad;
};

static void add_cpu(void *ctx, const char *name)
{
	struct fc_uf_switches *switches = ctx;
	struct cpu cpu = { .fd = -1 };
	unsigned nr;
	uint64_t size;
	int end = 0;

	if (sscanf(name, "perf-cpu%u.dat%n", &nr, &end) != 1 || !end || name[end])
		return;
	if (switches->cpus.nr >= CPUS_MAX ||
	    fc_folder_file(switches->folder, name, &cpu.fd, &size)) {
		switches->nr_bad++;
		return;
	}
	cpu.buf = fc_alloc(BUF_BYTES);
	fc_vec_push(&switches->cpus, cpu);
}

struct fc_uf_switches *fc_uf_switches_open(const struct fc_folder *folder)
{
	struct fc_uf_switches *switches = fc_alloc(sizeof(*switches));

	switches->folder = folder;
	fc_folder_each(folder, add_cpu, switches);
	return switches;
}

void fc_uf_switches_close(struct fc_uf_switches *switches)
{
	if (!switches)
		return;
	fc_vec_each (&switches->cpus, cpu) {
		close(cpu->fd);
		free(cpu->buf);
	}
	fc_vec_free(&switches->cpus);
	free(switches);
}

/* Have n bytes in buf: false at the end. */
static bool need(struct cpu *cpu, size_t n)
{
	if (cpu->nr - cpu->at >= n)
		return true;
	cpu->nr -= cpu->at;
	memmove(cpu->buf, cpu->buf + cpu->at, cpu->nr);
	cpu->at = 0;
	while (cpu->nr < n) {
		ssize_t got = read(cpu->fd, cpu->buf + cpu->nr, BUF_BYTES - cpu->nr);
		if (got <= 0)
			return false;
		cpu->nr += (size_t)got;
	}
	return true;
}

static bool pass(struct cpu *cpu, size_t n)
{
	for (size_t part; n; n -= part) {
		part = n < BUF_BYTES ? n : BUF_BYTES;
		if (!need(cpu, part))
			return false;
		cpu->at += part;
	}
	return true;
}

/* The next switch of a CPU. False: the file ends, in the midst of a record if is_over is not set. */
static bool read_switch(struct cpu *cpu)
{
	while (need(cpu, HEAD_BYTES)) {
		uint32_t type;
		uint16_t misc, size;
		memcpy(&type, cpu->buf + cpu->at, sizeof(type));
		memcpy(&misc, cpu->buf + cpu->at + 4, sizeof(misc));
		memcpy(&size, cpu->buf + cpu->at + 6, sizeof(size));
		if (size < HEAD_BYTES || size % 8)
			return false;
		bool is_end = type == RECORD_EXIT && size >= EXIT_BYTES;
		if (!is_end && (type != RECORD_SWITCH || size < SWITCH_BYTES)) {
			if (!pass(cpu, size))
				return false;
			continue;
		}
		if (!need(cpu, is_end ? EXIT_BYTES : SWITCH_BYTES))
			return false;
		const uint8_t *body = cpu->buf + cpu->at + (is_end ? 16 : 12);
		int32_t tid;
		memcpy(&tid, body, sizeof(tid));
		memcpy(&cpu->next.ns, body + (is_end ? 8 : 4), sizeof(cpu->next.ns));
		cpu->next.tid = tid;
		cpu->next.is_end = is_end;
		cpu->next.is_out = !is_end && misc & SWITCH_OUT;
		cpu->next.is_preempted = misc & SWITCH_PREEMPTED;
		return pass(cpu, size);
	}
	cpu->is_over = cpu->nr == cpu->at;
	return false;
}

static void find_first(struct fc_uf_switches *switches)
{
	switches->first = NULL;
	fc_vec_each (&switches->cpus, cpu) {
		if (!cpu->has_next && !cpu->is_over) {
			cpu->has_next = read_switch(cpu);
			switches->nr_bad += !cpu->has_next && !cpu->is_over;
			cpu->is_over |= !cpu->has_next;
		}
		if (cpu->has_next &&
		    (!switches->first || cpu->next.ns < switches->first->next.ns))
			switches->first = cpu;
	}
}

const struct fc_uf_switch *fc_uf_switches_peek(struct fc_uf_switches *switches)
{
	if (!switches->first)
		find_first(switches);
	return switches->first ? &switches->first->next : NULL;
}

void fc_uf_switches_take(struct fc_uf_switches *switches)
{
	switches->first->has_next = false;
	switches->first = NULL;
}

size_t fc_uf_switches_nr_bad(const struct fc_uf_switches *switches)
{
	return switches->nr_bad;
}
