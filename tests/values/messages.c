/* SPDX-License-Identifier: Apache-2.0 */
/* Sends messages and receives them, one and several at once, and asks for options of sockets. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

static struct sockaddr_in here = { .sin_family = AF_INET }, from[3];

static void options(int d)
{
	int number = 1, s[2];
	struct linger linger;
	struct ucred cred;
	struct timeval time = { 2, 500000 };
	char bytes[40];
	socklen_t len = sizeof(number);
	setsockopt(d, SOL_SOCKET, SO_REUSEADDR, &number, sizeof(number));
	getsockopt(d, SOL_SOCKET, SO_TYPE, &number, &len);
	len = sizeof(linger);
	getsockopt(d, SOL_SOCKET, SO_LINGER, &linger, &len);
	setsockopt(d, SOL_SOCKET, SO_RCVTIMEO, &time, sizeof(time));
	len = sizeof(time);
	getsockopt(d, SOL_SOCKET, SO_RCVTIMEO, &time, &len);
	socketpair(AF_UNIX, SOCK_STREAM, 0, s);
	len = sizeof(cred);
	getsockopt(s[0], SOL_SOCKET, SO_PEERCRED, &cred, &len);
	memset(bytes, 'S', sizeof(bytes));
	len = 2; /* of an int that has four */
	getsockopt(d, SOL_SOCKET, SO_TYPE, bytes, &len);
	len = sizeof(number);
	getsockopt(d, SOL_TCP, TCP_NODELAY, &number, &len);
}

int main(void)
{
	socklen_t len = sizeof(here);
	int d = socket(AF_INET, SOCK_DGRAM, 0);
	char b[3][16];
	here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	bind(d, (void *)&here, sizeof(here));
	getsockname(d, (void *)&here, &len);
	struct iovec out[2] = { { "one", 3 }, { "two ", 4 } };
	struct iovec in[3] = { { b[0], 2 }, { b[1], 16 }, { b[2], 16 } };
	struct msghdr sent = {
		.msg_name = &here, .msg_namelen = len, .msg_iov = out, .msg_iovlen = 2
	};
	struct msghdr got = {
		.msg_name = from, .msg_namelen = sizeof(from), .msg_iov = in, .msg_iovlen = 3
	};
	struct mmsghdr many[2] = { { { .msg_iov = in, .msg_iovlen = 2 } },
				   { { .msg_iov = in + 2, .msg_iovlen = 1 } } };
	memset(b, 'S', sizeof(b));
	memset(from, 'S', sizeof(from));
	sendmsg(d, &sent, 0);
	recvmsg(d, &got, 0);
	sendmsg(d, &sent, 0);
	memset(b, 'S', sizeof(b));
	memset(from, 'S', sizeof(from));
	got.msg_namelen =
		6; /* no room for all of the address: behind it lies what is another's */
	recvmsg(d, &got, 0);
	sendto(d, "hello", 5, 0, (void *)&here, sizeof(here));
	sendto(d, "goodbye", 7, 0, (void *)&here, sizeof(here));
	memset(b, 'S', sizeof(b));
	recvmmsg(d, many, 2, 0, NULL);
	got.msg_name = NULL;
	recvmsg(d, &got, MSG_DONTWAIT);
	options(d);
	return 0;
}
