/* SPDX-License-Identifier: Apache-2.0 */
/* family NUMBER: a child does something, a second one runs this program again, as "child". */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define CALLED __attribute__((noinline, noclone))
#define KEEP   __asm__ volatile("")

CALLED void chore(void)
{
	KEEP;
}

CALLED void chores(int nr)
{
	for (int i = 0; i < nr; i++)
		chore();
	KEEP;
}

CALLED void own_child(int nr)
{
	chores(nr);
	_exit(0);
}

int main(int argc, char **argv)
{
	if (!strcmp(argv[1], "child")) {
		chores(atoi(argv[2]));
		return 0;
	}
	if (!fork())
		own_child(2);
	wait(NULL);
	if (!fork())
		execl("/proc/self/exe", argv[0], "child", argv[1], NULL);
	wait(NULL);
	chores(1);
	return 0;
}
