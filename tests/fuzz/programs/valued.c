/* SPDX-License-Identifier: Apache-2.0 */
/* Calls whose values a trace has in all forms: long texts, rows of buffers, lists, chains of tail calls. */
#include <stddef.h>
#include <string.h>

#define APART __attribute__((noinline, noclone))

struct iovec {
	void *iov_base;
	size_t iov_len;
};

struct sockaddr {
	unsigned short sa_family;
	char sa_data[14];
};

APART int open_file(const char *path, const char *other_path)
{
	__asm__ volatile("" ::"r"(path), "r"(other_path) : "memory");
	return -1;
}

APART long gather(const struct iovec *rows, long nr)
{
	__asm__ volatile("" ::"r"(rows), "r"(nr) : "memory");
	return nr;
}

APART long fill(const struct iovec *rows, long nr)
{
	memcpy(rows[0].iov_base, "written", 7);
	return 7;
}

APART int connect_to(const struct sockaddr *addr, unsigned len)
{
	__asm__ volatile("" ::"r"(addr), "r"(len) : "memory");
	return 0;
}

APART int last(int argc, const char *const *argv)
{
	__asm__ volatile("" ::"r"(argv) : "memory");
	return argc;
}

APART int first(void)
{
	static const char *const argv[] = { "prog", "--token", "secret", NULL };
	return last(3, argv);
}

int main(void)
{
	char path[4096], other[4096], here[8], there[8];
	struct iovec rows[2] = { { here, 8 }, { there, 8 } };
	struct sockaddr un = { 1, "/a/socket" }, in = { 2, "\x1f\x90\x7f\0\0\1" };
	memset(path, 'p', sizeof(path));
	memset(other, 'o', sizeof(other));
	for (int nr = 100; nr < 4096; nr += 1300) {
		path[nr] = other[nr / 2] = 0;
		open_file(path, other);
		path[nr] = 'p';
	}
	for (int i = 0; i < 3; i++) {
		gather(rows, 2);
		fill(rows, 2);
		connect_to(i ? &un : &in, 16);
		first();
	}
	return 0;
}
