/* SPDX-License-Identifier: Apache-2.0 */
/*
 * file.h - a trace file being written: packets behind each other, and their index.
 *
 * Written from front to back without seeking, so a pipe will do. The first error is kept:
 * the packet that did not fit is cut off again and nothing more is written.
 */
#ifndef FC_TRACE_FILE_H
#define FC_TRACE_FILE_H

#include "trace/clock.h"
#include "trace/index.h"

struct fc_file;

/*
 * Create path and write the file's head. An earlier regular file there becomes path.old, and
 * what was path.old before is removed when there are events to be written, or at the end;
 * anything else (a pipe, a device, a symbolic link) is written to as it is, if nobody else can have
 * put it there (base/place.h).
 * -errno with a sentence.
 */
int fc_file_create(const char *path, struct fc_file **ret);

/* events: the head of an events packet, whose payload is written as it is; else NULL. */
int fc_file_append(struct fc_file *file, enum fc_packet_kind kind,
		   const struct fc_bytes *payload, const struct fc_events_head *events);

/* The sequence number of the packet that is appended next. */
uint32_t fc_file_next_seq(const struct fc_file *file);

/* Bytes up to now. */
uint64_t fc_file_size(const struct fc_file *file);

/* 0, or the first error, with its sentence. Safe to ask from any thread. */
int fc_file_error(const struct fc_file *file);

/* Write the end packet and its trailer unless there was an error, and close. The first
 * error. */
int fc_file_close(struct fc_file *file, int wait_status, const struct fc_clock *clock);

/* Close it and undo fc_file_create(): path is what it was before. Never fails. */
void fc_file_discard(struct fc_file *file);

#endif
