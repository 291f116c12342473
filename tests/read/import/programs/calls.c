/* SPDX-License-Identifier: Apache-2.0 */
/* Recursion, a thread, waits, and calls of libraries. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int leaf(int n);
int fib(int n);
char *greet(const char *name);
void *work(void *arg);

int leaf(int n)
{
	return n * 3;
}

int fib(int n)
{
	return n < 2 ? n : fib(n - 1) + fib(n - 2) + leaf(n) % 2;
}

char *greet(const char *name)
{
	char *text = malloc(strlen(name) + 8);
	strcpy(text, "hello ");
	return strcat(text, name);
}

void *work(void *arg)
{
	for (int i = 0; i < 20; i++)
		fib((int)(long)arg);
	usleep(2000);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[3];
	for (long i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, work, (void *)(i + 4));
	for (int i = 0; i < 100; i++)
		free(greet(argv[0]));
	fib(9);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	return argc > 100;
}
