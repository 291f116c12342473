/* SPDX-License-Identifier: Apache-2.0 */
/* fetches.c - plans what is fetched at the entry and at the exit of a function. */
#include "values/fetches.h"

#include <stdio.h>
#include <string.h>

#include "values/failure.h"
#include "values/pointees.h"
#include "values/sockaddr.h"
#include "values/stub_fetches.h"
#include "values/type.h"

enum {
	LEAST_OF_PATH = 128,
	MOST_OF_PATH = 4096, /* as the kernel takes it (PATH_MAX), with its zero */
	WORD = 8,
};

/* What a tag "access(mode,param,size)" says of a parameter. */
struct access {
	bool is_read, is_written;
	uint32_t size; /* which parameter says how many, from 1; 0: none */
};

static struct access access_of(const struct fc_fetch_func *func, uint32_t param)
{
	struct access ret = { false, false, 0 };
	const char *tag;
	for (size_t i = 0; (tag = fc_types_tag_at(func->types, func->type, i)); i++) {
		char mode[16];
		unsigned which = 0, size = 0;
		if (sscanf(tag, "access(%15[a-z_],%u,%u)", mode, &which, &size) < 2 ||
		    which != param + 1)
			continue;
		ret.is_read = strcmp(mode, "write_only") && strcmp(mode, "none");
		ret.is_written = !strcmp(mode, "write_only") || !strcmp(mode, "read_write");
		ret.size = size;
	}
	return ret;
}

/* Has the function a tag of this parameter, such as "path(%u)"? They count from 1. */
static bool has_tag(const struct fc_fetch_func *func, const char *format, uint32_t param)
{
	const char *tag;
	unsigned which;
	for (size_t i = 0; (tag = fc_types_tag_at(func->types, func->type, i)); i++)
		if (sscanf(tag, format, &which) == 1 && which == param + 1)
			return true;
	return false;
}

static uint32_t nr_params(const struct fc_fetch_func *func)
{
	uint32_t nr = fc_param_nr(func->types, func->type);
	return nr < func->nr ? nr : func->nr;
}

static uint32_t type_of(const struct fc_fetch_func *func, uint32_t param)
{
	return fc_param_type(func->types, func->type, param);
}

static const char *name_of(const struct fc_fetch_func *func, uint32_t param)
{
	return fc_param_name(func->types, func->type, param);
}

static bool is_masked(const struct fc_fetch_func *func, const struct fc_fetch_opts *opts,
		      uint32_t param)
{
	uint32_t type = type_of(func, param);
	return type && fc_mask_hides(&opts->masks, func->types, name_of(func, param), type);
}

/* Room in the list; NULL: there is none. */
static struct fc_format_part *add(struct fc_fetch_plan *plan, uint32_t param, uint32_t level)
{
	if (plan->nr == FCA_MAX_FETCHES)
		return NULL;
	struct fc_format_part *part = &plan->part[plan->nr++];
	*part = (struct fc_format_part){ .param = (uint16_t)param, .level = (uint16_t)level };
	return part;
}

/* Where one piece of a value is. */
static struct fca_fetch piece_of(const struct fc_piece *piece)
{
	static const uint8_t from[] = {
		[FC_PIECE_INT] = FCA_FROM_INT,
		[FC_PIECE_VECTOR] = FCA_FROM_VECTOR,
		[FC_PIECE_EXTENDED] = FCA_FROM_EXTENDED,
		[FC_PIECE_STACK] = FCA_FROM_STACK,
	};
	bool is_place = piece->kind == FC_PIECE_STACK && piece->size > WORD;
	uint32_t size = piece->size < FC_VALUE_MOST ? piece->size : FC_VALUE_MOST;
	return (struct fca_fetch){
		.from = from[piece->kind],
		.how = is_place ? FCA_FETCH_PLACE : FCA_FETCH_VALUE,
		.reg = piece->reg,
		.size = (uint16_t)size,
		.off = piece->off,
	};
}

/* May a text or bytes be in it, or behind it, by which calls beneath are known to be given it? */
static bool may_be_known(const struct fc_fetch_func *func, uint32_t param)
{
	struct fc_type type = fc_type_at(func->types, type_of(func, param));
	return param != FC_PARAM_RESULT &&
	       (type.kind == FC_TYPE_POINTER || type.kind == FC_TYPE_ARRAY ||
		fc_type_has_members(&type));
}

