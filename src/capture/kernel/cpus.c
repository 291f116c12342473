/* SPDX-License-Identifier: Apache-2.0 */
/* cpus.c - a ring buffer of the kernel's tracing for each CPU, read in binary and merged by time. */
#include "capture/kernel/cpus.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <kbuffer.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/vec.h"
#include "capture/kernel/tracefile.h"

enum {
	MOST_KB = 8 << 10, /* of each CPU */
	LEAST_KB = 256,
	MEMORY_SHARE = 64,   /* of all CPUs, this part of the machine's memory at most */
	PAGES_AT_ONCE = 256, /* of one CPU */
};

struct cpu {
	int number, fd;
	uint64_t lost;
};

struct fc_cpus {
	const char *folder;
	FC_VEC(struct cpu) list;
	struct kbuffer *kbuffer;
	void *page;
	size_t page_size;
};

/* ---- sizes ---- */

static uint64_t memory_kb(void)
{
	return (uint64_t)sysconf(_SC_PHYS_PAGES) * ((uint64_t)sysconf(_SC_PAGESIZE) / 1024);
}

/*
 * Once, before anything is recorded: kernels since 6.8 record nothing while a size is changed, and
 * do not count that.
 */
static int set_size(const struct fc_cpus *cpus)
{
	uint64_t kb = memory_kb() / MEMORY_SHARE / (cpus->list.nr ? cpus->list.nr : 1);
	kb = kb < LEAST_KB ? LEAST_KB : kb > MOST_KB ? MOST_KB : kb;
	fc_auto_free char *text = fc_asprintf("%llu", (unsigned long long)kb);
	return fc_tracefile_write(cpus->folder, "buffer_size_kb", text);
}

/* Bytes that one read gives: kernels since 6.12 can be told, older ones have pages. */
static size_t find_page_size(const char *folder)
{
	size_t size;
	fc_auto_free char *text = fc_tracefile_read(folder, "buffer_subbuf_size_kb", &size);
	size_t kb = text ? strtoul(text, NULL, 10) : 0;
	return kb ? kb * 1024 : (size_t)sysconf(_SC_PAGESIZE);
}

/* ---- its life ---- */

static int open_cpu(struct fc_cpus *cpus, int number)
{
	fc_auto_free char *path =
		fc_asprintf("%s/per_cpu/cpu%d/trace_pipe_raw", cpus->folder, number);
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return fc_fail(errno, "cannot open %s: %s", path, strerror(errno));
	fc_vec_push(&cpus->list, (struct cpu){ .number = number, .fd = fd });
	return 0;
}

static int open_all(struct fc_cpus *cpus)
{
	fc_auto_free char *path = fc_asprintf("%s/per_cpu", cpus->folder);
	DIR *dir = opendir(path);
	int err = dir ? 0 : fc_fail(errno, "cannot read %s: %s", path, strerror(errno));
	for (struct dirent *entry; !err && (entry = readdir(dir));) {
		int number;
		if (sscanf(entry->d_name, "cpu%d", &number) == 1)
			err = open_cpu(cpus, number);
	}
	if (dir)
		closedir(dir);
	return err;
}

int fc_cpus_open(const char *folder, struct fc_cpus **ret)
{
	struct fc_cpus *cpus = fc_alloc(sizeof(*cpus));
	cpus->folder = folder;
	cpus->page_size = find_page_size(folder);
	cpus->page = fc_alloc(cpus->page_size);
	cpus->kbuffer = kbuffer_alloc(KBUFFER_LSIZE_SAME_AS_HOST, KBUFFER_ENDIAN_SAME_AS_HOST);
	int err = open_all(cpus);
	if (!err)
		err = set_size(cpus);
	if (err) {
		fc_cpus_close(cpus);
		return err;
	}
	*ret = cpus;
	return 0;
}

void fc_cpus_close(struct fc_cpus *cpus)
{
	if (!cpus)
		return;
	fc_vec_each (&cpus->list, cpu)
		close(cpu->fd);
	fc_vec_free(&cpus->list);
	kbuffer_free(cpus->kbuffer);
	free(cpus->page);
	free(cpus);
}

/* ---- what was lost ---- */

/* The number behind "name:" of a CPU's stats. */
static uint64_t stat_of(const char *stats, const char *name)
{
	const char *at = strstr(stats, name);
	return at ? strtoull(at + strlen(name), NULL, 10) : 0;
}

static void count_lost(struct fc_cpus *cpus, struct cpu *cpu)
{
	size_t size;
	fc_auto_free char *file = fc_asprintf("per_cpu/cpu%d/stats", cpu->number);
	fc_auto_free char *stats = fc_tracefile_read(cpus->folder, file, &size);
	if (stats)
		cpu->lost = stat_of(stats, "\noverrun:") + stat_of(stats, "\ndropped events:");
}

void fc_cpus_count_lost(struct fc_cpus *cpus)
{
	fc_vec_each (&cpus->list, cpu)
		count_lost(cpus, cpu);
}

uint64_t fc_cpus_lost(const struct fc_cpus *cpus)
{
	uint64_t ret = 0;
	fc_vec_each (&cpus->list, cpu)
		ret += cpu->lost;
	return ret;
}

char *fc_cpus_lost_text(const struct fc_cpus *cpus)
{
	char *text = fc_strdup("");
	fc_vec_each (&cpus->list, cpu)
		if (cpu->lost)
			fc_append(&text, "%sCPU %d: %llu", *text ? ", " : "", cpu->number,
				  (unsigned long long)cpu->lost);
	return text;
}

/* ---- what was recorded ---- */

/* False: there is no more now. */
static bool read_page(struct fc_cpus *cpus, struct cpu *cpu)
{
	ssize_t nr = read(cpu->fd, cpus->page, cpus->page_size);
	return nr > 0 && !kbuffer_load_subbuffer(cpus->kbuffer, cpus->page);
}

uint64_t fc_cpus_take(struct fc_cpus *cpus, uint64_t now_tsc,
		      void (*take)(void *ctx, int cpu, uint64_t tsc, const void *event,
				   size_t size),
		      void *ctx)
{
	uint64_t until = now_tsc;
	fc_vec_each (&cpus->list, cpu) {
		unsigned long long tsc = 0;
		int pages = 0;
		for (; pages < PAGES_AT_ONCE && read_page(cpus, cpu); pages++) {
			if (kbuffer_missed_events(cpus->kbuffer))
				count_lost(cpus, cpu);
			void *event = kbuffer_read_event(cpus->kbuffer, &tsc);
			for (; event; event = kbuffer_next_event(cpus->kbuffer, &tsc))
				take(ctx, cpu->number, tsc, event,
				     (size_t)kbuffer_event_size(cpus->kbuffer));
		}
		if (pages == PAGES_AT_ONCE && tsc && tsc < until)
			until = tsc;
	}
	return until;
}
