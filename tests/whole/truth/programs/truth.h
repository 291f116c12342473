/* SPDX-License-Identifier: Apache-2.0 */
/*
 * truth.h - a program that tells which calls it really makes.
 *
 * Each function notes its own entry and end in a log that is shared memory over the file
 * named by $FCTRACE_TRUTH: so nothing needs to be written at the end, and children and
 *the programs they exec go on in the same log. Without the variable nothing is noted.
 *
 *   FN int f(int x)
 *   {
 *	ENTER;
 *	...
 *	LEAVE;
 *	return x;
 *   }
 *
 * tests/whole/truth/truth.py reads the log. No note calls a function: what is noted is all that
 * a tracer should see.
 */
#ifndef TRUTH_H
#define TRUTH_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

struct truth_rec {
	int32_t tid;
	char kind;
	char name[59];
};

struct truth_log {
	uint64_t nr, room;
	uint64_t pad[6];
	struct truth_rec rec[];
};

#define TRUTH_ROOM (1 << 20)

#ifdef TRUTH_PLUGIN
extern struct truth_log *truth_log;
#else
struct truth_log *truth_log;

__attribute__((constructor(101))) static void truth_open(void)
{
	size_t size = sizeof(struct truth_log) + TRUTH_ROOM * sizeof(struct truth_rec);
	const char *path = getenv("FCTRACE_TRUTH");
	if (!path)
		return;
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0 || ftruncate(fd, (off_t)size))
		_exit(99);
	void *map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (map == MAP_FAILED)
		_exit(99);
	close(fd);
	truth_log = (struct truth_log *)map;
	truth_log->room = TRUTH_ROOM;
}
#endif

/* A system call made in place: gettid() is the one name threads and children have in
 * common. */
__attribute__((always_inline)) static inline int truth_tid(void)
{
	long ret;
	__asm__ volatile("syscall"
			 : "=a"(ret)
			 : "0"(SYS_gettid)
			 : "rcx", "r11", "memory");
	return (int)ret;
}

#define TRUTH(what, str)                                                                 \
	do {                                                                             \
		enum { size_ = sizeof(str) };                                            \
		struct truth_text_ {                                                     \
			char c[size_];                                                   \
		};                                                                       \
		if (truth_log) {                                                         \
			uint64_t i_ =                                                    \
				__atomic_fetch_add(&truth_log->nr, 1, __ATOMIC_RELAXED); \
			if (i_ < TRUTH_ROOM) {                                           \
				struct truth_rec *r_ = &truth_log->rec[i_];              \
				r_->tid = truth_tid();                                   \
				*(struct truth_text_ *)(void *)r_->name = *(             \
					const struct truth_text_ *)(const void *)(str);  \
				r_->kind = (what);                                       \
			}                                                                \
		}                                                                        \
	} while (0)

#define ENTER TRUTH('E', __func__)
#define LEAVE TRUTH('L', __func__)
#define TAIL  TRUTH('T', __func__) /* left by a jump to the function that comes next */
#define LANDED                                                                           \
	TRUTH('P', __func__)	  /* this function goes on: all it had called are gone */
#define EXEC TRUTH('X', __func__) /* the program is replaced: all open calls end */
/* Before and after fork(), in the same function: the child's log begins with its open
 * calls. */
#define FORKING		   TRUTH('f', __func__)
#define FORKED(parent_tid) TRUTH_FORKED(parent_tid)
#define TRUTH_FORKED(parent_tid)                                                         \
	do {                                                                             \
		if (truth_log) {                                                         \
			uint64_t i_ =                                                    \
				__atomic_fetch_add(&truth_log->nr, 1, __ATOMIC_RELAXED); \
			struct truth_rec *r_ = &truth_log->rec[i_];                      \
			r_->tid = truth_tid();                                           \
			*(int *)(void *)r_->name = (parent_tid);                         \
			r_->kind = 'F';                                                  \
		}                                                                        \
	} while (0)
#define ASYNC	    TRUTH('A', __func__) /* may come at any place: a signal's handler */
#define STRAND(str) TRUTH('S', str)	 /* from here on this thread is on that stack */
/* For a callee without notes of its own, so that its caller's registers stay as they are.
 */
#define CALLING(str) TRUTH('E', str)
#define CALLED(str)  TRUTH('L', str)

#if defined(__clang__)
#define FN __attribute__((noinline))
#else
#define FN __attribute__((noinline, noclone))
#endif

#endif