/* The value itself, or all of it that is somewhere; of one that is masked, that it is. */
static void add_value(const struct fc_fetch_func *func, const struct fc_fetch_opts *opts,
		      struct fc_fetch_plan *plan, uint32_t param, uint32_t type,
		      const struct fc_location *location)
{
	bool is_hidden = is_masked(func, opts, param);
	if (is_hidden)
		add(plan, param, 0);
	if (is_hidden && (!opts->depth || !may_be_known(func, param)))
		return;
	for (uint32_t i = 0; i < location->nr; i++) {
		struct fc_format_part *part = add(plan, param, 0);
		if (!part)
			return;
		part->is_hidden = is_hidden;
		part->fetch = piece_of(&location->piece[i]);
		if (!location->is_address)
			continue;
		uint64_t size = fc_types_size(func->types, type);
		part->fetch.how = FCA_FETCH_BYTES;
		part->fetch.size = (uint16_t)(size < FC_VALUE_MOST ? size : FC_VALUE_MOST);
	}
}

/* The fetch that gives a parameter that is a number; false: there is none. */
static bool find_value(const struct fc_fetch_plan *plan, uint32_t param, uint8_t *ret)
{
	for (uint32_t i = 0; i < plan->nr; i++) {
		*ret = (uint8_t)i;
		if (plan->part[i].param == param && !plan->part[i].level &&
		    plan->part[i].fetch.how == FCA_FETCH_VALUE && !plan->part[i].is_hidden &&
		    !fc_format_is_masked(&plan->part[i]))
			return true;
	}
	return false;
}

/*
 * Is it a list of texts up to NULL, as "argv"? What is not const may be for the call to write one
 * pointer there: it is one by its name.
 */
static bool is_list(const struct fc_fetch_func *func, const struct fc_pointee *to,
		    uint32_t param)
{
	const char *name = name_of(func, param);
	uint32_t pointer = fc_types_resolve(func->types, type_of(func, param));
	bool is_named = !strncmp(name, "arg", 3) || !strncmp(name, "env", 3);
	return to->is_text && !fc_types_is_reference(func->types, pointer) &&
	       (to->is_const || to->is_const_text || is_named);
}

/*
 * Is what it points to there when the call begins? What is not const is there for the call to write,
 * and what lies in it before may be what another call has left, a secret as well. What "&&" leads to
 * may be taken away by the call.
 */
static bool is_read_at_entry(const struct fc_fetch_func *func, const struct fc_pointee *to,
			     const struct access *access, const struct fc_fetch_opts *opts,
			     uint32_t param)
{
	uint32_t pointer = fc_types_resolve(func->types, type_of(func, param));
	bool is_rvalue = fc_types_tags(func->types, pointer) & FC_TAG_RVALUE;
	if (access->is_read || access->is_written)
		return access->is_read;
	bool is_shown = to->is_char || to->is_sequence || opts->depth > 1 || !to->is_compound;
	return to->is_const || (is_rvalue && is_shown) || is_list(func, to, param);
}

/* Is it the name of a file, by its own name, or by the tag "path(1)"? */
static bool is_path(const struct fc_fetch_func *func, uint32_t param)
{
	static const char *const ends[] = { "path",  "pathname", "file",   "filename",
					    "fname", "dir",	 "dirname" };
	struct fc_pointee to;
	const char *name = name_of(func, param);
	size_t nr = strlen(name);
	if (!fc_pointee_find(func->types, type_of(func, param), &to) || !to.is_char)
		return false;
	if (has_tag(func, "path(%u)", param))
		return true;
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		size_t its = strlen(ends[i]);
		if (nr >= its && !strcmp(name + nr - its, ends[i]))
			return true;
	}
	return false;
}

/* Names of files are kept whole. */
static void keep_path(const struct fc_fetch_func *func, uint32_t param, struct fca_fetch *fetch)
{
	if (fc_fetch_is_text(fetch) && fetch->size < MOST_OF_PATH && is_path(func, param))
		fetch->size = MOST_OF_PATH;
}

