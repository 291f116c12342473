/* SPDX-License-Identifier: Apache-2.0 */
/* postscript.c - appends a packet of names, and an end whose index has it. */
#include "trace/postscript.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/foreign.h"
#include "base/guard.h"
#include "base/memory.h"
#include "base/place.h"
#include "trace/checksum.h"
#include "trace/index.h"
#include "trace/rotation.h"

#define ONLY_OWNER 0600 /* as all traces */

/* A trace as it is, and where in it the names go. */
struct original {
	const char *path;
	const uint8_t *image;
	size_t size;
	struct stat st;
	uint64_t end_off; /* of its END packet; 0: it has none */
	uint64_t at;	  /* behind its trailer, or behind its last whole packet */
	uint32_t nr;	  /* packets before `at`, as far as is known */
};

/* ---- where they go ---- */

static bool has_trailer(const struct original *original, const struct fc_packet *packet)
{
	uint64_t end = fc_packet_end(packet);
	return packet->kind == FC_PACKET_END && original->size - end >= FC_FILE_TRAILER &&
	       fc_file_trailer_get(original->image, end + FC_FILE_TRAILER) == packet->off;
}

static bool find_by_trailer(struct original *original)
{
	struct fc_packet packet;
	uint64_t off = fc_file_trailer_get(original->image, original->size);
	if (!off || fc_packet_at(original->image, original->size, off, &packet) ||
	    packet.kind != FC_PACKET_END ||
	    fc_packet_end(&packet) + FC_FILE_TRAILER != original->size)
		return false;
	original->end_off = off;
	original->at = original->size;
	original->nr = packet.seq + 1;
	return true;
}

/* Behind the last end there may be a piece of a postscript that was not finished. */
static void find_by_scan(struct original *original)
{
	uint64_t off = FC_FILE_HEAD, whole = off;
	uint32_t nr = 0;
	while (off < original->size) {
		struct fc_packet packet;
		if (fc_packet_at(original->image, original->size, off, &packet)) {
			off = fc_packet_search(original->image, original->size, off + 1);
			continue;
		}
		nr = packet.seq + 1;
		off = whole = fc_packet_end(&packet);
		if (!has_trailer(original, &packet))
			continue;
		off = whole += FC_FILE_TRAILER;
		original->end_off = packet.off;
		original->at = whole;
		original->nr = nr;
	}
	if (original->end_off)
		return;
	original->at = whole;
	original->nr = nr;
}

/* ---- what is added ---- */

struct addition {
	struct fc_bytes bytes;
	uint64_t off; /* where they go */
	uint32_t seq; /* of the next packet */
};

static void put_packet(struct addition *to, enum fc_packet_kind kind,
		       const struct fc_bytes *payload)
{
	fc_auto_bytes struct fc_bytes stored = { 0 };
	ZSTD_CCtx *zstd = ZSTD_createCCtx();
	size_t nr = fc_deflate(zstd, payload->at, payload->nr, &stored);
	ZSTD_freeCCtx(zstd);
	const struct fc_packet packet = {
		.kind = (uint8_t)kind,
		.flags = nr < payload->nr ? FC_PACKET_ZSTD : 0,
		.seq = to->seq++,
		.raw_len = (uint32_t)payload->nr,
		.stored_len = (uint32_t)nr,
	};
	uint8_t head[FC_PACKET_HEAD];
	fc_packet_head_put(head, &packet, fc_checksum(stored.at, nr));
	fc_bytes_copy(&to->bytes, head, sizeof(head));
	fc_bytes_copy(&to->bytes, stored.at, nr);
}

static void put_names(struct addition *to, const struct fc_told_name *names, size_t nr)
{
	fc_auto_bytes struct fc_bytes payload = { 0 };
	for (size_t i = 0; i < nr; i++) {
		fc_bytes_varint(&payload, names[i].id);
		fc_bytes_string(&payload, names[i].name);
	}
	put_packet(to, FC_PACKET_NAMES, &payload);
}

/* The end as it was told, and the rows of its index. */
struct end {
	int64_t wait_status;
	uint64_t numbers[5]; /* the clock's pair, records, calls, records lost */
	uint64_t nr_packets;
	const uint8_t *rows;
	size_t size;
	uint64_t last_off; /* of the last row; 0: there are none, or they are not sound */
};

