/* SPDX-License-Identifier: Apache-2.0 */
/* Files whose names begin alike. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
	char path[512] = "/nowhere", one[600], two[600];
	for (int i = 0; i < 15; i++)
		strcat(path, "/a-folder-with-a-long-name");
	snprintf(one, sizeof(one), "%s/one", path);
	snprintf(two, sizeof(two), "%s/two", path);
	open(one, O_RDONLY);
	open(two, O_RDONLY);
	memcpy(two, path, 301);
	one[300] = two[301] = 0;
	rename(one, two);
	getenv(path);
	return 0;
}
