/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers and structs that a call is given to write into: what is in them before is of another call. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define KEPT __attribute__((noinline, noclone, noipa))

struct point {
	int x, y;
};

KEPT int name_of(int id, char *buf, size_t size)
{
	return snprintf(buf, size, "item-%d", id);
}
KEPT int locate(int id, struct point *out)
{
	*out = (struct point){ id, -id };
	return 0;
}
KEPT int seventh(int a, int b, int c, int d, int e, int f, int *out, const char *text)
{
	*out = a + b + c + d + e + f + text[0];
	return 0;
}
KEPT int inner(int n)
{
	return n;
}
KEPT int outer(int n, int *out, const int *in)
{
	*out = inner(n) + *in;
	return 0;
}
KEPT void log_in(const char *password)
{
	char local[64];
	strcpy(local, password);
	__asm__ volatile("" : : "r"(local) : "memory");
}
KEPT void later(size_t size)
{
	char path[64];
	__asm__ volatile("" : : "r"(path) : "memory");
	if (!getcwd(path, size))
		return;
}

int main(void)
{
	char buf[64] = "tell-nobody";
	struct point point = { 9, 9 };
	int out = 1;
	name_of(7, buf, sizeof(buf));
	locate(3, &point);
	seventh(1, 2, 3, 4, 5, 6, &out, "text");
	out = 1;
	outer(41, &out, &(int){ 1 });
	log_in("tell-nobody");
	later(64);
	log_in("tell-nobody");
	later(1);
	strcpy(buf, "tell-nobody");
	gethostname(buf, sizeof(buf));
	confstr(_CS_PATH, buf, sizeof(buf));
	return 0;
}
