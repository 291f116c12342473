/* SPDX-License-Identifier: Apache-2.0 */
/*
 * recorded.c - cuts a mark's words into values, as its format says (formats.h).
 *
 * Beside each value stands what its pointers lead to. An argument is what it was given as, and what
 * the call has left behind its pointers.
 */
#include "values/recorded_private.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "values/failure.h"
#include "values/items.h"
#include "values/pointees.h"

struct fc_values {
	FC_VEC(struct fc_formats *) tables;
	struct fc_value_code code; /* no function: nobody knows any */
};

struct fc_values *fc_values_create(void)
{
	return fc_alloc(sizeof(struct fc_values));
}

void fc_values_destroy(struct fc_values *values)
{
	if (!values)
		return;
	fc_vec_each (&values->tables, table)
		fc_formats_destroy(*table);
	fc_vec_free(&values->tables);
	free(values);
}

int fc_values_add(struct fc_values *values, const void *bytes, size_t size)
{
	struct fc_formats *table;
	int err = fc_formats_load(bytes, size, &table);
	if (!err)
		fc_vec_push(&values->tables, table);
	return err;
}

void fc_values_set_code(struct fc_values *values, struct fc_value_code code)
{
	values->code = code;
}

static struct fc_value_bytes take_part(const struct fc_format_part *part,
				       const struct fc_value_words *words, uint32_t *at)
{
	struct fc_value_bytes ret = { 0 };
	uint32_t left = words->nr - *at, head = 0;
	uint64_t nr = part->fetch.size;
	if (!left)
		return ret;
	if (part->fetch.how != FCA_FETCH_VALUE) {
		uint64_t got = words->at[(*at)++];
		head = 1;
		nr = got & FCA_GOT_BYTES;
		ret.is_cut = got & FCA_GOT_MORE;
		ret.is_there = !(got & FCA_GOT_NONE);
		ret.is_masked = got & FCA_GOT_MASKED;
	} else {
		ret.is_there = true;
	}
	if (part->fetch.how == FCA_FETCH_REST)
		nr = 8ull * fc_value_items_words(words->at + *at, left - head, (uint32_t)nr);
	if ((nr + 7) / 8 > left - head)
		nr = (left - head) * 8; /* the mark is damaged */
	ret.at = (const uint8_t *)(words->at + *at);
	ret.nr = nr;
	ret.is_list = part->fetch.how == FCA_FETCH_POINTERS;
	*at += (uint32_t)((nr + 7) / 8);
	return ret;
}

/* False: no table tells of it. */
static bool find_record(const struct fc_values *values, const struct fc_value_words *words,
			struct fc_recorded *ret)
{
	uint32_t at = 1;
	ret->format = NULL;
	ret->code = values->code.name_at ? &values->code : NULL;
	for (size_t i = 0; words->nr && i < values->tables.nr && !ret->format; i++) {
		ret->types = fc_formats_types(values->tables.at[i]);
		ret->format = fc_formats_find(values->tables.at[i], (uint32_t)words->at[0]);
	}
	if (!ret->format)
		return false;
	ret->func = ret->format->type;
	for (uint32_t i = 0; i < ret->format->nr; i++)
		ret->part[i] = take_part(&ret->format->part[i], words, &at);
	return true;
}

bool fc_values_are_unknown(const struct fc_values *values, uint32_t key)
{
	const struct fc_value_format *format = NULL;
	for (size_t i = 0; i < values->tables.nr && !format; i++)
		format = fc_formats_find(values->tables.at[i], key);
	return format && !format->nr;
}

static void find_places(const struct fc_recorded *record, const uint8_t *ret[FCA_MAX_FETCHES])
{
	for (uint32_t i = 0; i < record->format->nr; i++)
		ret[i] = record->part[i].at;
}

/* at: where each part stands from now on. */
static void gather(const struct fc_recorded *record, uint32_t param, struct fc_value_shown *ret,
		   const uint8_t *at[FCA_MAX_FETCHES])
{
	struct fc_value_bytes *value = &ret->value;
	*value = (struct fc_value_bytes){ .at = ret->copy };
	find_places(record, at);
	for (uint32_t i = 0; i < record->format->nr; i++) {
		const struct fc_format_part *part = &record->format->part[i];
		const struct fc_value_bytes *bytes = &record->part[i];
		if (part->param != param || part->level || !bytes->is_there ||
		    value->nr + bytes->nr > FC_VALUE_MOST)
			continue;
		at[i] = ret->copy + value->nr;
		memcpy(ret->copy + value->nr, bytes->at, bytes->nr);
		value->nr += bytes->nr;
		value->is_there = true;
	}
}

static void add_link(struct fc_value_shown *ret, const uint8_t *at,
		     const struct fc_value_bytes *behind)
{
	if (behind)
		ret->link[ret->links.nr++] = (struct fc_value_link){ at, *behind };
}