/* So many of what is pointed to as value number count says; of addresses so many bytes. */
static void make_array(const struct fc_fetch_func *func, struct fca_fetch *fetch,
		       const struct fc_pointee *to, uint8_t count,
		       const struct fc_fetch_opts *opts)
{
	bool is_address = fc_sockaddr_is(func->types, to->type);
	fc_pointee_make_array(fetch, is_address ? 1 : to->size, to->is_compound, opts);
	fetch->count = count;
}

/* A pointer that is itself behind an address: it stands in what that fetch gives. */
static bool find_fetched(const struct fc_fetch_plan *plan, uint32_t param,
			 struct fca_fetch *ret)
{
	for (uint32_t i = 0; i < plan->nr; i++) {
		const struct fc_format_part *part = &plan->part[i];
		if (part->param != param || part->level || part->fetch.how != FCA_FETCH_BYTES ||
		    part->fetch.size != WORD)
			continue;
		*ret = (struct fca_fetch){ .from = FCA_FROM_FETCH, .reg = (uint8_t)i };
		return true;
	}
	return false;
}

static void add_pointee(const struct fc_fetch_func *func, const struct fc_fetch_opts *opts,
			struct fc_fetch_plan *plan, uint32_t param)
{
	struct fc_pointee to;
	struct access access = access_of(func, param);
	const struct fc_location *at = &func->param[param];
	struct fca_fetch fetch = piece_of(&at->piece[0]);
	if (at->nr != 1 || at->piece[0].size != WORD ||
	    !fc_pointee_find(func->types, type_of(func, param), &to) ||
	    (at->is_address && !find_fetched(plan, param, &fetch)))
		return;
	/* Who has a secret passes it on, whether it is const or not. */
	bool is_hidden = is_masked(func, opts, param),
	     is_only_written = access.is_written && !access.is_read;
	if (is_hidden ? is_only_written : !is_read_at_entry(func, &to, &access, opts, param))
		return;
	uint8_t count;
	if (access.size && find_value(plan, access.size - 1, &count)) {
		make_array(func, &fetch, &to, count, opts);
		fetch.count_as = to.is_char ? FCA_COUNT_TEXT : FCA_COUNT_NUMBER;
	} else if (is_list(func, &to, param))
		fc_pointee_make_list(&fetch);
	else if (!fc_pointee_make(&fetch, &to, opts))
		return;
	if (!is_hidden)
		keep_path(func, param, &fetch);
	else if (fc_fetch_is_text(&fetch))
		fetch.size = FC_MOST_OF_SECRET;
	struct fc_format_part *part = add(plan, param, 1);
	if (!part)
		return;
	part->fetch = fetch;
	part->is_hidden = is_hidden;
}

/* Is it a file descriptor, by a tag as "fd_arg(1)"? */
static bool is_descriptor(const struct fc_fetch_func *func, uint32_t param)
{
	if (param == FC_PARAM_RESULT)
		return fc_types_tagged(func->types, func->type, "returns(fd)");
	return has_tag(func, "fd_arg(%u)", param) || has_tag(func, "fd_arg_read(%u)", param) ||
	       has_tag(func, "fd_arg_write(%u)", param);
}

/* Where a descriptor leads at that moment. */
static void add_path(const struct fc_fetch_func *func, const struct fc_fetch_opts *opts,
		     struct fc_fetch_plan *plan, uint32_t param)
{
	bool is_result = param == FC_PARAM_RESULT;
	const struct fc_location *at = is_result ? &func->result : &func->param[param];
	if (!opts->has_paths || !is_descriptor(func, param) || is_masked(func, opts, param) ||
	    at->nr != 1 || at->is_address || at->piece[0].size != sizeof(int) ||
	    (at->piece[0].kind != FC_PIECE_INT && at->piece[0].kind != FC_PIECE_STACK))
		return;
	struct fc_format_part *part = add(plan, param, FC_LEVEL_PATH);
	if (!part)
		return;
	part->fetch = piece_of(&at->piece[0]);
	part->fetch.how = FCA_FETCH_DESCRIPTOR;
	uint32_t most = opts->string_size > LEAST_OF_PATH ? opts->string_size : LEAST_OF_PATH;
	part->fetch.size = (uint16_t)(most < UINT16_MAX ? most + 1 : UINT16_MAX);
}

