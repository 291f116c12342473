/* SPDX-License-Identifier: Apache-2.0 */
/* numbered.c - a table with open addressing, at most half full; its room is a power of two. */
#include "base/numbered.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static int number_of(const void *record)
{
	int number;
	memcpy(&number, record, sizeof(number));
	return number;
}

static char *place_of(const struct fc_numbered *numbered, int number)
{
	for (size_t i = (uint32_t)number * 0x9e3779b1u;; i++) {
		char *at = numbered->at + (i & (numbered->room - 1)) * numbered->size;
		if (!number_of(at) || number_of(at) == number)
			return at;
	}
}

static void grow(struct fc_numbered *numbered)
{
	enum { FIRST = 64 };
	struct fc_numbered old = *numbered;
	numbered->room = old.room ? old.room * 2 : FIRST;
	numbered->at = fc_alloc(numbered->room * numbered->size);
	fc_numbered_each (&old, char, record)
		memcpy(place_of(numbered, number_of(record)), record, old.size);
	free(old.at);
}

void *fc_numbered_get(struct fc_numbered *numbered, int number)
{
	if (numbered->nr >= numbered->room / 2)
		grow(numbered);
	char *at = place_of(numbered, number);
	numbered->nr += !number_of(at);
	memcpy(at, &number, sizeof(number));
	return at;
}

void *fc_numbered_next(const struct fc_numbered *numbered, const void *record)
{
	size_t i =
		record ? (size_t)((const char *)record - numbered->at) / numbered->size + 1 : 0;
	for (; i < numbered->room; i++)
		if (number_of(numbered->at + i * numbered->size))
			return numbered->at + i * numbered->size;
	return NULL;
}

void fc_numbered_deinit(struct fc_numbered *numbered)
{
	free(numbered->at);
	*numbered = (struct fc_numbered){ .size = numbered->size };
}
