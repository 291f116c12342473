/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of buffers: as the calls that read or write them all at once take them. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

int main(void)
{
	int p[2], s[2];
	char a[8] = "AAAAAAA", b[8] = "BBBBBBB", c[8] = "STALE!!", rest[100],
	     remote[20] = "remote!";
	char *heap = strcpy(malloc(64), "on the heap, longer than what is shown of a text");
	struct iovec out[3] = { { "abc", 3 }, { heap, 47 }, { "-Z", 2 } };
	struct iovec in[3] = { { a, 8 }, { heap, 3 }, { c, 8 } };
	struct iovec more[3] = { { a, 8 }, { b, 8 }, { c, 0 } };
	struct iovec parts[2] = { { a, 5 }, { rest, 100 } };
	struct msghdr sent = { .msg_iov = out, .msg_iovlen = 3 };
	struct msghdr got = { .msg_iov = parts, .msg_iovlen = 2 };
	struct iovec many[20], here = { a, 6 }, there = { remote, 8 }, bad = { (void *)8, 4 };
	pipe(p);
	socketpair(AF_UNIX, SOCK_DGRAM, 0, s);
	writev(p[1], out, 3);
	readv(p[0], in, 3);
	read(p[0], rest, sizeof(rest));
	write(p[1], "123456789", 9);
	readv(p[0], more,
	      3); /* less than there is room for: the rest is what was there before */
	sendmsg(s[0], &sent, 0);
	recvmsg(s[1], &got, 0);
	process_vm_readv(getpid(), &here, 1, &there, 1, 0);
	process_vm_writev(getpid(), &here, 1, &there, 1, 0);
	writev(p[1], &bad, 1);
	readv(-1, more, 3);
	for (int i = 0; i < 20; i++)
		many[i] = (struct iovec){ "0123456789" + i % 10, 1 };
	writev(p[1], many, 20);
	return 0;
}
