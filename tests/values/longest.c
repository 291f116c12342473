/* SPDX-License-Identifier: Apache-2.0 */
/* Names of files as long as the kernel takes them, and longer: on the stack, on the heap, in the program's data. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROOM = 6000 };
static const int sizes[] = { 63, 64, 600, 880, 888, 1000, 1816, 4094, 4095, 4096, 5000 };
static char data[ROOM];

/* They differ in their last byte alone. */
static char *fill(char *path, int size, char last)
{
	for (int i = 0; i < size; i++)
		path[i] = i % 100 ? (char)('a' + i % 26) : '/';
	path[size - 1] = last;
	path[size] = 0;
	return path;
}

int main(void)
{
	char stack[ROOM], *heap = malloc(ROOM), *cwd = malloc(ROOM);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		open(fill(data, sizes[i], '1'), O_RDONLY);
		open(fill(stack, sizes[i], '2'), O_RDONLY);
		open(fill(heap, sizes[i], '3'), O_RDONLY);
		rename(stack, heap);
	}
	/* Read up to the end of what is mapped. */
	chdir(fill(heap + ROOM - 1001, 1000, '4'));
	/* Secrets in the middle of what is long. */
	fill(heap, 3000, '5');
	memcpy(heap + 2000, "\nAPI_TOKEN=hunter2\n", 19);
	open(heap, O_RDONLY);
	for (int i = 860; i < 900; i++) {
		memcpy(fill(heap, 2000, '6') + i, "\nPASSWORD=hunter2", 17);
		open(heap, O_RDONLY);
		memcpy(fill(heap, 2000, '7') + i, "://me:hunter2@host", 18);
		open(heap, O_RDONLY);
	}
	setenv("DB_PASSWORD", fill(heap, 3000, '8'), 1);
	getcwd(cwd, ROOM);
	return 0;
}
