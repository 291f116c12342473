/* SPDX-License-Identifier: Apache-2.0 */
/* findings.c - writes findings as rows, and checks those that a process in the jail has sent. */
#include "dwarf/findings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/fail.h"
#include "values/type.h"

enum {
	MAX_PIECE = 1 << 20, /* bytes */
	MAX_OFF = 1 << 30,
	MAX_LATE = 1 << 20, /* bytes of code */
};

void fc_found_put(struct fc_found_bytes *found, const void *at, size_t size)
{
	if (!size)
		return;
	fc_vec_reserve(&found->bytes, size);
	memcpy(found->bytes.at + found->bytes.nr, at, size);
	found->bytes.nr += size;
}

struct fc_found_place fc_found_place(const struct fc_location *location)
{
	struct fc_found_place ret = { .nr = location->nr,
				      .is_address = location->is_address,
				      .is_absent = location->is_absent,
				      .is_weak = location->is_weak,
				      .is_unsure = location->is_unsure,
				      .late = location->late };

	memcpy(ret.piece, location->piece, sizeof(ret.piece));
	return ret;
}

/* Its number, its name and its folder, both with a zero. */
void fc_found_put_split(struct fc_found_bytes *found, const struct fc_found_split *split)
{
	fc_found_put(found, &split->id, sizeof(split->id));
	fc_found_put(found, split->name, strlen(split->name) + 1);
	fc_found_put(found, split->dir, strlen(split->dir) + 1);
}

/* NULL: it has no end, or is too long for a path. */
static const char *take_text(const uint8_t **at, const uint8_t *end)
{
	const char *text = (const char *)*at;
	const uint8_t *nul = *at < end ? memchr(*at, 0, (size_t)(end - *at)) : NULL;

	if (!nul || nul - *at >= FC_FOUND_PATH)
		return NULL;
	*at = nul + 1;
	return text;
}

bool fc_findings_next_split(const struct fc_findings *findings, const uint8_t **at,
			    struct fc_found_split *ret)
{
	const uint8_t *end = findings->splits_end;

	if ((size_t)(end - *at) < sizeof(ret->id))
		return false;
	memcpy(&ret->id, *at, sizeof(ret->id));
	*at += sizeof(ret->id);
	ret->name = take_text(at, end);
	ret->dir = ret->name && *ret->name ? take_text(at, end) : NULL;
	return ret->dir;
}

static int refuse(const char *why)
{
	return fc_fail(EBADMSG, "what was found of functions is damaged: %s", why);
}

static bool is_sound_piece(const struct fc_piece *piece, const struct fc_call_frame *frame)
{
	if (piece->size > MAX_PIECE)
		return false;
	switch (piece->kind) {
	case FC_PIECE_INT:
		return piece->reg < frame->nr_ints && piece->reg != frame->sp;
	case FC_PIECE_VECTOR:
		return piece->reg >= frame->first_vector &&
		       piece->reg - frame->first_vector < frame->nr_vectors;
	case FC_PIECE_STACK:
		return piece->off >= frame->cfa_off && piece->off <= MAX_OFF;
	default:
		return false;
	}
}

static bool is_sound_place(const struct fc_found_place *place,
			   const struct fc_call_frame *frame)
{
	if (place->nr > FC_MAX_PIECES || place->is_address > 1 || place->is_absent > 1 ||
	    place->is_weak > 1 || place->is_unsure > 1 || place->late > MAX_LATE ||
	    (place->is_absent && (place->nr || place->is_unsure)))
		return false;
	for (uint8_t i = 0; i < place->nr; i++)
		if (!is_sound_piece(&place->piece[i], frame))
			return false;
	return true;
}

static bool is_sound_function(const struct fc_found_function *function,
			      const struct fc_types *types, uint32_t nr_places)
{
	if (!function->func)
		return !function->nr;
	struct fc_type proto = fc_type_of_func(types, function->func);
	return proto.id && proto.nr <= FC_MAX_PARAMS &&
	       (!function->nr || function->nr == proto.nr) && function->nr <= nr_places &&
	       function->first <= nr_places - function->nr;
}

