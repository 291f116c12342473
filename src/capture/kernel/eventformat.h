/* SPDX-License-Identifier: Apache-2.0 */
/* eventformat.h - where fields stand in an event of this kernel, as its format files say. */
#ifndef FC_CAPTURE_KERNEL_EVENTFORMAT_H
#define FC_CAPTURE_KERNEL_EVENTFORMAT_H

#include <stddef.h>
#include <stdint.h>

struct fc_event_field {
	const char *name; /* given; what follows is found. NULL: no field, of no bytes */
	size_t off, size;
};

/* In the folder of an instance: the event's number, and its fields. -errno with a sentence: it is not there, or lacks one. */
int fc_event_format_find(const char *folder, const char *system, const char *event,
			 struct fc_event_field *fields, size_t nr, int *number);

/* A number of an event that has size bytes; 0: it has no such. item: of an array of words. */
uint64_t fc_event_field_read(const struct fc_event_field *field, const void *event, size_t size,
			     size_t item);
/* A text of it (__data_loc): where that is in the event, and how long; NULL: it has none. */
const char *fc_event_field_text(const struct fc_event_field *field, const void *event,
				size_t size, size_t *length);
/* The same of a field of chars in it. */
const char *fc_event_field_chars(const struct fc_event_field *field, const void *event,
				 size_t size, size_t *length);

#endif