/* Link each part with the parts that pointers in it lead to. */
static void link_parts(const struct fc_recorded *record, uint32_t param,
		       const uint8_t *const at[FCA_MAX_FETCHES], struct fc_value_shown *ret)
{
	for (uint32_t i = 0; i < record->format->nr; i++) {
		const struct fc_format_part *part = &record->format->part[i];
		uint32_t from = part->fetch.reg;
		int64_t end = (int64_t)part->fetch.off + (int64_t)sizeof(uint64_t);
		if (part->param == param && !part->is_hidden &&
		    part->fetch.from == FCA_FROM_FETCH && from < i && part->fetch.off >= 0 &&
		    record->part[from].is_there && end <= (int64_t)record->part[from].nr)
			add_link(ret, at[from] + part->fetch.off, &record->part[i]);
	}
}

bool fc_recorded_is_masked(const struct fc_recorded *record, uint32_t param)
{
	for (uint32_t i = 0; i < record->format->nr; i++)
		if (record->format->part[i].param == param &&
		    fc_format_is_masked(&record->format->part[i]))
			return true;
	return false;
}

/* NULL: there is none. */
const struct fc_value_bytes *fc_recorded_part(const struct fc_recorded *record, uint32_t param,
					      uint32_t level)
{
	for (uint32_t i = 0; i < record->format->nr; i++)
		if (record->format->part[i].param == param &&
		    record->format->part[i].level == level &&
		    !record->format->part[i].is_hidden &&
		    record->format->part[i].fetch.from != FCA_FROM_FETCH)
			return &record->part[i];
	return NULL;
}

static const struct fc_value_bytes *find_behind(const struct fc_recorded *record,
						uint32_t param)
{
	return fc_recorded_part(record, param, 1);
}

struct fc_type fc_recorded_proto(const struct fc_recorded *record)
{
	return fc_type_of_func(record->types, record->func);
}

uint32_t fc_recorded_nr_args(const struct fc_recorded *record)
{
	struct fc_type proto = fc_recorded_proto(record);
	return proto.nr + proto.is_variadic;
}

/* False: nothing is known of its arguments. */
bool fc_recorded_call(const struct fc_values *values, struct fc_value_words args,
		      struct fc_value_words result, struct fc_recorded_call *ret)
{
	const struct fc_recorded *given = &ret->given, *after = &ret->after;
	if (!find_record(values, &args, &ret->given) || !given->format->type)
		return false;
	bool is_after = find_record(values, &result, &ret->after);
	ret->has_after = is_after && after->types == given->types &&
			 after->format->type == given->format->type;
	struct fc_value_words other = { .at = result.other, .nr = result.nr_other };
	ret->is_by_other = is_after && !ret->has_after && result.func &&
			   find_record(values, &other, &ret->other) && ret->other.func &&
			   ret->other.types == after->types && ret->other.func == after->func;
	ret->has_after |= ret->is_by_other;
	return true;
}

/*
 * The result of the last of a chain, as that of the call that began it: as its type says, if anybody
 * asks for its result, and it has one of that kind.
 */
static bool adopt(const struct fc_values *values, uint32_t func, struct fc_recorded *ret)
{
	const struct fc_value_format *own = NULL;
	const struct fc_types *types = NULL;
	for (size_t i = 0; i < values->tables.nr && !own; i++) {
		own = fc_formats_find(values->tables.at[i], fca_format(func, true));
		types = fc_formats_types(values->tables.at[i]);
	}
	uint32_t given = fc_param_type(ret->types, ret->func, FC_PARAM_RESULT);
	bool is_asked = false;
	for (uint32_t i = 0; own && i < own->nr; i++)
		is_asked |= own->part[i].param == FC_PARAM_RESULT && !own->part[i].level;
	if (!is_asked || !own->type)
		return false;
	uint32_t type = fc_param_type(types, own->type, FC_PARAM_RESULT);
	if (fc_types_is_float(ret->types, given) != fc_types_is_float(types, type) ||
	    fc_types_size(types, type) > fc_types_size(ret->types, given))
		return false;
	ret->types = types;
	ret->func = own->type;
	if (fc_format_masks_result(own))
		ret->format = own;
	return true;
}

/* False: there is none. */
bool fc_recorded_result(const struct fc_values *values, struct fc_value_words words,
			struct fc_recorded *ret)
{
	return find_record(values, &words, ret) && ret->format->type &&
	       fc_recorded_proto(ret).of && (!words.func || adopt(values, words.func, ret)) &&
	       !fc_recorded_part(ret, FC_PARAM_RESULT, FC_LEVEL_UNASKED);
}