/* Registers that named arguments take, and where the others begin on the stack. */
static void make_rest(const struct fc_fetch_func *func, uint32_t nr, struct fca_fetch *ret)
{
	enum { RETURN_ADDRESS = 8 };
	uint32_t stack = RETURN_ADDRESS;
	for (uint32_t i = 0; i < nr; i++) {
		const struct fc_location *at = &func->param[i];
		for (uint32_t k = 0; k < at->nr; k++) {
			const struct fc_piece *piece = &at->piece[k];
			uint32_t end =
				((uint32_t)piece->off + piece->size + WORD - 1) / WORD * WORD;
			ret->count += piece->kind == FC_PIECE_INT;
			ret->unit += piece->kind == FC_PIECE_VECTOR;
			if (piece->kind == FC_PIECE_STACK && end > stack)
				stack = end;
		}
	}
	ret->count_off = (uint16_t)(stack < UINT16_MAX ? stack : UINT16_MAX);
}

/* "format(printf,1,2)": which parameter is the format. False: it is none of printf()'s. */
static bool find_format(const struct fc_fetch_func *func, bool is_variadic, uint32_t *format)
{
	const char *tag = fc_types_tagged(func->types, func->type, "format");
	unsigned which = 0, rest = 0;
	char kind[16];
	bool is_one = tag && sscanf(tag, "format(%15[a-z_],%u,%u)", kind, &which, &rest) == 3 &&
		      (!strcmp(kind, "printf") || !strcmp(kind, "gnu_printf"));
	*format = which - 1;
	return is_one && which && which <= nr_params(func) && is_variadic == !!rest;
}

/* "rest(octal,4)" */
static bool find_one(const struct fc_fetch_func *func, uint32_t *kind, uint32_t *size)
{
	static const char *const names[] = { [FCA_ITEM_SIGNED] = "signed",
					     [FCA_ITEM_HEX] = "hex",
					     [FCA_ITEM_OCTAL] = "octal",
					     [FCA_ITEM_POINTER] = "pointer" };
	const char *tag = fc_types_tagged(func->types, func->type, "rest");
	char name[16];
	if (!tag || sscanf(tag, "rest(%15[a-z],%u", name, size) != 2 ||
	    (*size != 4 && *size != WORD))
		return false;
	for (*kind = 0; *kind < sizeof(names) / sizeof(names[0]); ++*kind)
		if (names[*kind] && !strcmp(name, names[*kind]))
			return true;
	return false;
}

static bool is_va_list(const struct fc_fetch_func *func, uint32_t param)
{
	struct fc_type type = fc_type_at(func->types, type_of(func, param));
	bool leads = type.kind == FC_TYPE_POINTER || type.kind == FC_TYPE_ARRAY;
	return leads && type.of && type.of == fc_types_find_tag(func->types, "__va_list_tag");
}

/* What "..." stands for, or the va_list in its place, where it can be told. */
static void add_rest(const struct fc_fetch_func *func, const struct fc_fetch_opts *opts,
		     struct fc_fetch_plan *plan)
{
	struct fc_type proto = fc_type_of_func(func->types, func->type);
	bool is_variadic = proto.is_variadic;
	uint32_t nr = proto.nr + is_variadic, format, kind = 0, size = 0;
	struct fca_fetch fetch = { .how = FCA_FETCH_REST };
	if (!nr || nr - is_variadic > func->nr)
		return;
	for (uint32_t i = 0; i + 1 < nr; i++)
		if (!func->param[i].nr) /* it has rules of its own */
			return;
	if (find_format(func, is_variadic, &format)) {
		const struct fc_location *at = &func->param[format];
		if (!opts->depth || format + 1 >= nr ||
		    (!is_variadic && !is_va_list(func, nr - 1)) ||
		    is_masked(func, opts, format) || at->nr != 1 || at->is_address ||
		    at->piece[0].size != WORD)
			return;
		fetch = piece_of(&at->piece[0]);
		fetch.how = FCA_FETCH_REST;
		fetch.count_as = is_variadic ? FCA_REST_FORMAT : FCA_REST_LIST;
		fetch.size = (uint16_t)(opts->string_size < UINT16_MAX ? opts->string_size
								       : UINT16_MAX);
	} else if (is_variadic && find_one(func, &kind, &size)) {
		fetch.count_as = FCA_REST_ONE;
	} else {
		return;
	}
	make_rest(func, nr - 1, &fetch);
	if (fetch.count_as == FCA_REST_ONE)
		fetch.unit = (uint16_t)(kind | size << 8);
	struct fc_format_part *part = add(plan, nr - 1, FC_LEVEL_REST);
	if (part)
		part->fetch = fetch;
}

