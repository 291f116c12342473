/* SPDX-License-Identifier: Apache-2.0 */
/* pointees.c - plans which pointers are followed, and how far. */
#include "values/pointees.h"

#include <stdio.h>
#include <string.h>

#include "values/sequence.h"
#include "values/sockaddr.h"
#include "values/type.h"

enum {
	MOST_OF_STRUCT = 128,
	MOST_TEXTS = 8,	   /* of a list up to NULL */
	MOST_MEMBERS = 16, /* of a struct, or of an array: as many as are shown */
	DEEPEST = 4,	   /* structs in structs; the same */
	WORD = 8,
};

/* ---- what is fetched of one ---- */

/* The type itself; is it const, also by a name of it? */
static bool is_const(const struct fc_types *types, uint32_t id)
{
	struct fc_type at = fc_type_as_named(types, id);
	bool ret = false;
	for (int steps = 0; at.kind >= FC_TYPE_CONST && steps < 32; steps++) {
		ret |= at.kind == FC_TYPE_CONST;
		at = fc_type_as_named(types, at.of);
	}
	return ret;
}

bool fc_pointee_find(const struct fc_types *types, uint32_t id, struct fc_pointee *ret)
{
	struct fc_sequence sequence;
	struct fc_type pointer = fc_type_at(types, id);
	if (pointer.kind != FC_TYPE_POINTER)
		return false;
	uint32_t to = pointer.of;
	struct fc_type what = fc_type_at(types, to);
	*ret = (struct fc_pointee){ .type = what.id, .is_const = is_const(types, to) };
	ret->size = fc_types_size(types, ret->type);
	ret->is_char = fc_types_is_char(types, to) && !fc_types_is_reference(types, id);
	ret->is_compound = fc_type_is_compound(&what);
	ret->is_text = what.kind == FC_TYPE_POINTER && fc_types_is_char(types, what.of);
	ret->is_const_text = ret->is_text && is_const(types, what.of);
	ret->is_sequence = fc_sequence_find(types, ret->type, &sequence);
	return what.kind != FC_TYPE_PROTO;
}

static uint16_t at_most(uint64_t size, uint64_t most)
{
	return (uint16_t)(size < most ? size : most);
}

bool fc_pointee_make(struct fca_fetch *fetch, const struct fc_pointee *to,
		     const struct fc_fetch_opts *opts)
{
	fetch->how = to->is_char ? FCA_FETCH_STRING : FCA_FETCH_BYTES;
	fetch->size = to->is_char ? at_most(opts->string_size, UINT16_MAX)
				  : at_most(to->size, MOST_OF_STRUCT);
	return fetch->size;
}

void fc_pointee_make_array(struct fca_fetch *fetch, uint64_t unit, bool is_compound,
			   const struct fc_fetch_opts *opts)
{
	fetch->how = FCA_FETCH_ARRAY;
	fetch->unit = at_most(unit ? unit : 1, UINT16_MAX);
	fetch->size = at_most(is_compound ? MOST_OF_STRUCT : opts->string_size, UINT16_MAX);
}

void fc_pointee_make_list(struct fca_fetch *fetch)
{
	fetch->how = FCA_FETCH_POINTERS;
	fetch->size = MOST_TEXTS * WORD;
}

/* ---- what stands behind it ---- */

bool fc_pointee_has_pieces(const struct fc_fetch_func *func, uint32_t param, bool is_written)
{
	const char *tag;
	for (size_t i = 0; (tag = fc_types_tag_at(func->types, func->type, i)); i++) {
		char how[8];
		unsigned which;
		if (sscanf(tag, "pieces(%7[a-z],%u)", how, &which) == 2 && which == param + 1 &&
		    !strcmp(how, is_written ? "written" : "read"))
			return true;
	}
	return false;
}

/* A pointer in a struct, and the word beside it that says how many it leads to. */
struct row {
	uint64_t at, count_at; /* bytes */
	uint32_t item, size;   /* item 0: bytes */
	uint32_t name; /* of a struct msghdr: what its msg_name leads to; 0: not known */
	uint64_t name_at;
};

