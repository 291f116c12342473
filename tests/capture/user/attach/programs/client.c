/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Asks server.c at port argv[1] all the time, over eight connections that stay and new ones,
 * and checks every byte of every reply.
 */
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "attached.h"
#include "reply.h"

static int connect_to(int port)
{
	struct sockaddr_in to = { .sin_family = AF_INET,
				  .sin_port = htons((uint16_t)port),
				  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET, SOCK_STREAM, 0), one = 1;
	struct timeval limit = { .tv_sec = 20 };
	CHECK(fd >= 0 && !connect(fd, (struct sockaddr *)&to, sizeof(to)));
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	return fd;
}

static void ask(int fd, unsigned seed, size_t length)
{
	char request[64];
	int n = sprintf(request, "%u %zu\n", seed, length);
	CHECK(send(fd, request, n, MSG_NOSIGNAL) == n);
}

static void check_reply(int fd, unsigned seed, size_t length)
{
	char expected[REPLY_MAX], got[REPLY_MAX];
	size_t size = make_reply(expected, seed, length);
	for (size_t have = 0; have < size;) {
		ssize_t n = recv(fd, got + have, size - have, 0);
		if (n <= 0)
			wrong("request %u %zu: recv gives %zd after %zu bytes", seed, length, n,
			      have);
		have += n;
	}
	if (memcmp(expected, got, size))
		wrong("request %u %zu: another reply", seed, length);
}

int main(int argc, char **argv)
{
	enum { NR_KEPT = 8 };
	int kept[NR_KEPT], port = argc > 1 ? atoi(argv[1]) : 0;
	unsigned long nr = 0;
	for (int i = 0; i < NR_KEPT; i++)
		kept[i] = connect_to(port);
	ready();
	for (unsigned seed = 1; !is_over(); seed++) {
		size_t length = seed * 37 % LENGTH_MAX;
		for (int i = 0; i < NR_KEPT; i++)
			ask(kept[i], seed + i, length);
		for (int i = 0; i < NR_KEPT; i++)
			check_reply(kept[i], seed + i, length);
		if (seed % 16 == 0) {
			int fd = connect_to(port);
			ask(fd, seed, 10);
			check_reply(fd, seed, 10);
			close(fd);
			nr++;
		}
		nr += NR_KEPT;
	}
	return well(nr);
}