void fc_fetch_plan_entry(const struct fc_fetch_func *func, const struct fc_fetch_opts *opts,
			 struct fc_fetch_plan *ret)
{
	*ret = (struct fc_fetch_plan){ 0 };
	for (uint32_t i = 0; i < nr_params(func); i++)
		add_value(func, opts, ret, i, type_of(func, i), &func->param[i]);
	for (uint32_t i = 0; i < nr_params(func) && opts->depth; i++)
		add_pointee(func, opts, ret, i);
	for (uint32_t i = 0; i < nr_params(func); i++)
		add_path(func, opts, ret, i);
	if (opts->depth)
		fc_pointees_follow(func, opts, ret, false);
	add_rest(func, opts, ret);
}

/* ---- at the exit ---- */

/* A parameter that is whole in a general register, or in a word of the stack. False: it is not. */
static bool find_kept(const struct fc_location *at, uint8_t *ret)
{
	const struct fc_piece *piece = &at->piece[0];
	if (at->nr != 1 || at->is_address || piece->size > WORD)
		return false;
	*ret = piece->kind == FC_PIECE_INT
		       ? piece->reg
		       : (uint8_t)(FCA_KEPT_STACK | (uint32_t)piece->off / WORD);
	return piece->kind == FC_PIECE_INT ||
	       (piece->kind == FC_PIECE_STACK && piece->off > 0 && !(piece->off % WORD) &&
		piece->off / WORD < FCA_KEPT_STACK);
}

/* Let the entry keep that. False: it cannot. */
static bool keep_which(struct fc_fetch_plan *entry, uint8_t which, uint16_t size,
		       struct fca_fetch *ret)
{
	uint32_t i = 0;
	while (i < entry->nr_kept && entry->kept[i] != which)
		i++;
	if (i == FCA_MAX_KEPT)
		return false;
	entry->kept[i] = which;
	entry->nr_kept += i == entry->nr_kept;
	*ret = (struct fca_fetch){ .from = FCA_FROM_KEPT, .reg = (uint8_t)i, .size = size };
	return true;
}

/* A parameter. */
static bool keep(const struct fc_fetch_func *func, struct fc_fetch_plan *entry, uint32_t param,
		 struct fca_fetch *ret)
{
	const struct fc_location *at = &func->param[param];
	uint8_t which;
	return find_kept(at, &which) &&
	       keep_which(entry, which, (uint16_t)at->piece[0].size, ret);
}

/* Does the result say how many there are behind a parameter? */
static bool is_counted(const struct fc_fetch_func *func, uint32_t param)
{
	return has_tag(func, "returns(count,%u)", param);
}

/* As read() tells how much it has read. */
static bool counts_by_result(const struct fc_fetch_func *func)
{
	struct fc_type type = fc_type_at(func->types, type_of(func, FC_PARAM_RESULT));
	return type.kind == FC_TYPE_INT && type.size == WORD && type.number == FC_NUMBER_SIGNED;
}

/* Which fetch of the exit says how many there are; is_row: of what the result does not count. False: none does. */
static bool find_count(const struct fc_fetch_func *func, const struct fc_fetch_opts *opts,
		       struct fc_fetch_plan *entry, struct fc_fetch_plan *plan, uint32_t param,
		       bool is_row, uint8_t *ret)
{
	if (counts_by_result(func) && !is_row)
		return find_value(plan, FC_PARAM_RESULT, ret);
	struct fca_fetch fetch;
	if (param >= nr_params(func) || is_masked(func, opts, param) ||
	    !keep(func, entry, param, &fetch))
		return false;
	struct fc_format_part *part = add(plan, param, 0);
	if (!part)
		return false;
	part->fetch = fetch;
	*ret = (uint8_t)(plan->nr - 1);
	return true;
}

