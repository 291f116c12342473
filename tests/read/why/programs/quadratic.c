/* SPDX-License-Identifier: Apache-2.0 */
/* Planted: strlen() is called again for each character, and walks the whole line each time. */
#include "work.h"

ALONE unsigned parse_line(char *line)
{
	unsigned sum = 0;

	for (size_t i = 0; i < strlen(line); i++)
		line[i] = (char)('a' + (sum = sum * 31 + (unsigned)line[i]) % 26);
	return sum;
}

ALONE unsigned read_config(unsigned x)
{
	return spin(x, 20000);
}

ALONE unsigned print_sums(unsigned x)
{
	return spin(x, 30000);
}

int main(void)
{
	static char line[20000];
	unsigned x = read_config(1);

	memset(line, 'a', sizeof(line) - 1);
	for (int i = 0; i < 3; i++)
		x += parse_line(line);
	printf("%u\n", print_sums(x));
	return 0;
}