static bool find_member(const struct fc_type *type, const char *name, struct fc_member *ret)
{
	for (uint32_t i = 0; i < type->nr; i++) {
		*ret = fc_type_member(type, i);
		if (!strcmp(ret->name, name))
			return !ret->bits && !(ret->bit % 8);
	}
	return false;
}

/* "msg_name" leads to an address; behind it stands how long that is. */
static void find_name(const struct fc_types *types, const struct fc_type *type, struct row *ret)
{
	struct fc_member name, length;
	if (!find_member(type, "msg_name", &name) ||
	    !find_member(type, "msg_namelen", &length) || length.bit != name.bit + WORD * 8 ||
	    fc_types_size(types, length.type) != sizeof(uint32_t))
		return;
	struct fc_type pointer = fc_type_at(types, name.type);
	if (pointer.kind != FC_TYPE_POINTER || !fc_sockaddr_is(types, pointer.of))
		return;
	ret->name = fc_type_at(types, pointer.of).id;
	ret->name_at = name.bit / 8;
}

/* Is it a "struct mmsghdr", which says how long the message is that it has? */
static bool is_message(const struct fc_type *type)
{
	struct fc_member head, length;
	return type->kind == FC_TYPE_STRUCT && find_member(type, "msg_hdr", &head) &&
	       find_member(type, "msg_len", &length);
}

/* Is it a "struct iovec", or a "struct msghdr", which leads to some? */
static bool find_row(const struct fc_types *types, const struct fc_type *type, struct row *ret)
{
	struct fc_member at, nr;
	struct fc_type pointer, item;
	struct row own;
	bool is_piece = find_member(type, "iov_base", &at) && find_member(type, "iov_len", &nr);
	if (type->kind != FC_TYPE_STRUCT ||
	    !(is_piece ||
	      (find_member(type, "msg_iov", &at) && find_member(type, "msg_iovlen", &nr))))
		return false;
	pointer = fc_type_at(types, at.type);
	item = fc_type_at(types, pointer.of);
	*ret = (struct row){ at.bit / 8, nr.bit / 8, is_piece ? 0 : item.id,
			     is_piece ? 1 : (uint32_t)item.size };
	if (!is_piece)
		find_name(types, type, ret);
	return pointer.kind == FC_TYPE_POINTER && fc_types_size(types, nr.type) == WORD &&
	       (is_piece || find_row(types, &item, &own));
}

bool fc_pointee_has_name(const struct fc_types *types, const struct fc_pointee *to)
{
	struct fc_type type = fc_type_at(types, to->type);
	struct row row = { 0 };
	return find_row(types, &type, &row) && row.name;
}

/* What is fetched of a value, or of what it leads to: in one fetch or more, side by side. */
struct object {
	uint32_t type;
	uint32_t nr;	      /* of these, one behind the other; 0: as many as there are */
	uint32_t first, last; /* of its fetches */
	unsigned depth;	      /* how often a pointer is followed yet */
	unsigned sequences;   /* how many of these, beside */
	const char *name;
	bool is_hidden;	    /* as the parts that it is in */
	bool is_of_message; /* what a struct mmsghdr leads to */
};

struct following {
	const struct fc_types *types;
	const struct fc_fetch_opts *opts;
	const struct fc_fetch_func *func;
	struct fc_fetch_plan *plan;
	bool is_exit;
	bool is_in_message; /* now, in a struct mmsghdr */
	struct object object[FCA_MAX_FETCHES];
	uint32_t nr, nr_memory;
};

static bool is_of(const struct following *f, const struct object *object, uint32_t i)
{
	const struct fc_format_part *part = &f->plan->part[i],
				    *first = &f->plan->part[object->first];
	return part->param == first->param && part->level == first->level;
}