/* What is made or ended by its own functions is none before or after. */
static bool is_written_sequence(const struct fc_fetch_func *func, const struct fc_pointee *to,
				uint32_t param)
{
	uint32_t pointer = fc_types_resolve(func->types, type_of(func, param));
	return to->is_sequence && strcmp(name_of(func, param), "this") != 0 &&
	       !(fc_types_tags(func->types, pointer) & FC_TAG_RVALUE);
}

/* Is it worth to be shown as the call has left it, where nothing is declared? */
static bool may_be_written(const struct fc_fetch_func *func, const struct fc_fetch_opts *opts,
			   const struct fc_pointee *to, uint32_t param)
{
	uint32_t pointer = fc_types_resolve(func->types, type_of(func, param));
	if (to->is_const || fc_types_tags(func->types, pointer) & FC_TAG_RVALUE)
		return false;
	if (to->is_compound)
		return to->size && (opts->depth > 1 || is_written_sequence(func, to, param));
	return to->is_char || to->size;
}

/*
 * "length(2,3)": parameter 3 is a "socklen_t *", which says how much room there is behind 2, and then how
 * much was written. False: a parameter has none.
 */
static bool find_length(const struct fc_fetch_func *func, const struct fc_fetch_opts *opts,
			uint32_t param, uint32_t *length)
{
	struct fc_pointee to;
	const char *tag;
	unsigned of = 0, by = 0;
	for (size_t i = 0; (tag = fc_types_tag_at(func->types, func->type, i)); i++)
		if (sscanf(tag, "length(%u,%u)", &of, &by) == 2 && of == param + 1)
			break;
	*length = by - 1;
	if (!tag || !by || *length >= nr_params(func) || is_masked(func, opts, *length) ||
	    !fc_pointee_find(func->types, type_of(func, *length), &to))
		return false;
	struct fc_type number = fc_type_at(func->types, to.type);
	return number.kind == FC_TYPE_INT && number.size == sizeof(uint32_t);
}

/* How many there were, and how many there was room for, in an array's fetch. False: that cannot be told. */
static bool count_by_length(const struct fc_fetch_func *func, struct fc_fetch_plan *entry,
			    struct fc_fetch_plan *plan, uint32_t param, struct fca_fetch *array)
{
	struct fca_fetch room, after;
	uint8_t which;
	if (!find_kept(&func->param[param], &which) || which & FCA_KEPT_STACK ||
	    plan->nr + 2 > FCA_MAX_FETCHES || !keep(func, entry, param, &after) ||
	    !keep_which(entry, which | FCA_KEPT_BEHIND, sizeof(uint32_t), &room))
		return false;
	after.how = FCA_FETCH_BYTES;
	after.size = sizeof(uint32_t);
	array->count_off = (uint16_t)plan->nr;
	add(plan, param, FC_LEVEL_ROOM)->fetch = room;
	array->count = (uint8_t)plan->nr;
	add(plan, param, 1)->fetch = after;
	array->count_as = FCA_COUNT_LEAST;
	return true;
}

/* What a struct msghdr has room for, for the name of who has sent it. */
static void add_room_for_name(const struct fc_fetch_func *func, struct fc_fetch_plan *entry,
			      struct fc_fetch_plan *plan, uint32_t param)
{
	struct fca_fetch room;
	uint8_t which;
	if (plan->nr < FCA_MAX_FETCHES && find_kept(&func->param[param], &which) &&
	    !(which & FCA_KEPT_STACK) &&
	    keep_which(entry, which | FCA_KEPT_BEHIND | FCA_KEPT_SECOND, sizeof(uint32_t),
		       &room))
		add(plan, param, FC_LEVEL_ROOM)->fetch = room;
}

