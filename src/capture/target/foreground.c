/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/target/foreground.h"

#include <fcntl.h>
#include <termios.h>
#include <unistd.h>

#include "base/cleanup.h"

static int open_terminal(void)
{
	return open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
}

bool fc_foreground_exists(void)
{
	fc_auto_close int fd = open_terminal();
	return fd >= 0;
}

bool fc_foreground_is_ours(void)
{
	fc_auto_close int fd = open_terminal();
	return fd >= 0 && tcgetpgrp(fd) == getpgrp();
}

bool fc_foreground_stops_others(void)
{
	struct termios modes;
	fc_auto_close int fd = open_terminal();
	return fd >= 0 && !tcgetattr(fd, &modes) && modes.c_lflag & TOSTOP;
}
