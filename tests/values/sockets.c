/* SPDX-License-Identifier: Apache-2.0 */
/* Asks for addresses of sockets, with as much room as there is to be, and sends two messages at once. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
int main(void)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(0x7f000001) },
			   b;
	struct {
		struct sockaddr_un un;
		char beside[32];
	} cut = { .beside = "" };
	socklen_t len = sizeof(b);
	int s = socket(AF_INET, SOCK_STREAM, 0), c = socket(AF_INET, SOCK_STREAM, 0);
	bind(s, (void *)&a, sizeof(a));
	listen(s, 1);
	memset(&b, 'x', sizeof(b));
	getsockname(s, (void *)&b, &len);
	connect(c, (void *)&b, sizeof(b));
	len = 100;
	char big[128] = "";
	close(accept(s, (void *)big, &len));
	c = socket(AF_INET, SOCK_STREAM, 0);
	connect(c, (void *)&b, sizeof(b));
	close(accept4(s, NULL, NULL, SOCK_CLOEXEC));
	len = sizeof(b);
	getpeername(c, (void *)&b, &len);
	len = 4;
	memset(&b, 'x', sizeof(b));
	getsockname(c, (void *)&b, &len);
	int u[2], d = socket(AF_INET, SOCK_DGRAM, 0);
	bind(d, (void *)&a, sizeof(a));
	len = sizeof(b);
	getsockname(d, (void *)&b, &len);
	sendto(d, "hello", 5, 0, (void *)&b, sizeof(b));
	char text[16];
	len = sizeof(a);
	recvfrom(d, text, sizeof(text), 0, (void *)&a, &len);
	socketpair(AF_UNIX, SOCK_STREAM, 0, u);
	len = sizeof(cut.un);
	getsockname(u[0], (void *)&cut.un, &len);
	len = sizeof(b);
	getpeername(-1, (void *)&b, &len);
	struct iovec v[3] = { { "one", 3 }, { "two ", 4 }, { "three", 5 } };
	struct mmsghdr m[2] = { { { .msg_iov = v, .msg_iovlen = 1 } },
				{ { .msg_iov = v + 1, .msg_iovlen = 2 } } };
	socketpair(AF_UNIX, SOCK_DGRAM, 0, u);
	sendmmsg(u[0], m, 2, 0);
	return 0;
}