static bool read_end(struct fc_slice slice, struct end *ret)
{
	*ret = (struct end){ .wait_status = fc_slice_signed(&slice) };
	for (size_t i = 0; i < sizeof(ret->numbers) / sizeof(ret->numbers[0]); i++)
		ret->numbers[i] = fc_slice_varint(&slice);
	ret->nr_packets = fc_slice_varint(&slice);
	ret->rows = slice.at;
	bool is_sound = !slice.is_bad;
	for (uint64_t i = 0; is_sound && i < ret->nr_packets; i++) {
		struct fc_events_head head;
		uint8_t kind;
		is_sound = !fc_index_row_get(&slice, &kind, &ret->last_off) &&
			   (kind != FC_PACKET_EVENTS || !fc_events_head_get(&slice, &head));
	}
	ret->size = (size_t)(slice.at - ret->rows);
	return is_sound;
}

/* Without rows a reader looks at all packets, as it did before. */
static void put_rows(struct fc_bytes *payload, const struct original *original,
		     const struct end *end)
{
	if (!end->nr_packets) {
		fc_bytes_varint(payload, 0);
		return;
	}
	struct fc_index_entry own = { .kind = FC_PACKET_END, .off = original->end_off };
	struct fc_index_entry names = { .kind = FC_PACKET_NAMES, .off = original->at };
	fc_bytes_varint(payload, end->nr_packets + 2);
	fc_bytes_copy(payload, end->rows, end->size);
	fc_index_entry_put(payload, &own, end->last_off);
	fc_index_entry_put(payload, &names, own.off);
}

static int put_end(struct addition *to, const struct original *original)
{
	struct fc_packet packet;
	struct end end;
	fc_auto_bytes struct fc_bytes old = { 0 }, payload = { 0 };
	int err = fc_packet_at(original->image, original->size, original->end_off, &packet);
	if (!err && packet.flags & FC_PACKET_ZSTD) {
		ZSTD_DCtx *zstd = ZSTD_createDCtx();
		err = fc_inflate(zstd, packet.stored, packet.stored_len, packet.raw_len, &old);
		ZSTD_freeDCtx(zstd);
	} else if (!err) {
		fc_bytes_copy(&old, packet.stored, packet.stored_len);
	}
	if (err || !read_end(fc_slice_of(old.at, old.nr), &end))
		return fc_fail(EBADMSG, "%s has an end that is damaged: it is given no names",
			       original->path);

	fc_bytes_signed(&payload, end.wait_status);
	for (size_t i = 0; i < sizeof(end.numbers) / sizeof(end.numbers[0]); i++)
		fc_bytes_varint(&payload, end.numbers[i]);
	put_rows(&payload, original, &end);
	uint8_t trailer[FC_FILE_TRAILER];
	fc_file_trailer_put(trailer, to->off + to->bytes.nr);
	put_packet(to, FC_PACKET_END, &payload);
	fc_bytes_copy(&to->bytes, trailer, sizeof(trailer));
	return 0;
}

static int make_addition(const struct original *original, const struct fc_told_name *names,
			 size_t nr, struct addition *ret)
{
	*ret = (struct addition){ .off = original->at, .seq = original->nr };
	put_names(ret, names, nr);
	return original->end_off ? put_end(ret, original) : 0;
}

/* ---- files ---- */

static int cannot_write(int err, const char *path)
{
	return fc_fail(err, "cannot write names into the trace %s: %s", path, strerror(err));
}

static int write_at(int fd, const uint8_t *bytes, size_t nr, uint64_t off)
{
	while (nr) {
		ssize_t n = pwrite(fd, bytes, nr, (off_t)off);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? -errno : -ENOSPC;
		bytes += n;
		nr -= (size_t)n;
		off += (uint64_t)n;
	}
	return 0;
}

/* fd stays the caller's. */
static int open_original(struct original *original, int fd, const char *path)
{
	*original = (struct original){ .path = path };
	if (fstat(fd, &original->st))
		return cannot_write(errno, path);
	if (!S_ISREG(original->st.st_mode))
		return fc_fail(EINVAL, "%s is no trace file", path);
	original->size = (size_t)original->st.st_size;
	original->image = fc_guard_map(fd, original->size);
	if (!original->image)
		return fc_fail(errno, "cannot map the trace %s: %s", path, strerror(errno));
	int err = fc_file_head_check(original->image, original->size, path);
	if (!err && !find_by_trailer(original))
		find_by_scan(original);
	return err;
}

static void close_original(struct original *original)
{
	if (original->image)
		fc_guard_unmap((void *)original->image, original->size);
}

/* What was not written whole is cut off again. */
static int append(const struct original *original, int fd, const struct addition *addition)
{
	if (fc_guard_is_torn(original->image))
		return fc_fail(EBADMSG, "%s became shorter while it was read", original->path);
	int err = write_at(fd, addition->bytes.at, addition->bytes.nr, addition->off);
	uint64_t end = err ? original->at : addition->off + addition->bytes.nr;
	if (ftruncate(fd, (off_t)end) && !err)
		err = -errno;
	return err ? cannot_write(-err, original->path) : 0;
}