/* Is it a list whose first pointer is still the same? Else it was a place for the call to write to. */
static bool is_same_list(const struct fc_value_bytes *given,
			 const struct fc_value_bytes *written)
{
	enum { WORD = 8 };
	return given && given->is_there && given->is_list && written->nr == WORD &&
	       fc_value_number(given, WORD) == fc_value_number(written, WORD);
}

/* One of the C library that failed with an errno: it has written nothing. */
static bool has_failed(const struct fc_recorded_call *call)
{
	const struct fc_value_bytes *error =
		call->has_after
			? fc_recorded_part(&call->after, FC_PARAM_RESULT, FC_LEVEL_ERRNO)
			: NULL;
	return error && error->is_there &&
	       !fc_value_is_range(call->after.types, call->after.func);
}

/* A pointer, and what it leads to. False: it is none, or NULL. */
static bool find_pointer(const struct fc_recorded *record, uint32_t param, uint64_t *ret,
			 uint64_t *size)
{
	const struct fc_value_bytes *value = fc_recorded_part(record, param, 0);
	struct fc_type pointer =
		fc_type_at(record->types, fc_param_type(record->types, record->func, param));
	if (!value || !value->is_there || value->nr != sizeof(*ret) ||
	    pointer.kind != FC_TYPE_POINTER)
		return false;
	*ret = fc_value_number(value, sizeof(*ret));
	*size = fc_types_size(record->types, pointer.of);
	return *ret;
}

/* By which parameter the last of a chain was given the pointer that this one is; none: UINT32_MAX. */
static uint32_t twin_of(const struct fc_recorded_call *call, uint32_t param)
{
	uint64_t own, size, other, other_size;
	if (!call->is_by_other)
		return param;
	if (!find_pointer(&call->given, param, &own, &size))
		return UINT32_MAX;
	for (uint32_t i = 0; i < fc_param_nr(call->other.types, call->other.func); i++)
		if (find_pointer(&call->other, i, &other, &other_size) && other == own &&
		    other_size == size)
			return i;
	return UINT32_MAX;
}

/* What the call was given to read may be told as it ends, also of one that failed. */
static bool is_only_read(const struct fc_recorded *record, uint32_t param)
{
	struct fc_pointee to;
	return fc_pointee_find(record->types, fc_param_type(record->types, record->func, param),
			       &to) &&
	       to.is_const;
}

/* What the call has written counts, where it is told. */
static const struct fc_value_bytes *behind_of(const struct fc_recorded_call *call,
					      uint32_t param)
{
	const struct fc_value_bytes *given = find_behind(&call->given, param);
	const struct fc_value_bytes *written =
		call->has_after && (!has_failed(call) || is_only_read(&call->given, param))
			? find_behind(&call->after, twin_of(call, param))
			: NULL;
	bool counts = written && written->is_there && !is_same_list(given, written);
	return counts ? written : given;
}

static void begin_shown(const struct fc_recorded *record, struct fc_value_shown *ret)
{
	ret->links = (struct fc_value_links){ .at = ret->link, .code = record->code };
}

void fc_recorded_show_arg(const struct fc_recorded_call *call, uint32_t i,
			  struct fc_value_shown *ret)
{
	const uint8_t *at[FCA_MAX_FETCHES];
	begin_shown(&call->given, ret);
	gather(&call->given, i, ret, at);
	add_link(ret, ret->value.at, behind_of(call, i));
	link_parts(&call->given, i, at, ret);
	if (!call->has_after)
		return;
	find_places(&call->after, at);
	link_parts(&call->after, twin_of(call, i), at, ret);
}

void fc_recorded_show_result(const struct fc_recorded *record, struct fc_value_shown *ret)
{
	const uint8_t *at[FCA_MAX_FETCHES];
	begin_shown(record, ret);
	gather(record, FC_PARAM_RESULT, ret, at);
	add_link(ret, ret->value.at, find_behind(record, FC_PARAM_RESULT));
	link_parts(record, FC_PARAM_RESULT, at, ret);
}

int64_t fc_recorded_signed(const struct fc_value_bytes *value, size_t size)
{
	return fc_value_extend(fc_value_number(value, size), (uint32_t)size * 8);
}

/*
 * "rest(octal,4,has,2,64)": the argument that stands for "..." is there if parameter 2 has all bits of
 * a number of the list, "is" one of them, or is "not". Without such words it always is.
 */
bool fc_recorded_is_passed(const struct fc_recorded *record)
{
	struct fc_value_shown which_is;
	const uint8_t *places[FCA_MAX_FETCHES];
	char how[8];
	unsigned which = 0;
	int at = 0;
	const char *tag = fc_types_tagged(record->types, record->format->type, "rest");
	if (!tag || sscanf(tag, "rest(%*[a-z],%*u,%7[a-z],%u,%n", how, &which, &at) != 2 || !at)
		return true;
	gather(record, which - 1, &which_is, places);
	struct fc_value_bytes value = which_is.value;
	uint64_t number = fc_value_number(&value, value.nr);
	bool is_found = false;
	char *end = NULL;
	for (const char *list = tag + at; !is_found; list = end + 1) {
		uint64_t one = strtoull(list, &end, 10);
		if (end == list)
			break;
		is_found = strcmp(how, "has") ? number == one : (number & one) == one;
		if (*end != ',')
			break;
	}
	return value.is_there && is_found == !!strcmp(how, "not");
}

