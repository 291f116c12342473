/* SPDX-License-Identifier: Apache-2.0 */
/* Passes pointers to what cannot be read, or is being unmapped, or ends too early. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

__attribute__((noipa)) int look(const char *text, const long *number, const void *buffer,
				unsigned long size)
{
	__asm__ volatile("nop; nop; nop; nop; nop; nop" ::: "memory");
	return (int)size;
}

static char *volatile page;
static volatile int is_over;

static void *come_and_go(void *arg)
{
	(void)arg;
	while (!is_over) {
		char *at = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
				-1, 0);
		memset(at, 'p', 4096);
		page = at;
		munmap(at, 4096);
	}
	return NULL;
}

int main(void)
{
	static const uintptr_t bad[] = { 0, 1, 4095, 4096, 0x7fffffffffff, 0x800000000000,
					 0xffff800000000000, UINTPTR_MAX, UINTPTR_MAX - 7,
					 0xffffffffff600000 };
	char *two = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	mprotect(two + 4096, 4096, PROT_NONE);
	memset(two, 'e', 4096);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		look((const char *)bad[i], (const long *)bad[i], (const void *)bad[i],
		     UINTPTR_MAX);
	look(two + 4090, (const long *)(two + 4093), two + 4000, 500);
	look(two + 4096, (const long *)(two + 4096), two + 4096, 1);
	pthread_t thread;
	pthread_create(&thread, NULL, come_and_go, NULL);
	for (int i = 0; i < 20000; i++)
		look(page, (const long *)page, page, 100);
	is_over = 1;
	pthread_join(thread, NULL);
	puts("well");
	return 0;
}
