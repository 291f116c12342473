/* SPDX-License-Identifier: Apache-2.0 */
/* header.c - reads uftrace's file info, line by line. */
#include "read/import/header.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"

#define HEAD_BYTES 40
#define NS_A_S	   1000000000u

static const char magic[8] = "Ftrace!";

static uint64_t number(const unsigned char *at, int bytes)
{
	uint64_t n = 0;

	for (int i = bytes - 1; i >= 0; i--)
		n = n << 8 | at[i];
	return n;
}

/* magic, version (4), head size (2), byte order, class of ELF, features, what is told. */
static int check_head(const struct fc_folder *folder, const unsigned char *head, ssize_t n)
{
	if (n < HEAD_BYTES || memcmp(head, magic, sizeof(magic)))
		return fc_fail(EBADMSG,
			       "%s is not a folder that uftrace recorded into: its "
			       "file info does not begin as uftrace's",
			       folder->path);
	if (head[14] == 2)
		return fc_fail(EPROTONOSUPPORT,
			       "%s was recorded on a big-endian machine, whose data cannot be "
			       "imported",
			       folder->path);
	if (head[14] != 1 || (head[15] != 1 && head[15] != 2))
		return fc_fail(EBADMSG, "%s/info is damaged: byte order %d, word size %d",
			       folder->path, head[14], head[15]);
	unsigned version = (unsigned)number(head + 8, 4);
	if (version != 4)
		return fc_fail(EPROTONOSUPPORT,
			       "%s is in version %u of uftrace's format; only version 4, "
			       "as uftrace 0.13 writes, can be imported",
			       folder->path, version);
	return 0;
}

static uint64_t seconds_to_ns(const char *text)
{
	char *end;
	uint64_t s = strtoull(text, &end, 10), ns = 0, unit = NS_A_S;

	if (*end == '.')
		for (end++; *end >= '0' && *end <= '9' && unit > 1; end++)
			ns += (uint64_t)(*end - '0') * (unit /= 10);
	return s < UINT64_MAX / NS_A_S / 4 ? s * NS_A_S + ns : 0;
}

/* As date prints it in the recorder's time zone, which is taken to be ours. */
static uint64_t date_to_ns(const char *text)
{
	struct tm tm = { .tm_isdst = -1 };
	time_t at = strptime(text, "%a %b %d %H:%M:%S %Y", &tm) ? mktime(&tm) : 0;

	return at > 0 ? (uint64_t)at * NS_A_S : 0;
}

static void replace(char **text, const char *with)
{
	free(*text);
	*text = fc_strdup(with);
}

/* Beyond 16 bits it says that uftrace was ended before the program. */
static void take_status(struct fc_uf_header *header, const char *text)
{
	long status = strtol(text, NULL, 10);

	header->has_status = status >= 0 && status <= 0xffff;
	header->wait_status = header->has_status ? (int)status : 0;
}

struct reading {
	struct fc_uf_header *header;
	char *kernel, *cpu;
};

/* The part behind key, or NULL. */
static const char *value_of(const char *line, const char *key)
{
	size_t len = strlen(key);

	return strncmp(line, key, len) ? NULL : line + len;
}

static void read_line(struct reading *reading, const char *line)
{
	struct fc_uf_header *header = reading->header;
	const char *value;

	if ((value = value_of(line, "exename:")))
		replace(&header->exe, value);
	else if ((value = value_of(line, "cmdline:")))
		replace(&header->command, value);
	else if ((value = value_of(line, "exit_status:")))
		take_status(header, value);
	else if ((value = value_of(line, "elapsed_time:")))
		header->elapsed_ns = seconds_to_ns(value);
	else if ((value = value_of(line, "record_date:")))
		header->ended_ns = date_to_ns(value);
	else if ((value = value_of(line, "osinfo:kernel=")))
		replace(&reading->kernel, value);
	else if ((value = value_of(line, "cpuinfo:desc=")))
		replace(&reading->cpu, value);
}

static void read_lines(struct fc_uf_header *header, int fd)
{
	struct reading reading = { .header = header };
	struct fc_text lines;

	reading.kernel = fc_strdup("unknown");
	reading.cpu = fc_strdup("");
	fc_text_init(&lines, fd);
	for (const char *line = fc_text_next(&lines); line; line = fc_text_next(&lines))
		read_line(&reading, line);
	fc_text_deinit(&lines);
	header->machine =
		fc_asprintf("%s%s%s", reading.kernel, *reading.cpu ? ", " : "", reading.cpu);
	free(reading.kernel);
	free(reading.cpu);
}

int fc_uf_header_read(const struct fc_folder *folder, struct fc_uf_header *ret)
{
	fc_auto_close int fd = -1;
	uint64_t size;
	int err = fc_folder_file(folder, "info", &fd, &size);

	if (err == -ENOENT)
		return fc_fail(ENOENT,
			       "%s is not a folder that uftrace recorded into: it has no "
			       "file info",
			       folder->path);
	if (err)
		return err;
	unsigned char head[HEAD_BYTES] = { 0 };
	err = check_head(folder, head, read(fd, head, sizeof(head)));
	if (err)
		return err;
	*ret = (struct fc_uf_header){ .features = number(head + 16, 8) };
	ret->exe = fc_strdup("");
	ret->command = fc_strdup("");
	read_lines(ret, fd);
	return 0;
}

void fc_uf_header_deinit(struct fc_uf_header *header)
{
	free(header->exe);
	free(header->command);
	free(header->machine);
}
