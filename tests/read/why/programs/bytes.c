/* SPDX-License-Identifier: Apache-2.0 */
/* Planted: a file is read one byte at a time, with a system call for each. */
#include <fcntl.h>

#include "work.h"

ALONE int next_byte(int fd)
{
	unsigned char byte;

	return read(fd, &byte, 1) == 1 ? byte : -1;
}

ALONE unsigned checksum(const char *path)
{
	int fd = open(path, O_RDONLY), byte;
	unsigned sum = 0;

	while ((byte = next_byte(fd)) >= 0)
		sum = sum * 31 + (unsigned)byte;
	close(fd);
	return sum;
}

int main(int argc, char **argv)
{
	printf("%u\n", checksum(argv[1]));
	return 0;
}
