/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_import.c - a folder of uftrace in which a file is something else, or differs in some bytes.
 *
 * The first byte of input says which file, and how: the rest is the file, or each four bytes of
 * it change one of the good file: where (3), and to what.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "read/import/import.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

struct file {
	const char *name;
	const char *text; /* NULL: made */
	uint8_t made[4096];
	size_t len;
};

enum { INFO, TASKS, MAP, SYMBOLS, DATA, DATA_OF_CHILD, PERF, NR_FILES };

static struct file files[NR_FILES] = {
	[INFO] = { .name = "info" },
	[TASKS] = { .name = "task.txt",
		    .text = "SESS timestamp=1.000000000 pid=7 sid=0123456789abcdef "
			    "exename=\"/bin/job\"\n"
			    "TASK timestamp=1.000000100 tid=7 pid=7\n"
			    "TASK timestamp=1.000000200 tid=8 pid=7\n"
			    "FORK timestamp=1.000000500 pid=9 ppid=7\n"
			    "DLOP timestamp=1.000000100 tid=7 sid=0123456789abcdef "
			    "base=7f0000000000 libname=\"/lib/job.so\"\n" },
	[MAP] = { .name = "sid-0123456789abcdef.map",
		  .text = "555500000000-555500002000 r--p 00000000 08:01 5 /bin/job "
			  "build-id:1234\n"
			  "555500002000-555500009000 r-xp 00002000 08:01 5 /bin/job "
			  "build-id:1234\n"
			  "7ff000000000-7ff000001000 rw-p 00000000 00:00 0 [stack]\n" },
	[SYMBOLS] = { .name = "job.sym",
		      .text = "# symbols: 4\n# path name: /bin/job\n# build-id: 1234\n"
			      "0000000000001000 P fork\n0000000000001010 ? __dynsym_end\n"
			      "0000000000002000 T main\n0000000000002100 t leaf\n"
			      "0000000000002200 ? __sym_end\n" },
	[DATA] = { .name = "7.dat" },
	[DATA_OF_CHILD] = { .name = "9.dat" },
	[PERF] = { .name = "perf-cpu0.dat" },
};

static void put(struct file *file, const void *at, size_t n)
{
	memcpy(file->made + file->len, at, n);
	file->len += n;
}

static void put_record(struct file *file, uint64_t ns, unsigned type, bool more, unsigned depth,
		       uint64_t addr)
{
	uint64_t words[2] = { ns, type | (unsigned)more << 2 | 5 << 3 | depth << 6 | addr << 16 };

	put(file, words, sizeof(words));
}

static void put_switch(struct file *file, uint64_t ns, unsigned tid, bool is_out)
{
	uint64_t words[3] = { 14 | (is_out ? 1ull << 45 : 0) | 24ull << 48,
			      7 | (uint64_t)tid << 32, ns };

	put(file, words, sizeof(words));
}

static const uint64_t base = 0x555500000000, s = 1000000000;

static void make_files(void)
{
	static const char info[] = "Ftrace!\0\4\0\0\0\50\0\1\2\143\3\0\0\0\0\0\0\377\73\0\0\0\0\0\0"
				   "\0\4\0\0\0\0\0\0exename:/bin/job\nexit_status:0\n"
				   "cmdline:uftrace record job 1\ntaskinfo:nr_tid=3\n"
				   "elapsed_time:1.5 sec\n";
	uint64_t value = 42;

	put(&files[INFO], info, sizeof(info) - 1);
	put_record(&files[DATA], s + 300, 0, false, 0, base + 0x2000);
	for (unsigned i = 0; i < 20; i++) {
		put_record(&files[DATA], s + 400 + 10 * i, 0, true, 1, base + 0x2100);
		put(&files[DATA], &value, sizeof(value));
		put_record(&files[DATA], s + 405 + 10 * i, 1, false, 1, base + 0x2100);
	}
	put_record(&files[DATA], 0, 2, false, 0, 5);
	put_record(&files[DATA], s + 700, 3, false, 0, 1000001);
	put_record(&files[DATA], s + 800, 0, false, 1, 0x7f0000000100);
	put_record(&files[DATA], s + 900, 1, false, 0, base + 0x2000);
	put_record(&files[DATA_OF_CHILD], s + 600, 1, false, 1, base + 0x1000);
	put_record(&files[DATA_OF_CHILD], s + 650, 1, false, 0, base + 0x2000);
	put_switch(&files[PERF], s + 310, 7, true);
	put_switch(&files[PERF], s + 390, 7, false);
	for (int i = 0; i < NR_FILES; i++)
		if (files[i].text)
			put(&files[i], files[i].text, strlen(files[i].text));
}

static char folder[64];

static void write_file(const struct file *file, const uint8_t *bytes, size_t size)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", folder, file->name);
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (fd < 0 || write(fd, bytes, size) != (ssize_t)size || close(fd))
		abort();
}

static void remove_folder(void)
{
	char path[256];

	for (int i = 0; i < NR_FILES; i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, files[i].name);
		unlink(path);
	}
	rmdir(folder);
}

static void set_up(void)
{
	if (folder[0])
		return;
	strcpy(folder, access("/dev/shm", W_OK) ? "/tmp/fuzz-import-XXXXXX"
						: "/dev/shm/fuzz-import-XXXXXX");
	if (!mkdtemp(folder))
		abort();
	make_files();
	for (int i = 0; i < NR_FILES; i++)
		write_file(&files[i], files[i].made, files[i].len);
	atexit(remove_folder);
}

static void write_changed(const struct file *file, const uint8_t *bytes, size_t size)
{
	uint8_t copy[sizeof(file->made)];

	memcpy(copy, file->made, file->len);
	for (; size >= 4; bytes += 4, size -= 4)
		copy[(bytes[0] | bytes[1] << 8 | bytes[2] << 16) % file->len] = bytes[3];
	write_file(file, copy, file->len);
}

static void say(void *ctx, const char *sentence)
{
	if (!*sentence)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct fc_import_opts opts = { .output = "/dev/null", .options = "", .say = say };
	struct fc_import_sums sums;
	struct fc_import *import;

	if (!size)
		return 0;
	set_up();
	const struct file *file = &files[bytes[0] % NR_FILES];
	if (bytes[0] & 0x80)
		write_changed(file, bytes + 1, size - 1);
	else
		write_file(file, bytes + 1, size - 1);
	if (!fc_import_open(folder, &import)) {
		fc_import_write(import, &opts, &sums);
		fc_import_close(import);
	}
	write_file(file, file->made, file->len);
	return 0;
}
