/* SPDX-License-Identifier: Apache-2.0 */
/* semaphores.c - prints how many look at its probes, for each line "look"; passes the second only where somebody does. */
#include <stdio.h>
#include <string.h>
#define _SDT_HAS_SEMAPHORES 1
#include <sys/sdt.h>

volatile unsigned short counted_first_semaphore __attribute__((section(".probes")));
volatile unsigned short counted_second_semaphore __attribute__((section(".probes")));

__attribute__((noinline)) static void pass(int nr)
{
	nr += counted_first_semaphore;
	STAP_PROBE1(counted, first, nr);
	if (counted_second_semaphore)
		STAP_PROBE1(counted, second, nr);
}

int main(void)
{
	char line[16];
	while (fgets(line, sizeof(line), stdin) && strcmp(line, "end\n")) {
		pass((int)strlen(line));
		printf("%d %d\n", counted_first_semaphore, counted_second_semaphore);
		fflush(stdout);
	}
	return 0;
}
