/* SPDX-License-Identifier: Apache-2.0 */
/* eventformat.c - fields of an event, found in its format file by libtraceevent. */
#include "capture/kernel/eventformat.h"

#include <errno.h>
#include <string.h>

#include <event-parse.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "capture/kernel/tracefile.h"

static int find_fields(struct tep_event *event, struct fc_event_field *fields, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		const char *name = fields[i].name;
		if (!name)
			continue;
		struct tep_format_field *field = tep_find_common_field(event, name);
		field = field ? field : tep_find_field(event, name);
		if (!field)
			return fc_fail(ENODEV, "event %s:%s of this kernel has no field %s",
				       event->system, event->name, name);
		fields[i].off = (size_t)field->offset;
		fields[i].size = (size_t)field->size;
	}
	return 0;
}

int fc_event_format_find(const char *folder, const char *system, const char *event,
			 struct fc_event_field *fields, size_t nr, int *number)
{
	size_t size;
	fc_auto_free char *file = fc_asprintf("events/%s/%s/format", system, event);
	fc_auto_free char *text = fc_tracefile_read(folder, file, &size);
	if (!text)
		return fc_fail(ENODEV, "this kernel has no event %s:%s", system, event);
	struct tep_handle *tep = tep_alloc();
	if (!tep)
		return fc_fail(ENOMEM, "out of memory");
	tep_set_loglevel(TEP_LOG_NONE);
	tep_parse_event(tep, text, size, system);
	struct tep_event *found = tep_find_event_by_name(tep, system, event);
	int err =
		found ? find_fields(found, fields, nr)
		      : fc_fail(ENODEV, "cannot read the format of event %s:%s", system, event);
	if (!err)
		*number = found->id;
	tep_free(tep);
	return err;
}

uint64_t fc_event_field_read(const struct fc_event_field *field, const void *event, size_t size,
			     size_t item)
{
	enum { WORD = 8 };
	uint64_t ret = 0;
	size_t off = field->off + item * WORD, nr = field->size < WORD ? field->size : WORD;
	if (item * WORD + nr > field->size || off + nr > size)
		return 0;
	memcpy(&ret, (const char *)event + off, nr);
	return ret;
}

/* Documentation/trace/events.rst: from the event's begin, and its bytes with the last zero << 16. */
const char *fc_event_field_text(const struct fc_event_field *field, const void *event,
				size_t size, size_t *length)
{
	uint64_t word = fc_event_field_read(field, event, size, 0);
	size_t off = word & 0xffff, nr = word >> 16 & 0xffff;
	if (!nr || off > size || nr > size - off)
		return NULL;
	const char *text = (const char *)event + off;
	*length = strnlen(text, nr);
	return text;
}

const char *fc_event_field_chars(const struct fc_event_field *field, const void *event,
				 size_t size, size_t *length)
{
	if (field->off > size || field->size > size - field->off)
		return NULL;
	const char *text = (const char *)event + field->off;
	*length = strnlen(text, field->size);
	return text;
}
