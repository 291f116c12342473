/* SPDX-License-Identifier: Apache-2.0 */
/* Frames larger than some stacks: one call is far below the other, and on the same stack. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include "truth.h"

static volatile int trail;

FN void leaf(int n)
{
	ENTER;
	trail = (trail * 7 + n) % 1000003;
	LEAVE;
}

FN int large(int n)
{
	ENTER;
	volatile char frame[20000];
	frame[0] = (char)n;
	leaf(n);
	int r = n ? large(n - 1) + frame[0] : 0;
	leaf(n);
	LEAVE;
	return r;
}

FN int huge(int n)
{
	ENTER;
	volatile char frame[300000];
	frame[0] = (char)n;
	int r = n ? huge(n - 1) + frame[0] : large(3);
	leaf(n);
	LEAVE;
	return r;
}

FN void *work(void *arg)
{
	ENTER;
	leaf(0);
	int r = huge(4);
	r += large(2);
	LEAVE;
	return r == 19 ? arg : NULL;
}

FN int main(void)
{
	pthread_attr_t attr;
	ENTER;
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 4 << 20); /* musl's are small */
	for (int i = 0; i < 3; i++) {
		pthread_t thread;
		void *ret;
		if (pthread_create(&thread, &attr, work, &thread) ||
		    pthread_join(thread, &ret) || !ret)
			_exit(99);
	}
	work(NULL);
	printf("%d\n", trail);
	LEAVE;
	return 0;
}