/* The fetch that has the word at this byte of an object; *off: where in it. False: none has. */
static bool find_word(const struct following *f, const struct object *object, uint64_t at,
		      uint32_t *fetch, uint32_t *off)
{
	uint64_t begin = 0;
	for (uint32_t i = object->first; i <= object->last; i++) {
		uint64_t end = begin + f->plan->part[i].fetch.size;
		if (!is_of(f, object, i))
			continue;
		*fetch = i;
		*off = (uint32_t)(at - begin);
		if (at >= begin && at + WORD <= end)
			return true;
		begin = end;
	}
	return false;
}

/* A fetch of what the word there leads to; NULL: there is no room, or the word is not there. */
static struct fc_format_part *add(struct following *f, const struct object *object, uint64_t at)
{
	uint32_t fetch, off;
	if (f->plan->nr == FCA_MAX_FETCHES || f->nr_memory == FCA_MAX_MEMORY ||
	    !find_word(f, object, at, &fetch, &off))
		return NULL;
	struct fc_format_part *part = &f->plan->part[f->plan->nr];
	const struct fc_format_part *from = &f->plan->part[object->first];
	*part = (struct fc_format_part){
		.fetch = { .from = FCA_FROM_FETCH, .reg = (uint8_t)fetch, .off = (int32_t)off },
		.param = from->param,
		.level = (uint16_t)(from->level + 1),
	};
	return part;
}

/* The part is filled in; what it gives may lead on. */
static void done(struct following *f, struct object next)
{
	f->plan->part[f->plan->nr].is_hidden = next.is_hidden;
	next.first = next.last = f->plan->nr;
	f->object[f->nr++] = next;
	f->plan->nr++;
	f->nr_memory++;
}

/*
 * Is what such a value leads to fetched? What is masked by its name or its type only at an entry, and
 * hidden: calls beneath may be given it. also: another type of the value, or 0.
 */
static bool may_follow(const struct following *f, const char *name, uint32_t type,
		       uint32_t also, bool *is_hidden)
{
	const struct fc_masks *masks = &f->opts->masks;
	bool is_masked = fc_mask_hides(masks, f->types, name, type) ||
			 (also && fc_mask_hides(masks, f->types, name, also));
	*is_hidden |= is_masked;
	return !is_masked || !f->is_exit;
}

static void follow_pointer(struct following *f, const struct object *object, uint32_t type,
			   uint64_t at, const char *name)
{
	struct fc_type holder = fc_type_as_named(f->types, object->type);
	struct fc_pointee to;
	/* "argv" is one thing with its texts. */
	bool is_free = holder.kind == FC_TYPE_POINTER && !object->depth;
	struct fc_format_part *part;
	struct object next = *object;
	if (!fc_pointee_find(f->types, type, &to) ||
	    !(object->depth || (is_free && to.is_char)) ||
	    !may_follow(f, name, type, 0, &next.is_hidden))
		return;
	next.type = to.type;
	next.nr = 1;
	next.depth = object->depth ? object->depth - 1 : 0;
	next.name = name;
	part = add(f, object, at);
	if (part && fc_pointee_make(&part->fetch, &to, f->opts)) {
		if (next.is_hidden && to.is_char)
			part->fetch.size = FC_MOST_OF_SECRET;
		done(f, next);
	}
}

static void follow_sequence(struct following *f, const struct object *object, uint32_t type,
			    const struct fc_sequence *sequence, uint64_t at, const char *name)
{
	struct fc_type item = fc_type_at(f->types, sequence->item);
	struct object next = *object;
	uint32_t fetch, off;
	if (!may_follow(f, name, type, sequence->pointer, &next.is_hidden))
		return;
	next.type = sequence->item;
	next.nr = 0;
	next.name = name;
	if (next.sequences)
		next.sequences--;
	else if (next.depth)
		next.depth--;
	else
		return;
	struct fc_format_part *part = add(f, object, at + sequence->at);
	if (!part || !find_word(f, object, at + sequence->count_at, &fetch, &off))
		return;
	fc_pointee_make_array(&part->fetch, sequence->size, fc_type_has_members(&item),
			      f->opts);
	if (next.is_hidden && sequence->size == 1)
		part->fetch.size = FC_MOST_OF_SECRET;
	part->fetch.count = (uint8_t)fetch;
	part->fetch.count_off = (uint16_t)off;
	part->fetch.count_as = sequence->is_end ? FCA_COUNT_END : FCA_COUNT_NUMBER;
	done(f, next);
}