static int add(struct original *original, int fd, const struct fc_told_name *names, size_t nr)
{
	if (!original->end_off)
		return fc_fail(ENODATA,
			       "%s has no end: fctrace may still be recording it; -o NEW "
			       "writes the names into another file",
			       original->path);
	struct addition addition;
	int err = make_addition(original, names, nr, &addition);
	if (!err)
		err = append(original, fd, &addition);
	fc_bytes_free(&addition.bytes);
	return err;
}

static int open_to_add(const char *path)
{
	struct fc_place place;
	fc_fail_clear();
	int fd = fc_place_find(path, &place);
	if (!fd)
		fd = fc_place_open(&place, O_RDWR, 0);
	fc_place_deinit(&place);
	return fd < 0 ? fc_fail_while(fd, "cannot write names into the trace %s", path) : fd;
}

int fc_postscript_add(const char *path, const struct fc_told_name *names, size_t nr)
{
	struct original original;
	fc_auto_close int fd = open_to_add(path);
	if (fd < 0)
		return fd;
	if (flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
		return fc_fail(EBUSY, "%s is just being given names by another fctrace", path);
	int err = open_original(&original, fd, path);
	if (!err)
		err = add(&original, fd, names, nr);
	close_original(&original);
	return err;
}

/* ---- a copy ---- */

/* By the file system, if it can share the bytes. */
static int copy_bytes(const struct original *original, int from, int to, uint64_t nr)
{
	loff_t in = 0, out = 0;
	while ((uint64_t)out < nr) {
		ssize_t n = copy_file_range(from, &in, to, &out, nr - (uint64_t)out, 0);
		if (n <= 0)
			break;
	}
	return write_at(to, original->image + out, nr - (uint64_t)out, (uint64_t)out);
}

/* A piece of a packet at the end stays at the end, where readers expect it. */
static int fill_copy(const struct original *original, int from, int to, const char *name,
		     const struct addition *addition)
{
	uint64_t tail = original->end_off ? original->size : original->at;
	int err = copy_bytes(original, from, to, original->at);
	if (!err)
		err = write_at(to, addition->bytes.at, addition->bytes.nr, addition->off);
	if (!err)
		err = write_at(to, original->image + tail, original->size - tail,
			       addition->off + addition->bytes.nr);
	if (!err && fc_guard_is_torn(original->image))
		return fc_fail(EBADMSG, "%s became shorter while it was read", original->path);
	if (!err && fsync(to) && errno != EINVAL)
		err = -errno;
	return err ? fc_fail(-err, "cannot write %s: %s", name, strerror(-err)) : 0;
}

static int create_copy(const struct original *original, int from, const struct fc_place *place,
		       const char *name, const struct addition *addition)
{
	struct fc_rotation rotation;
	struct stat st;
	int err = fc_place_stat(place, &st);
	if (!err && !S_ISREG(st.st_mode))
		return fc_fail(EINVAL, "%s is not a regular file", name);
	err = fc_rotation_begin(&rotation, place, name);
	if (err)
		return err;
	fc_auto_close int to = fc_place_open(place, O_RDWR | O_CREAT | O_EXCL, ONLY_OWNER);
	err = to < 0 ? fc_fail_while(to, "cannot create %s", name)
		     : fill_copy(original, from, to, name, addition);
	if (!err)
		fc_rotation_keep(&rotation);
	else if (to >= 0 || rotation.has_earlier)
		fc_rotation_undo(&rotation);
	fc_rotation_deinit(&rotation);
	return err;
}

int fc_postscript_copy(const char *path, const char *to, const struct fc_told_name *names,
		       size_t nr)
{
	struct original original = { 0 };
	struct addition addition = { 0 };
	struct fc_place place;
	struct stat st;
	fc_auto_close int fd = fc_foreign_open(AT_FDCWD, path, &st);
	if (fd < 0)
		return fc_fail(-fd, "cannot open the trace %s: %s", path, fc_foreign_why(fd));
	int err = open_original(&original, fd, path);
	if (!err)
		err = make_addition(&original, names, nr, &addition);
	if (!err)
		err = fc_place_find(to, &place);
	if (!err) {
		err = create_copy(&original, fd, &place, to, &addition);
		fc_place_deinit(&place);
	}
	fc_bytes_free(&addition.bytes);
	close_original(&original);
	return err;
}
