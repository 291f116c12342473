/* SPDX-License-Identifier: Apache-2.0 */
/* file.c - appends packets to a file, and writes the index at its end. */
#include "trace/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/place.h"
#include "trace/checksum.h"
#include "trace/rotation.h"

/*
 * The index is kept in memory up to this size: about 30000 packets, two thousand million
 * records. A longer trace is read back at its end, head by head, so that memory stays what
 * it is however long is recorded.
 */
#define INDEX_MAX (1u << 20)

/* Recorded values may be secret: only the owner may read a trace, and decides who else may. */
#define ONLY_OWNER 0600

struct fc_file {
	char *path;
	struct fc_place place;
	int fd;
	bool is_regular;
	bool is_new; /* it was not there, or what was there is path.old now */
	struct fc_rotation rotation;
	bool can_read;
	atomic_int err; /* 0 or the first -errno; text is set before it */
	char text[512];
	uint64_t off; /* all before it is whole packets */
	uint32_t nr_packets;
	uint64_t last_off;
	uint64_t records, calls, lost;
	struct fc_bytes index; /* entries of all packets so far, unless */
	bool is_index_dropped;
	struct fc_bytes stored;
	ZSTD_CCtx *zstd;
};

static int cannot_create(int err, const char *path)
{
	fc_auto_free char *why = fc_strdup(fc_fail_text());
	return fc_fail(-err, "cannot create the trace file %s: %s", path, why);
}

/* Open it for reading as well, if that is allowed: its begin is read back. */
static int open_there(const struct fc_place *place, const struct stat *st)
{
	int flags = O_CREAT | O_TRUNC;
	int fd = S_ISREG(st->st_mode) ? fc_place_open(place, O_RDWR | flags, ONLY_OWNER)
				      : -EACCES;
	return fd == -EACCES ? fc_place_open(place, O_WRONLY | flags, ONLY_OWNER) : fd;
}

/* Behind /dev/stdout, say, is what the user wants written, not renamed. */
static int open_new(const struct fc_place *place, const char *path, bool *ret_new,
		    struct fc_rotation *rotation)
{
	struct stat st = { 0 };
	int err = fc_place_stat(place, &st);
	if (err && err != -ENOENT)
		return cannot_create(err, path);
	bool is_new = *ret_new =
		!place->is_followed && !place->is_magic && (err || S_ISREG(st.st_mode));
	int ret = is_new ? fc_rotation_begin(rotation, place, path) : 0;
	if (ret)
		return ret;
	int fd = is_new ? fc_place_open(place, O_RDWR | O_CREAT | O_EXCL, ONLY_OWNER)
			: open_there(place, &st);
	if (fd >= 0)
		return fd;
	ret = cannot_create(fd, path);
	if (rotation->has_earlier)
		fc_rotation_undo(rotation);
	fc_rotation_deinit(rotation);
	return ret;
}

/* Keep the first error, and make the file end with its last whole packet. */
static int fail_at(struct fc_file *file, int err)
{
	bool is_whole = !file->is_regular || !ftruncate(file->fd, (off_t)file->off);
	snprintf(file->text, sizeof(file->text), "cannot write the trace file %s: %s%s%s",
		 file->path, strerror(err),
		 file->nr_packets ? "; it holds what was recorded before" : "",
		 is_whole ? "" : ", and a piece of a packet");
	atomic_store_explicit(&file->err, -err, memory_order_release);
	return fc_file_error(file);
}

int fc_file_error(const struct fc_file *file)
{
	int err = atomic_load_explicit(&file->err, memory_order_acquire);
	return err ? fc_fail(-err, "%s", file->text) : 0;
}

static int write_all(struct fc_file *file, struct iovec *iov, int nr)
{
	while (nr) {
		ssize_t n = writev(file->fd, iov, nr);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return fail_at(file, errno);
		while (nr && (size_t)n >= iov->iov_len) {
			n -= (ssize_t)iov->iov_len;
			iov++;
			nr--;
		}
		if (nr) {
			iov->iov_base = (char *)iov->iov_base + n;
			iov->iov_len -= (size_t)n;
		}
	}
	return 0;
}

static int write_head(struct fc_file *file)
{
	uint8_t head[FC_FILE_HEAD];
	fc_file_head_put(head);
	struct iovec iov = { head, sizeof(head) };
	int ret = write_all(file, &iov, 1);
	if (!ret)
		file->off = sizeof(head);
	return ret;
}

static void file_destroy(struct fc_file *file)
{
	fc_bytes_free(&file->index);
	fc_bytes_free(&file->stored);
	ZSTD_freeCCtx(file->zstd);
	fc_rotation_deinit(&file->rotation);
	fc_place_deinit(&file->place);
	free(file->path);
	free(file);
}

