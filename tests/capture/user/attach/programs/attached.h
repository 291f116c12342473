/* SPDX-License-Identifier: Apache-2.0 */
/*
 * attached.h - how a program that is attached to speaks with the suite.
 *
 *   prints  ready            it is at work: attach now
 *   stdin   closed           end, and tell whether all went well
 *   prints  ok N             N pieces of work, every one right; status 0
 *           wrong: ...       status 1, at once
 */
#ifndef ATTACHED_H
#define ATTACHED_H

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noclone))

static inline void ready(void)
{
	static const char word[] = "ready\n";
	if (write(1, word, sizeof(word) - 1) < 0)
		_exit(99);
}

/* Nothing is left to come from the suite. */
static inline bool is_over(void)
{
	struct pollfd in = { .fd = 0, .events = POLLIN };
	return poll(&in, 1, 0) > 0;
}

static inline void wrong(const char *format, ...)
{
	int err = errno;
	char text[256];
	va_list args;
	va_start(args, format);
	int n = snprintf(text, sizeof(text), "wrong: ");
	n += vsnprintf(text + n, sizeof(text) - n - 32, format, args);
	va_end(args);
	n += snprintf(text + n, sizeof(text) - n, " (errno %d)\n", err);
	if (write(1, text, n) < 0)
		_exit(99);
	_exit(1);
}

#define CHECK(condition)                                                  \
	do {                                                              \
		if (!(condition))                                         \
			wrong("%s:%d: %s", __FILE__, __LINE__, #condition); \
	} while (0)

static inline int well(unsigned long nr)
{
	printf("ok %lu\n", nr);
	return 0;
}

static inline uint64_t now_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

#endif