/* What is written is told as far as the result goes, which is the exit's first fetch. */
static void follow_row(struct following *f, const struct object *object, const struct row *row,
		       uint64_t at)
{
	const struct fc_format_part *of = &f->plan->part[object->first];
	struct object next = *object;
	uint32_t fetch, off;
	if (of->param == FC_PARAM_RESULT ||
	    !fc_pointee_has_pieces(f->func, of->param, f->is_exit))
		return;
	struct fc_format_part *part = add(f, object, at + row->at);
	if (!part || !find_word(f, object, at + row->count_at, &fetch, &off))
		return;
	fc_pointee_make_array(&part->fetch, row->size, row->item, f->opts);
	part->fetch.count = (uint8_t)fetch;
	part->fetch.count_off = (uint16_t)off;
	part->fetch.count_as = !f->is_exit || row->item ? FCA_COUNT_NUMBER
			       : object->is_of_message	? FCA_COUNT_SHARE_OF_MESSAGE
							: FCA_COUNT_SHARE;
	next.type = row->item;
	next.nr = 0;
	next.is_of_message = f->is_in_message;
	done(f, next);
}

/* The part that says how much room there was for the name; false: nobody knows. */
static bool find_room(const struct following *f, uint32_t param, uint8_t *ret)
{
	for (uint32_t i = 0; i < f->plan->nr; i++) {
		*ret = (uint8_t)i;
		if (f->plan->part[i].param == param && f->plan->part[i].level == FC_LEVEL_ROOM)
			return true;
	}
	return false;
}

/* Of whom a message is, or to whom. What is written is told as far as there was room for it. */
static void follow_name(struct following *f, const struct object *object, const struct row *row,
			uint64_t at)
{
	struct object next = *object;
	uint8_t room = 0;
	uint32_t param = f->plan->part[object->first].param;
	if (param == FC_PARAM_RESULT || !fc_pointee_has_pieces(f->func, param, f->is_exit) ||
	    (f->is_exit && !find_room(f, param, &room)))
		return;
	struct fc_format_part *part = add(f, object, at + row->name_at);
	if (!part)
		return;
	fc_pointee_make_array(&part->fetch, 1, true, f->opts);
	part->fetch.count = f->is_exit ? room : part->fetch.reg;
	part->fetch.count_off = f->is_exit ? 0 : (uint16_t)(part->fetch.off + WORD);
	part->fetch.count_as = f->is_exit ? FCA_COUNT_NAME : FCA_COUNT_INT;
	next.type = row->name;
	next.nr = 1;
	done(f, next);
}

static void walk(struct following *f, const struct object *object, uint32_t id, uint64_t at,
		 const char *name, unsigned deep);

/* Of a union it is not known which member is there; of Rust's enums it is not looked for. */
static void walk_struct(struct following *f, const struct object *object,
			const struct fc_type *type, uint64_t at, unsigned deep)
{
	if (type->kind != FC_TYPE_STRUCT || type->tags & FC_TAG_VARIANTS)
		return;
	struct row row = { 0 };
	bool was_in_message = f->is_in_message, is_row = find_row(f->types, type, &row);
	if (is_row)
		follow_row(f, object, &row, at);
	if (row.name)
		follow_name(f, object, &row, at);
	f->is_in_message |= is_message(type);
	for (uint32_t i = 0; i < type->nr && i < MOST_MEMBERS; i++) {
		struct fc_member member = fc_type_member(type, i);
		bool is_followed = (is_row && member.bit / 8 == row.at) ||
				   (row.name && member.bit / 8 == row.name_at);
		if (!member.bits && !is_followed)
			walk(f, object, member.type, at + member.bit / 8, member.name,
			     deep + 1);
	}
	f->is_in_message = was_in_message;
}