int fc_file_create(const char *path, struct fc_file **ret)
{
	bool is_new = false;
	struct fc_rotation rotation = { 0 };
	struct fc_place place;
	int err = fc_place_find(path, &place);
	if (err)
		return cannot_create(err, path);
	int fd = open_new(&place, path, &is_new, &rotation);
	if (fd < 0) {
		fc_place_deinit(&place);
		return fd;
	}

	struct stat st;
	struct fc_file *file = fc_alloc(sizeof(*file));
	file->path = fc_strdup(path);
	file->place = place;
	file->fd = fd;
	file->is_new = is_new;
	file->rotation = rotation;
	file->is_regular = !fstat(fd, &st) && S_ISREG(st.st_mode);
	file->can_read = file->is_regular && (fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDWR;
	file->zstd = ZSTD_createCCtx();
	ZSTD_CCtx_setParameter(file->zstd, ZSTD_c_compressionLevel, 1);

	err = write_head(file);
	if (err) {
		fc_file_discard(file);
		return err;
	}
	*ret = file;
	return 0;
}

/* The payload as it will be stored: itself, or deflated into file->stored. */
static struct fc_packet packet_of(struct fc_file *file, enum fc_packet_kind kind,
				  const struct fc_bytes *payload)
{
	struct fc_packet packet = {
		.kind = (uint8_t)kind,
		.seq = file->nr_packets,
		.raw_len = (uint32_t)payload->nr,
		.stored_len = (uint32_t)payload->nr,
		.off = file->off,
		.stored = payload->at,
	};
	if (kind == FC_PACKET_EVENTS) /* its columns are compressed each on its own */
		return packet;

	file->stored.nr = 0;
	size_t stored = fc_deflate(file->zstd, payload->at, payload->nr, &file->stored);
	if (stored < payload->nr) {
		packet.flags = FC_PACKET_ZSTD;
		packet.stored_len = (uint32_t)stored;
		packet.stored = file->stored.at;
	}
	return packet;
}

static int write_packet(struct fc_file *file, const struct fc_packet *packet,
			const void *trailer, size_t trailer_len)
{
	uint8_t head[FC_PACKET_HEAD];
	fc_packet_head_put(head, packet, fc_checksum(packet->stored, packet->stored_len));
	struct iovec iov[3] = {
		{ head, sizeof(head) },
		{ (void *)packet->stored, packet->stored_len },
		{ (void *)trailer, trailer_len },
	};
	int ret = write_all(file, iov, 3);
	if (ret)
		return ret;
	file->off = fc_packet_end(packet) + trailer_len;
	file->nr_packets++;
	return 0;
}

static void index_add(struct fc_file *file, const struct fc_index_entry *entry)
{
	if (file->is_index_dropped)
		return;
	fc_index_entry_put(&file->index, entry, file->last_off);
	file->last_off = entry->off;
	if (file->index.nr > INDEX_MAX) {
		fc_bytes_free(&file->index);
		file->is_index_dropped = true;
	}
}

uint64_t fc_file_size(const struct fc_file *file)
{
	return file->off;
}

uint32_t fc_file_next_seq(const struct fc_file *file)
{
	return file->nr_packets;
}

int fc_file_append(struct fc_file *file, enum fc_packet_kind kind,
		   const struct fc_bytes *payload, const struct fc_events_head *events)
{
	int ret = fc_file_error(file);
	if (ret)
		return ret;
	if (payload->nr > UINT32_MAX)
		return fail_at(file, EFBIG);

	struct fc_packet packet = packet_of(file, kind, payload);
	ret = write_packet(file, &packet, NULL, 0);
	if (ret)
		return ret;

	struct fc_index_entry entry = { .kind = packet.kind, .off = packet.off };
	if (events) {
		entry.events = *events;
		file->records += events->nr_records;
		file->calls += events->nr_calls;
		file->lost += events->lost;
		fc_rotation_keep(&file->rotation);
	}
	index_add(file, &entry);
	return 0;
}

/* ---- an index that is read back from the file ---- */

struct walk {
	uint64_t off, last_off; /* of the next packet, of the one before it */
	struct fc_bytes block;	/* of the index */
};

/* Add the entry of the packet at walk->off. */
static int walk_step(const struct fc_file *file, struct walk *walk)
{
	enum { EVENTS_HEAD_MAX = 12 * FC_VARINT_MAX };
	uint8_t bytes[FC_PACKET_HEAD + EVENTS_HEAD_MAX];
	ssize_t nr = pread(file->fd, bytes, sizeof(bytes), (off_t)walk->off);
	struct fc_packet packet;
	if (nr < FC_PACKET_HEAD || fc_packet_head_get(bytes, &packet))
		return -EBADMSG;
	struct fc_index_entry entry = { .kind = packet.kind, .off = walk->off };
	struct fc_slice slice = { bytes + FC_PACKET_HEAD, bytes + nr, false };
	if (packet.kind == FC_PACKET_EVENTS && fc_events_head_get(&slice, &entry.events))
		return -EBADMSG;
	fc_index_entry_put(&walk->block, &entry, walk->last_off);
	walk->last_off = walk->off;
	walk->off += FC_PACKET_HEAD + packet.stored_len;
	return 0;
}

/* The next part of the index in walk->block; 1, 0 behind its end, or -errno. */
static int walk_block(const struct fc_file *file, struct walk *walk)
{
	enum { BLOCK = 64 * 1024 };
	int ret = 0;
	walk->block.nr = 0;
	if (!walk->off)
		walk->off = FC_FILE_HEAD;
	while (!ret && walk->off < file->off && walk->block.nr < BLOCK)
		ret = walk_step(file, walk);
	if (ret)
		return fc_fail(-ret, "cannot read back the trace file %s: it was changed",
			       file->path);
	return walk->block.nr != 0;
}

/* The end packet's head, for front and the index behind it. */
static int measure_end(const struct fc_file *file, const struct fc_bytes *front,
		       uint8_t head[FC_PACKET_HEAD])
{
	struct walk walk = { 0 };
	uint64_t size = front->nr;
	uint32_t sum = fc_checksum(front->at, front->nr);
	int ret;
	while ((ret = walk_block(file, &walk)) == 1) {
		sum = fc_checksum_more(sum, walk.block.at, walk.block.nr);
		size += walk.block.nr;
	}
	fc_bytes_free(&walk.block);
	if (!ret && size > UINT32_MAX)
		ret = fc_fail(EFBIG, "cannot write the trace file %s: its index is too long",
			      file->path);
	struct fc_packet packet = {
		.kind = FC_PACKET_END,
		.seq = file->nr_packets,
		.raw_len = (uint32_t)size,
		.stored_len = (uint32_t)size,
	};
	fc_packet_head_put(head, &packet, sum);
	return ret;
}

static int write_bytes(struct fc_file *file, const void *bytes, size_t nr)
{
	struct iovec iov = { (void *)bytes, nr };
	return write_all(file, &iov, 1);
}

/* Two walks: lengths and checksums stand in front. */
static int write_long_end(struct fc_file *file, const struct fc_bytes *front)
{
	uint8_t head[FC_PACKET_HEAD], trailer[FC_FILE_TRAILER];
	int ret = measure_end(file, front, head);
	if (!ret)
		ret = write_bytes(file, head, sizeof(head));
	if (!ret)
		ret = write_bytes(file, front->at, front->nr);
	struct walk walk = { 0 };
	while (!ret && (ret = walk_block(file, &walk)) == 1)
		ret = write_bytes(file, walk.block.at, walk.block.nr);
	fc_bytes_free(&walk.block);
	fc_file_trailer_put(trailer, file->off);
	return ret ? ret : write_bytes(file, trailer, sizeof(trailer));
}

/* ---- the end ---- */

static int write_short_end(struct fc_file *file, struct fc_bytes *payload)
{
	fc_bytes_copy(payload, file->index.at, file->index.nr);
	struct fc_packet packet = packet_of(file, FC_PACKET_END, payload);
	uint8_t trailer[FC_FILE_TRAILER];
	fc_file_trailer_put(trailer, packet.off);
	return write_packet(file, &packet, trailer, sizeof(trailer));
}

static int write_end(struct fc_file *file, int wait_status, const struct fc_clock *clock)
{
	bool is_long = file->is_index_dropped && file->can_read;
	fc_auto_bytes struct fc_bytes payload = { 0 };
	fc_bytes_signed(&payload, wait_status);
	fc_bytes_varint(&payload, clock->tsc1);
	fc_bytes_varint(&payload, clock->mono1_ns);
	fc_bytes_varint(&payload, file->records);
	fc_bytes_varint(&payload, file->calls);
	fc_bytes_varint(&payload, file->lost);
	/* If the index was dropped (a pipe), the reader looks at all packets. */
	fc_bytes_varint(&payload, file->is_index_dropped && !is_long ? 0 : file->nr_packets);
	return is_long ? write_long_end(file, &payload) : write_short_end(file, &payload);
}

int fc_file_close(struct fc_file *file, int wait_status, const struct fc_clock *clock)
{
	fc_rotation_keep(&file->rotation);
	int ret = fc_file_error(file);
	if (!ret)
		ret = write_end(file, wait_status, clock);
	/* NFS tells of a full disk only here. */
	if (close(file->fd) && !ret)
		ret = fc_fail(errno, "cannot write the trace file %s: %s", file->path,
			      strerror(errno));
	file_destroy(file);
	return ret;
}

void fc_file_discard(struct fc_file *file)
{
	if (file->is_new)
		fc_rotation_undo(&file->rotation);
	close(file->fd);
	file_destroy(file);
}
