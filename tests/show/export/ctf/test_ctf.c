/* SPDX-License-Identifier: Apache-2.0 */
/* Streams of CTF: packets whose times can be told, files that threads hand on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fail.h"
#include "show/export/ctf/ctf_streams.h"

static char dir[64], path[96];

static int dir_make(void **state)
{
	snprintf(dir, sizeof(dir), "/tmp/fctrace-test-XXXXXX");
	if (!mkdtemp(dir))
		return -1;
	snprintf(path, sizeof(path), "%s/t.ctf", dir);
	return 0;
}

static int dir_remove(void **state)
{
	char command[96];

	snprintf(command, sizeof(command), "rm -rf %s", dir);
	return system(command);
}

struct made {
	struct fc_ctf_folder folder;
	struct fc_ctf_streams streams;
};

static void begin(struct made *made)
{
	assert_int_equal(fc_ctf_folder_open(&made->folder, path), 0);
	fc_ctf_streams_init(&made->streams, &made->folder);
}

static void end(struct made *made)
{
	fc_ctf_streams_flush(&made->streams);
	assert_int_equal(fc_ctf_folder_finish(&made->folder), 0);
	fc_ctf_streams_deinit(&made->streams);
	fc_ctf_folder_close(&made->folder);
}

static void put(struct made *made, uint32_t strand, uint64_t ns)
{
	struct fc_ctf_stream *stream =
		fc_ctf_stream_of(&made->streams, strand, 1, (int)strand, ns);
	char *at = fc_ctf_event_room(&made->streams, stream, &ns, 8);

	memcpy(at, &ns, 8); /* the whole time, for who looks below */
	stream->len += 8;
}

struct packet {
	uint64_t begin_ns, end_ns, bytes, first_ns, strand;
};

/* The packets of a file, which must be whole. */
static size_t packets_of(uint32_t file, struct packet *ret, size_t most)
{
	char name[128];
	uint64_t head[FC_CTF_HEAD / 8 + 1];
	size_t nr = 0;

	snprintf(name, sizeof(name), "%s/calls-%u", path, file);
	FILE *in = fopen(name, "r");
	assert_non_null(in);
	for (; nr < most && fread(head, sizeof(head), 1, in); nr++) {
		assert_int_equal(le32toh((uint32_t)head[0]), 0xc1fc1fc1u);
		ret[nr] = (struct packet){ le64toh(head[1]), le64toh(head[2]),
					   le64toh(head[4]) / 8, head[9], le64toh(head[8]) };
		assert_int_equal(le64toh(head[3]), le64toh(head[4]));
		assert_int_equal(le64toh(head[5]), nr);
		assert_int_equal(
			fseek(in, (long)(ret[nr].bytes - sizeof(head)), SEEK_CUR), 0);
	}
	fclose(in);
	return nr;
}

static unsigned nr_files(void)
{
	DIR *all = opendir(path);
	const struct dirent *entry;
	unsigned nr = 0;

	while ((entry = readdir(all)))
		nr += entry->d_name[0] != '.';
	closedir(all);
	return nr;
}

/* Low bits tell a time only if they have not gone round since the event before. */
static void a_long_silence_begins_a_packet(void **state)
{
	struct made made;
	struct packet packets[8];
	const uint64_t round = 1ull << FC_CTF_TIME_BITS;

	begin(&made);
	put(&made, 1, 1000);
	put(&made, 1, 1000 + round - 1);
	put(&made, 1, 1000 + 2 * round - 1);
	put(&made, 1, 1000 + 2 * round);
	end(&made);
	assert_int_equal(packets_of(1, packets, 8), 2);
	assert_int_equal(packets[0].begin_ns, 1000);
	assert_int_equal(packets[0].end_ns, 1000 + round - 1);
	assert_int_equal(packets[1].begin_ns, 1000 + 2 * round - 1);
	assert_int_equal(packets[1].end_ns, 1000 + 2 * round);
}

static void time_goes_forward_only(void **state)
{
	struct made made;
	struct packet packets[8];

	begin(&made);
	put(&made, 1, 5000);
	put(&made, 1, 4000);
	end(&made);
	assert_int_equal(packets_of(1, packets, 8), 1);
	assert_int_equal(packets[0].begin_ns, 5000);
	assert_int_equal(packets[0].end_ns, 5000);
}