/* Is what it points to fetched already, as a length? */
static bool is_fetched(const struct fc_fetch_plan *plan, uint32_t param)
{
	for (uint32_t i = 0; i < plan->nr; i++)
		if (plan->part[i].param == param && plan->part[i].level == FC_LEVEL_ROOM)
			return true;
	return false;
}

static void add_written(const struct fc_fetch_func *func, const struct fc_fetch_opts *opts,
			struct fc_fetch_plan *entry, struct fc_fetch_plan *plan, uint32_t param)
{
	struct fc_pointee to;
	struct fca_fetch fetch;
	struct access access = access_of(func, param);
	if (is_masked(func, opts, param) || is_fetched(plan, param) ||
	    !fc_pointee_find(func->types, type_of(func, param), &to))
		return;
	bool is_known = access.is_read || access.is_written;
	bool is_row = fc_pointee_has_pieces(func, param, true);
	uint8_t count = 0;
	bool is_written = is_known ? access.is_written : may_be_written(func, opts, &to, param);
	if (!(is_row || is_written) || !keep(func, entry, param, &fetch))
		return;
	bool is_result = is_counted(func, param);
	if (is_result && !find_value(plan, FC_PARAM_RESULT, &count))
		return;
	uint32_t length;
	if (find_length(func, opts, param, &length)) {
		fc_pointee_make_array(&fetch, 1, to.is_compound, opts); /* of bytes */
		if (!count_by_length(func, entry, plan, length, &fetch))
			return;
	} else if (is_result || (access.size && find_count(func, opts, entry, plan,
							   access.size - 1, is_row, &count))) {
		make_array(func, &fetch, &to, count, opts);
		if (is_result)
			fetch.count_as = FCA_COUNT_INT;
		else if (to.is_char &&
			 !counts_by_result(func)) /* as much as there was room for */
			fetch.count_as = FCA_COUNT_TEXT;
	} else if (access.size || !fc_pointee_make(&fetch, &to, opts)) {
		return;
	}
	if (is_row && fc_pointee_has_name(func->types, &to) && !is_result)
		add_room_for_name(func, entry, plan, param);
	keep_path(func, param, &fetch);
	struct fc_format_part *part = add(plan, param, 1);
	if (part)
		part->fetch = fetch;
}

static void add_result_pointee(const struct fc_fetch_func *func,
			       const struct fc_fetch_opts *opts, struct fc_fetch_plan *plan)
{
	struct fc_pointee to;
	struct fca_fetch fetch;
	uint32_t type = type_of(func, FC_PARAM_RESULT);
	if (func->result.nr != 1 || func->result.is_address ||
	    fc_types_tagged(func->types, func->type, "returns(address)") ||
	    is_masked(func, opts, FC_PARAM_RESULT) ||
	    !fc_pointee_find(func->types, type, &to) || !(to.is_char || opts->depth > 1))
		return;
	fetch = piece_of(&func->result.piece[0]);
	bool is_made = fc_pointee_make(&fetch, &to, opts);
	keep_path(func, FC_PARAM_RESULT, &fetch);
	struct fc_format_part *part = is_made ? add(plan, FC_PARAM_RESULT, 1) : NULL;
	if (part)
		part->fetch = fetch;
}

/* The text that says whether the result is a secret: who reads the mark knows only that. */
static void add_name_of_result(const struct fc_fetch_func *func,
			       const struct fc_fetch_opts *opts, struct fc_fetch_plan *entry,
			       struct fc_fetch_plan *plan)
{
	uint32_t name;
	struct fc_pointee to;
	struct fca_fetch fetch;
	if (!fc_param_named_by(func->types, func->type, FC_PARAM_RESULT, &name) ||
	    name >= nr_params(func) || is_masked(func, opts, name) ||
	    !fc_pointee_find(func->types, type_of(func, name), &to) ||
	    !keep(func, entry, name, &fetch) || !fc_pointee_make(&fetch, &to, opts))
		return;
	struct fc_format_part *part = add(plan, name, 1);
	if (part)
		part->fetch = fetch;
}

