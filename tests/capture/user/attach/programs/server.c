/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A server of four threads, each with an epoll of its own, that keeps connections open. A
 * request is a line `SEED LENGTH`, its reply `SUM LENGTH` and so many bytes made from the seed.
 * Prints the port before it is ready.
 */
#define _GNU_SOURCE
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include "attached.h"
#include "reply.h"

enum { NR_THREADS = 4, REQUEST_MAX = 64 };

struct connection {
	int fd;
	size_t got;
	char request[REQUEST_MAX];
};

struct worker {
	pthread_t thread;
	int epoll;
	unsigned long nr;
};

static struct worker workers[NR_THREADS];

static void send_all(int fd, const char *bytes, size_t size)
{
	while (size) {
		ssize_t n = send(fd, bytes, size, MSG_NOSIGNAL);
		if (n < 0 && errno == EPIPE)
			return;
		CHECK(n > 0);
		bytes += n;
		size -= n;
	}
}

NOINLINE static void answer(struct connection *connection)
{
	unsigned seed;
	size_t length;
	char text[REPLY_MAX];
	CHECK(sscanf(connection->request, "%u %zu", &seed, &length) == 2);
	send_all(connection->fd, text, make_reply(text, seed, length));
}

/* False: the client has gone. */
static bool serve(struct worker *worker, struct connection *connection)
{
	ssize_t n = recv(connection->fd, connection->request + connection->got,
			 REQUEST_MAX - 1 - connection->got, 0);
	CHECK(n >= 0);
	if (!n)
		return false;
	connection->got += n;
	connection->request[connection->got] = 0;
	if (connection->request[connection->got - 1] == '\n') {
		connection->got = 0;
		answer(connection);
		worker->nr++;
	}
	return true;
}

static void *work(void *arg)
{
	struct worker *worker = arg;
	for (;;) {
		struct epoll_event events[16];
		int nr = epoll_wait(worker->epoll, events, 16, -1);
		CHECK(nr >= 0);
		for (int i = 0; i < nr; i++) {
			struct connection *connection = events[i].data.ptr;
			if (!connection)
				return NULL; /* stdin was closed */
			if (!serve(worker, connection)) {
				close(connection->fd);
				free(connection);
			}
		}
	}
}

static int listen_somewhere(int *port)
{
	struct sockaddr_in any = { .sin_family = AF_INET,
				   .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t size = sizeof(any);
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	CHECK(fd >= 0 && !bind(fd, (struct sockaddr *)&any, size) && !listen(fd, 64));
	CHECK(!getsockname(fd, (struct sockaddr *)&any, &size));
	*port = ntohs(any.sin_port);
	return fd;
}

static void accept_next(int listening, unsigned nr)
{
	int one = 1;
	struct connection *connection = calloc(1, sizeof(*connection));
	connection->fd = accept(listening, NULL, NULL);
	CHECK(connection->fd >= 0);
	setsockopt(connection->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	struct epoll_event event = { .events = EPOLLIN, .data.ptr = connection };
	CHECK(!epoll_ctl(workers[nr % NR_THREADS].epoll, EPOLL_CTL_ADD, connection->fd, &event));
}

int main(void)
{
	int port, listening = listen_somewhere(&port);
	unsigned long sum = 0;
	struct epoll_event end = { .events = EPOLLIN };
	for (int i = 0; i < NR_THREADS; i++) {
		CHECK((workers[i].epoll = epoll_create1(0)) >= 0);
		CHECK(!epoll_ctl(workers[i].epoll, EPOLL_CTL_ADD, 0, &end));
		CHECK(!pthread_create(&workers[i].thread, NULL, work, &workers[i]));
	}
	printf("%d\n", port);
	fflush(stdout);
	ready();
	for (unsigned nr = 0;; nr++) {
		struct pollfd either[] = { { .fd = 0, .events = POLLIN },
					   { .fd = listening, .events = POLLIN } };
		CHECK(poll(either, 2, -1) > 0);
		if (either[0].revents)
			break;
		accept_next(listening, nr);
	}
	for (int i = 0; i < NR_THREADS; i++) {
		pthread_join(workers[i].thread, NULL);
		sum += workers[i].nr;
	}
	return well(sum);
}