/* The variadic arguments, or those of the va_list that parameter i is. NULL: not known. */
const struct fc_value_bytes *fc_recorded_rest(const struct fc_recorded *record, uint32_t i)
{
	const struct fc_value_bytes *rest = fc_recorded_part(record, i, FC_LEVEL_REST);
	return rest && rest->is_there ? rest : NULL;
}

/* Argument i of the call, if it is one of those that stand for "...". */
bool fc_recorded_item(const struct fc_recorded *record, uint32_t i, struct fc_value_item *ret)
{
	size_t at = 0;
	uint32_t first = fc_recorded_nr_args(record);
	const struct fc_value_bytes *rest = first ? fc_recorded_rest(record, --first) : NULL;
	if (!rest || i < first || !fc_recorded_is_passed(record))
		return false;
	while (fc_value_item_next(rest, &at, ret))
		if (i-- == first)
			return true;
	return false;
}

bool fc_recorded_errno(const struct fc_recorded *record, int *ret)
{
	for (uint32_t i = 0; i < record->format->nr; i++) {
		const struct fc_value_bytes *bytes = &record->part[i];
		if (record->format->part[i].level != FC_LEVEL_ERRNO || !bytes->is_there ||
		    bytes->nr != sizeof(int))
			continue;
		*ret = (int)fc_recorded_signed(bytes, sizeof(int));
		/* Else it is of an earlier call's. */
		return !fc_value_is_range(record->types, record->func) || *ret == ERANGE;
	}
	return false;
}

bool fc_values_is_failure(const struct fc_values *values, struct fc_value_words result)
{
	struct fc_value_shown shown;
	struct fc_recorded record;
	if (!fc_recorded_result(values, result, &record))
		return false;
	fc_recorded_show_result(&record, &shown);
	if (fc_value_is_range(record.types, record.func))
		return fc_recorded_errno(&record, &(int){ 0 });
	struct fc_value_bytes value = shown.value;
	uint64_t size = fc_types_size(record.types, fc_recorded_proto(&record).of);
	if (size < sizeof(int) || size > sizeof(int64_t) || value.nr < size)
		return false;
	return fc_value_is_failure(record.types, record.func, fc_recorded_signed(&value, size));
}

bool fc_values_find(const struct fc_values *values, struct fc_value_words args,
		    struct fc_value_words result, uint32_t param, struct fc_value_found *ret)
{
	struct fc_recorded_call call;
	bool is_result = param == FC_PARAM_RESULT;
	if (is_result ? !fc_recorded_result(values, result, &call.given)
		      : !fc_recorded_call(values, args, result, &call))
		return false;
	const struct fc_recorded *record = &call.given;
	struct fc_type proto = fc_recorded_proto(record);
	if (fc_recorded_is_masked(record, param) || (!is_result && param >= proto.nr))
		return false;
	ret->types = record->types;
	ret->type = is_result ? proto.of : fc_type_param(&proto, param).type;
	if (is_result)
		fc_recorded_show_result(record, &ret->shown);
	else
		fc_recorded_show_arg(&call, param, &ret->shown);
	return ret->type && ret->shown.value.is_there;
}

bool fc_values_func(const struct fc_values *values, struct fc_value_words words,
		    const struct fc_types **types, uint32_t *func)
{
	struct fc_recorded record;
	if (!find_record(values, &words, &record) || !record.format->type)
		return false;
	*types = record.types;
	*func = record.format->type;
	return true;
}

bool fc_values_ends_with(const struct fc_values *values, uint32_t func, uint32_t param)
{
	const struct fc_value_format *exit = NULL;
	for (size_t i = 0; i < values->tables.nr && !exit; i++)
		exit = fc_formats_find(values->tables.at[i], fca_format(func, true));
	for (uint32_t i = 0; exit && i < exit->nr; i++)
		if (exit->part[i].level == FC_LEVEL_UNASKED && param == FC_PARAM_RESULT)
			return false;
	for (uint32_t i = 0; exit && i < exit->nr; i++)
		if (exit->part[i].param == param &&
		    (exit->part[i].level || param == FC_PARAM_RESULT))
			return true;
	return false;
}

bool fc_values_errno(const struct fc_values *values, struct fc_value_words result, int *ret)
{
	struct fc_recorded record;
	return fc_recorded_result(values, result, &record) && fc_recorded_errno(&record, ret);
}
