/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that write as many as they return into arrays with room for more; what lies behind is old. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void)
{
	int p[2], s[2], all = epoll_create1(0);
	struct epoll_event event = { .events = EPOLLIN, .data.u64 = 77 }, events[8];
	struct mmsghdr messages[4] = { 0 };
	struct iovec rows[4];
	char texts[4][8];
	memset(events, 0x55, sizeof(events));
	if (pipe(p) || write(p[1], "x", 1) != 1 || epoll_ctl(all, EPOLL_CTL_ADD, p[0], &event))
		return 1;
	epoll_wait(all, events, 8, 0);
	epoll_wait(-1, events, 8, 0);
	if (read(p[0], texts[0], 1) != 1)
		return 1;
	epoll_wait(all, events, 8, 0);
	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, s) || send(s[1], "one", 3, 0) != 3)
		return 1;
	for (int i = 0; i < 4; i++) {
		rows[i] = (struct iovec){ texts[i], 8 };
		messages[i].msg_hdr.msg_iov = &rows[i];
		messages[i].msg_hdr.msg_iovlen = 1;
		messages[i].msg_len = 4711;
	}
	recvmmsg(s[0], messages, 4, MSG_DONTWAIT, NULL);
	return 0;
}
