/* SPDX-License-Identifier: Apache-2.0 */
/* output.c - writes to stdout, and remembers whether that failed. */
#include "cmd/out/output.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "cmd/out/pager.h"
#include "cmd/out/say.h"

static int first_err;
static bool has_terminal;
static volatile sig_atomic_t is_stopped;

int fc_write_all(int fd, const void *data, size_t len)
{
	const char *at = data;

	while (len) {
		ssize_t nr = write(fd, at, len);
		if (nr >= 0) {
			at += nr;
			len -= (size_t)nr;
		} else if (errno == EAGAIN) {
			/* Somebody made the terminal non-blocking: wait for it. */
			struct pollfd poll_fd = { .fd = fd, .events = POLLOUT };
			poll(&poll_fd, 1, -1);
		} else if (errno != EINTR) {
			return -errno;
		}
	}
	return 0;
}

static void on_interrupt(int sig)
{
	fc_output_stop();
}

static ssize_t write_stdout(void *cookie, const char *data, size_t len)
{
	fc_pager_start(on_interrupt);
	if (has_terminal)
		fc_say_allow_passing(false);
	if (!first_err)
		first_err = fc_write_all(STDOUT_FILENO, data, len);
	return first_err ? 0 : (ssize_t)len;
}

FILE *fc_output_open(void)
{
	static char buffer[64 * 1024];
	FILE *out = fopencookie(NULL, "w", (cookie_io_functions_t){ .write = write_stdout });

	signal(SIGPIPE, SIG_IGN);
	has_terminal = isatty(STDOUT_FILENO);
	if (out)
		setvbuf(out, buffer, _IOFBF, sizeof(buffer));
	return out;
}

void fc_output_write(const char *data, size_t len)
{
	write_stdout(NULL, data, len);
}

void fc_output_stop(void)
{
	is_stopped = 1;
}

bool fc_output_is_over(void)
{
	return first_err || is_stopped;
}

int fc_output_close(FILE *out, int status)
{
	fclose(out);
	if (!fc_pager_wait())
		return FC_STATUS_NO;
	if (!first_err || first_err == -EPIPE)
		return status;
	fc_say("cannot write to stdout: %s", strerror(-first_err));
	return FC_STATUS_NO;
}