static bool are_sound_splits(const struct fc_findings *findings)
{
	const uint8_t *at = findings->splits;
	struct fc_found_split split;

	while (at < findings->splits_end)
		if (!fc_findings_next_split(findings, &at, &split))
			return false;
	return true;
}

static int check_all(const struct fc_findings *findings, const struct fc_found_head *head,
		     const struct fc_call_frame *frame)
{
	for (uint32_t i = 0; i < head->nr_places; i++)
		if (!is_sound_place(&findings->places[i], frame))
			return refuse("a place is none");
	for (uint32_t i = 0; i < head->nr_functions; i++)
		if (!is_sound_function(&findings->functions[i], findings->types,
				       head->nr_places))
			return refuse("a function is none");
	return are_sound_splits(findings) ? 0 : refuse("a split unit is none");
}

int fc_findings_load(const uint8_t *bytes, size_t size, size_t nr,
		     const struct fc_call_frame *frame, struct fc_findings *ret)
{
	struct fc_found_head head;

	if (size < sizeof(head))
		return refuse("it has no head");
	memcpy(&head, bytes, sizeof(head));
	uint64_t functions = sizeof(head) + (uint64_t)nr * sizeof(struct fc_found_function);
	uint64_t places = functions + (uint64_t)head.nr_places * sizeof(struct fc_found_place);
	if (head.nr_functions != nr || head.wrong >= FC_DWARF_NR_WRONG ||
	    places + head.types_size + head.splits_size != size)
		return refuse("its parts are not where it says");
	*ret = (struct fc_findings){ .wrong = head.wrong,
				     .functions = (const void *)(bytes + sizeof(head)),
				     .places = (const void *)(bytes + functions) };
	ret->splits = bytes + places + head.types_size;
	ret->splits_end = bytes + size;
	int err = fc_types_load(bytes + places, head.types_size, &ret->types);
	if (!err)
		err = check_all(ret, &head, frame);
	if (err) {
		fc_types_destroy(ret->types);
		ret->types = NULL;
	}
	return err;
}

/* What has one place lies there as a whole; what has too little or none is not there. */
static void set_sizes(const struct fc_types *types, uint32_t type, struct fc_location *location)
{
	enum { WORD = 8, VECTOR = 64 };
	struct fc_piece *piece = &location->piece[0];
	uint64_t size = location->is_address ? WORD : fc_types_size(types, type);
	uint64_t most = piece->kind == FC_PIECE_STACK	 ? MAX_PIECE
			: piece->kind == FC_PIECE_VECTOR ? VECTOR
							 : WORD;
	uint64_t told = 0;

	if (location->nr == 1 && !piece->size && size <= most)
		piece->size = (uint32_t)size;
	for (uint8_t i = 0; i < location->nr; i++)
		told += location->piece[i].size;
	if (location->nr && told < size)
		*location = (struct fc_location){ .is_absent = !location->is_unsure,
						  .is_unsure = location->is_unsure };
}

void fc_findings_get(const struct fc_findings *findings, size_t i, struct fc_signature *ret)
{
	const struct fc_found_function *function = &findings->functions[i];

	struct fc_type proto = fc_type_of_func(findings->types, function->func);

	*ret = (struct fc_signature){ .func = function->func, .nr = function->nr };
	for (uint32_t n = 0; n < function->nr; n++) {
		const struct fc_found_place *place = &findings->places[function->first + n];
		struct fc_location *location = &ret->param[n];
		location->nr = place->nr;
		location->is_address = place->is_address;
		location->is_absent = place->is_absent;
		location->is_weak = place->is_weak;
		location->is_unsure = place->is_unsure;
		location->late = place->late;
		memcpy(location->piece, place->piece, sizeof(location->piece));
		set_sizes(findings->types, fc_type_param(&proto, n).type, location);
	}
}