static void walk_items(struct following *f, const struct object *object, uint32_t item,
		       uint64_t nr, uint64_t at, const char *name, unsigned deep)
{
	uint64_t size = fc_types_size(f->types, item);
	for (uint64_t i = 0; size && i < nr && i < MOST_MEMBERS; i++)
		walk(f, object, item, at + i * size, name, deep);
}

static void walk(struct following *f, const struct object *object, uint32_t id, uint64_t at,
		 const char *name, unsigned deep)
{
	struct fc_sequence sequence;
	uint32_t fetch, off;
	struct fc_type type = fc_type_at(f->types, id);
	if (!type.id || deep > DEEPEST || f->plan->nr == FCA_MAX_FETCHES)
		return;
	if (type.kind == FC_TYPE_POINTER && find_word(f, object, at, &fetch, &off))
		follow_pointer(f, object, type.id, at, name);
	else if (type.kind == FC_TYPE_ARRAY)
		walk_items(f, object, type.of, type.nr, at, name, deep + 1);
	else if (!fc_type_has_members(&type))
		return;
	else if (!fc_sequence_find(f->types, type.id, &sequence))
		walk_struct(f, object, &type, at, deep);
	else
		follow_sequence(f, object, type.id, &sequence, at, name);
}

/* ---- of all values ---- */

/* A value, with all its parts; or what it leads to. */
static void add_object(struct following *f, const struct fc_fetch_func *func, uint32_t i)
{
	const struct fc_format_part *part = &f->plan->part[i];
	struct object *before = f->nr ? &f->object[f->nr - 1] : NULL;
	struct fc_pointee to;
	struct object next = { .type = fc_param_type(func->types, func->type, part->param),
			       .nr = 1,
			       .first = i,
			       .last = i,
			       .depth = f->opts->depth,
			       .sequences = FC_SEQUENCES_DEEP,
			       .name = fc_param_name(func->types, func->type, part->param),
			       .is_hidden = part->is_hidden };
	bool is_many =
		part->fetch.how == FCA_FETCH_ARRAY || part->fetch.how == FCA_FETCH_POINTERS;
	if (before && is_of(f, before, i)) {
		before->last = i;
		return;
	}
	if (part->level) {
		if (!fc_pointee_find(func->types, next.type, &to))
			return;
		next.type = to.type;
		next.nr = is_many ? 0 : 1;
		next.depth--;
	} else if (fc_pointee_find(func->types, next.type, &to)) {
		return; /* it is followed already, if it is to be */
	}
	f->object[f->nr++] = next;
}

void fc_pointees_follow(const struct fc_fetch_func *func, const struct fc_fetch_opts *opts,
			struct fc_fetch_plan *plan, bool is_exit)
{
	struct following f = { .types = func->types,
			       .opts = opts,
			       .func = func,
			       .plan = plan,
			       .is_exit = is_exit };
	for (uint32_t i = 0; i < plan->nr; i++) {
		const struct fc_format_part *part = &plan->part[i];
		f.nr_memory += part->fetch.how != FCA_FETCH_VALUE;
		bool is_asked = !func->no_result || part->param != FC_PARAM_RESULT;
		if (is_asked && !fc_format_is_masked(part) && part->level <= 1 &&
		    part->fetch.how != FCA_FETCH_STRING)
			add_object(&f, func, i);
	}
	for (uint32_t i = 0; i < f.nr; i++) {
		struct object object = f.object[i];
		uint64_t nr = object.nr ? object.nr : MOST_MEMBERS;
		walk_items(&f, &object, object.type, nr, 0, object.name, 0);
	}
}