/* A forged time plus the date of a session must stay a time. */
static void times_stay_those_of_a_date(void **state)
{
	struct made made;
	struct packet packets[8];

	begin(&made);
	put(&made, 1, UINT64_MAX);
	end(&made);
	assert_int_equal(packets_of(1, packets, 8), 1);
	assert_int_equal(packets[0].end_ns, FC_CTF_TIME_MAX);
}

/* A file is handed on when a thread has ended, but not back in time. */
static void threads_that_ended_leave_their_file(void **state)
{
	struct made made;
	struct packet packets[8];

	begin(&made);
	put(&made, 1, 100);
	put(&made, 2, 200);
	fc_ctf_streams_end(&made.streams, 1, 2);
	put(&made, 3, 150);
	put(&made, 4, 300);
	fc_ctf_streams_end(&made.streams, 1, 0);
	put(&made, 5, 400);
	end(&made);
	assert_int_equal(nr_files(), 3);
	assert_int_equal(packets_of(1, packets, 8) + packets_of(3, packets, 8), 3);
	assert_int_equal(packets_of(2, packets, 8), 2);
	assert_int_equal(packets[0].strand, 2);
	assert_int_equal(packets[1].strand, 4);
}

/* Each packet begins with its first event's time, and no packet is larger than it may be. */
static void many_events_make_packets_in_order(void **state)
{
	struct made made;
	struct packet packets[64];
	const uint64_t nr = 100000;
	uint64_t bytes = 0;

	begin(&made);
	for (uint64_t i = 0; i < nr; i++)
		put(&made, 1, 10 * i);
	end(&made);
	size_t nr_packets = packets_of(1, packets, 64);
	assert_in_range(nr_packets, 2, 63);
	for (size_t i = 0; i < nr_packets; i++) {
		assert_int_equal(packets[i].begin_ns, packets[i].first_ns);
		assert_true(!i || packets[i - 1].end_ns < packets[i].begin_ns);
		assert_true(packets[i].bytes <= 256 * 1024);
		bytes += packets[i].bytes - FC_CTF_HEAD;
	}
	assert_int_equal(bytes, 8 * nr);
}

static unsigned nr_open_files(void)
{
	DIR *all = opendir("/proc/self/fd");
	unsigned nr = 0;

	while (readdir(all))
		nr++;
	closedir(all);
	return nr;
}

static void few_of_many_files_are_open(void **state)
{
	struct made made;
	struct packet packets[8];
	unsigned before = nr_open_files();

	begin(&made);
	for (unsigned round = 0; round < 2000; round++)
		for (uint32_t strand = 1; strand <= 300; strand++)
			put(&made, strand, round);
	fc_ctf_streams_flush(&made.streams);
	assert_true(nr_open_files() <= before + 1 + FC_CTF_OPEN_FILES);
	end(&made);
	assert_int_equal(nr_open_files(), before);
	assert_int_equal(nr_files(), 300);
	assert_int_equal(packets_of(300, packets, 8), 1);
	assert_int_equal(packets[0].bytes, FC_CTF_HEAD + 8 * 2000);
}

static void a_folder_that_holds_something_stays(void **state)
{
	struct made made;
	struct fc_ctf_folder folder;

	begin(&made);
	put(&made, 1, 1);
	end(&made);
	assert_int_equal(fc_ctf_folder_open(&folder, path), -ENOTEMPTY);
	assert_non_null(strstr(fc_fail_text(), path));
	fc_ctf_folder_close(&folder);
	assert_int_equal(nr_files(), 1);
}

static void a_folder_that_nothing_came_into_goes(void **state)
{
	struct fc_ctf_folder folder;

	assert_int_equal(fc_ctf_folder_open(&folder, path), 0);
	fc_ctf_folder_close(&folder);
	assert_int_equal(access(path, F_OK), -1);
	assert_int_equal(mkdir(path, 0777), 0);
	assert_int_equal(fc_ctf_folder_open(&folder, path), 0);
	fc_ctf_folder_close(&folder);
	assert_int_equal(access(path, F_OK), 0);
}

#define test(f) cmocka_unit_test_setup_teardown(f, dir_make, dir_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(a_long_silence_begins_a_packet),
		test(time_goes_forward_only),
		test(times_stay_those_of_a_date),
		test(threads_that_ended_leave_their_file),
		test(many_events_make_packets_in_order),
		test(few_of_many_files_are_open),
		test(a_folder_that_holds_something_stays),
		test(a_folder_that_nothing_came_into_goes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
