/* SPDX-License-Identifier: Apache-2.0 */
/* mapped.c - a process and its child, whose stubs have names; both print where their code is mapped. */
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noipa)) void show(const char *who)
{
	char line[512];
	FILE *maps = fopen("/proc/self/maps", "r");
	while (maps && fgets(line, sizeof(line), maps))
		printf("%s %d %s", who, getpid(), line);
	fflush(stdout);
}

int main(void)
{
	show("parent");
	if (!fork()) {
		show("child");
		_exit(0);
	}
	return wait(NULL) < 0;
}