static void put_error(const struct fc_fetch_func *func, uint8_t count, enum fca_error_of of,
		      struct fc_fetch_plan *plan)
{
	struct fc_format_part *part = add(plan, FC_PARAM_RESULT, FC_LEVEL_ERRNO);
	if (part)
		part->fetch = (struct fca_fetch){
			.from = func->error.is_in_slot ? FCA_FROM_THREAD_AT : FCA_FROM_THREAD,
			.how = FCA_FETCH_ERROR,
			.count = count,
			.unit = (uint16_t)of,
			.size = sizeof(int),
			.off = func->error.off,
		};
}

/* A result that may stand for what is beyond it. */
static void add_range_error(const struct fc_fetch_func *func, const struct fc_type *type,
			    struct fc_fetch_plan *plan)
{
	uint8_t count;
	bool is_float = type->kind == FC_TYPE_FLOAT;
	if (!(type->size == WORD || type->size == 4) ||
	    !(type->kind == FC_TYPE_INT || is_float) ||
	    !find_value(plan, FC_PARAM_RESULT, &count))
		return;
	bool is_signed = fc_types_is_signed(func->types, type->id);
	put_error(func, count,
		  is_float    ? FCA_ERROR_OF_FLOAT
		  : is_signed ? FCA_ERROR_OF_SIGNED
			      : FCA_ERROR_OF_UNSIGNED,
		  plan);
}

/* A result that is -1 or NULL is explained by errno. */
static void add_errno(const struct fc_fetch_func *func, struct fc_fetch_plan *plan)
{
	struct fc_type type = fc_type_at(func->types, type_of(func, FC_PARAM_RESULT));
	const char *fails = fc_types_tagged(func->types, func->type, "fails");
	bool is_pointer = type.kind == FC_TYPE_POINTER;
	bool is_range = fc_value_is_range(func->types, func->type);
	uint8_t count;
	if (is_range) {
		add_range_error(func, &type, plan);
		return;
	}
	if (!(is_pointer || fc_types_is_signed(func->types, type.id)) ||
	    !(type.size == WORD || type.size == 4) ||
	    (fails && strcmp(fails, "fails(-1)") != 0) ||
	    !find_value(plan, FC_PARAM_RESULT, &count))
		return;
	put_error(func, count,
		  is_pointer && !fails ? FCA_ERROR_OF_NULL : FCA_ERROR_OF_MINUS_ONE, plan);
}

/*
 * What was kept, the exit's part of the agent drops. If the exit asks for none of it, the stub may
 * do without the agent, and a later call from the same place would find it and be read by it.
 */
static void drop_unused(struct fc_fetch_plan *entry, const struct fc_fetch_plan *at_exit)
{
	for (uint32_t i = 0; i < at_exit->nr; i++)
		if (at_exit->part[i].fetch.from == FCA_FROM_KEPT)
			return;
	entry->nr_kept = 0;
}

/* The result tells whether what was written is to be read, but is not shown. */
static void add_unasked(struct fc_fetch_plan *plan)
{
	struct fc_format_part *part = add(plan, FC_PARAM_RESULT, FC_LEVEL_UNASKED);
	if (part)
		part->fetch = (struct fca_fetch){ .how = FCA_FETCH_VALUE };
	else
		plan->nr = 0;
}

void fc_fetch_plan_exit(const struct fc_fetch_func *func, const struct fc_fetch_opts *opts,
			struct fc_fetch_plan *entry, struct fc_fetch_plan *ret)
{
	*ret = (struct fc_fetch_plan){ 0 };
	add_value(func, opts, ret, FC_PARAM_RESULT, type_of(func, FC_PARAM_RESULT),
		  &func->result);
	if (func->error.is_known)
		add_errno(func, ret);
	uint32_t nr_result = ret->nr;
	if (opts->depth && !func->no_result) {
		add_result_pointee(func, opts, ret);
		add_name_of_result(func, opts, entry, ret);
	}
	for (uint32_t i = 0; opts->depth && !func->no_args && i < nr_params(func); i++)
		add_written(func, opts, entry, ret, i);
	if (!func->no_result)
		add_path(func, opts, ret, FC_PARAM_RESULT);
	else if (ret->nr == nr_result) /* nothing is asked for */
		ret->nr = 0;
	else
		add_unasked(ret);
	if (opts->depth)
		fc_pointees_follow(func, opts, ret, true);
	drop_unused(entry, ret);
}
