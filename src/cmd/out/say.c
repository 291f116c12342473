/* SPDX-License-Identifier: Apache-2.0 */
/* say.c - prints messages on stderr, and erases the line of progress before each. */
#include "cmd/out/say.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/printable.h"
#include "base/vec.h"

static struct {
	pthread_mutex_t lock;
	void (*take)(void *ctx, const char *line);
	void *ctx;
} diverted = { .lock = PTHREAD_MUTEX_INITIALIZER };

void fc_say_divert(void (*take)(void *ctx, const char *line), void *ctx)
{
	pthread_mutex_lock(&diverted.lock);
	diverted.take = take;
	diverted.ctx = ctx;
	pthread_mutex_unlock(&diverted.lock);
}

static bool divert(const char *line)
{
	pthread_mutex_lock(&diverted.lock);
	bool ret = diverted.take;
	if (ret)
		diverted.take(diverted.ctx, line);
	pthread_mutex_unlock(&diverted.lock);
	return ret;
}

static struct {
	bool is_on;
	FC_VEC(char *) lines;
} held; /* under the same lock */

static bool hold(const char *line)
{
	pthread_mutex_lock(&diverted.lock);
	bool ret = held.is_on;
	if (ret)
		fc_vec_push(&held.lines, fc_strdup(line));
	pthread_mutex_unlock(&diverted.lock);
	return ret;
}

void fc_say_hold(bool is_held)
{
	pthread_mutex_lock(&diverted.lock);
	held.is_on = is_held;
	pthread_mutex_unlock(&diverted.lock);
	if (is_held)
		return;
	fc_vec_each (&held.lines, line) {
		fc_say("%s", *line);
		free(*line);
	}
	fc_vec_free(&held.lines);
}

static struct {
	bool is_shown;
	bool is_forbidden;
} passing; /* under the same lock */

/* The terminal's last line shows progress: the next line replaces it. */
void fc_say_passing(const char *text)
{
	static const char back[] = "\r\033[K"; /* and all behind it is erased */
	char line[256];

	pthread_mutex_lock(&diverted.lock);
	bool is_wanted = text ? !passing.is_forbidden : passing.is_shown;
	if (is_wanted && !diverted.take && isatty(STDERR_FILENO)) {
		int nr = snprintf(line, sizeof(line), "%s%s", back, text ? text : "");
		size_t len = nr < (int)sizeof(line) ? (size_t)nr : sizeof(line) - 1;
		fc_make_printable(line + sizeof(back) - 1, len - (sizeof(back) - 1));
		passing.is_shown = write(STDERR_FILENO, line, len) > 0 && text;
	}
	pthread_mutex_unlock(&diverted.lock);
}

void fc_say_allow_passing(bool is_allowed)
{
	if (!is_allowed)
		fc_say_passing(NULL);
	pthread_mutex_lock(&diverted.lock);
	passing.is_forbidden = !is_allowed;
	pthread_mutex_unlock(&diverted.lock);
}

void fc_say(const char *fmt, ...)
{
	char line[2048] = "fctrace: ";
	size_t head = sizeof("fctrace: ") - 1, room = sizeof(line) - head - 1;
	va_list ap;

	va_start(ap, fmt);
	int nr = vsnprintf(line + head, room, fmt, ap);
	va_end(ap);
	size_t len = nr < 0 ? 0 : (size_t)nr < room ? (size_t)nr : room - 1;
	/* Names come from anywhere. */
	fc_make_printable(line + head, len);
	if (divert(line + head) || hold(line + head))
		return;
	fc_say_passing(NULL);
	line[head + len] = '\n';
	if (write(STDERR_FILENO, line, head + len + 1) < 0)
		return; /* nobody left to tell */
}
