// SPDX-License-Identifier: Apache-2.0
/* Waits for its vfork child, which does nothing for a long time: nothing can stop it meanwhile. */
#include <stdio.h>
#include <unistd.h>

int main(void)
{
	puts("ready");
	fflush(stdout);
	if (!vfork()) {
		sleep(300);
		_exit(0);
	}
	return 0;
}
