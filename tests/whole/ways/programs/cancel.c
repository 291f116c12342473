// SPDX-License-Identifier: Apache-2.0
// Threads that are cancelled, at a call and at any instruction, and threads that leave.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
#include <stdlib.h>
#include <signal.h>
#include <time.h>
#define NI __attribute__((noinline))
NI int leaf(int x)
{
	__asm__ volatile("");
	return x + 1;
}
static volatile int cl;
static volatile int spin;
NI void cleanup(void *p)
{
	cl += leaf(1);
}
NI void waits(int n)
{
	pthread_cleanup_push(cleanup, 0);
	if (!n) {
		spin = 1;
		for (;;) {
			leaf(1);
			usleep(1000);
		}
	}
	waits(n - 1);
	leaf(1);
	pthread_cleanup_pop(0);
}
NI void busy(int n)
{
	pthread_cleanup_push(cleanup, 0);
	if (!n) {
		spin = 1;
		for (;;)
			leaf(1);
	}
	busy(n - 1);
	leaf(1);
	pthread_cleanup_pop(0);
}
NI void exits(int n)
{
	pthread_cleanup_push(cleanup, 0);
	if (!n) {
		spin = 1;
		pthread_exit((void *)7);
	}
	exits(n - 1);
	leaf(1);
	pthread_cleanup_pop(0);
}
static pthread_key_t key;
NI void kd(void *p)
{
	leaf(2);
	cl += 100;
}
static void *t1(void *a)
{
	pthread_setspecific(key, (void *)1);
	waits(5);
	return 0;
}
static void *t2(void *a)
{
	pthread_setspecific(key, (void *)1);
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0);
	busy(5);
	return 0;
}
static void *t3(void *a)
{
	pthread_setspecific(key, (void *)1);
	exits(5);
	return 0;
}
int main()
{
	pthread_key_create(&key, kd);
	for (int i = 0; i < 100; i++) {
		pthread_t t;
		void *r;
		void *(*f)(void *) = i % 3 == 0 ? t1 : i % 3 == 1 ? t2 : t3;
		spin = 0;
		pthread_create(&t, 0, f, 0);
		while (!spin)
			sched_yield();
		if (i % 3 != 2) {
			if (i & 1)
				usleep(500);
			pthread_cancel(t);
		}
		pthread_join(t, &r);
		leaf(3);
		if (i < 6)
			printf("%d %ld\n", i, (long)r);
	}
	printf("%d\n", cl);
	pthread_exit(0);
}
