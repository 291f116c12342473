/* SPDX-License-Identifier: Apache-2.0 */
#include "values/recorded.h"

#include <bpf/btf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/printable.h"
#include "base/vec.h"
#include "values/declared.h"
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

/* What one mark says, by its format. */
struct record {
	const struct fc_types *types;
	const struct fc_value_code *code;
	const struct fc_value_format *format;
	uint32_t func; /* whose result it is to be told as; the format's own but in a chain */
	struct fc_value_bytes part[FCA_MAX_FETCHES];
};

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
			struct record *ret)
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

static void find_places(const struct record *record, const uint8_t *ret[FCA_MAX_FETCHES])
{
	for (uint32_t i = 0; i < record->format->nr; i++)
		ret[i] = record->part[i].at;
}

/* at: where each part stands from now on. */
static void gather(const struct record *record, uint32_t param, struct fc_value_shown *ret,
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

/* What words within other parts lead to. */
static void link_parts(const struct record *record, uint32_t param,
		       const uint8_t *const at[FCA_MAX_FETCHES], struct fc_value_shown *ret)
{
	for (uint32_t i = 0; i < record->format->nr; i++) {
		const struct fc_format_part *part = &record->format->part[i];
		uint32_t from = part->fetch.reg;
		int64_t end = (int64_t)part->fetch.off + (int64_t)sizeof(uint64_t);
		if (part->param == param && part->fetch.from == FCA_FROM_FETCH && from < i &&
		    part->fetch.off >= 0 && record->part[from].is_there &&
		    end <= (int64_t)record->part[from].nr)
			add_link(ret, at[from] + part->fetch.off, &record->part[i]);
	}
}

static bool is_masked(const struct record *record, uint32_t param)
{
	for (uint32_t i = 0; i < record->format->nr; i++)
		if (record->format->part[i].param == param &&
		    fc_format_is_masked(&record->format->part[i]))
			return true;
	return false;
}

/* NULL: there is none. */
static const struct fc_value_bytes *find_part(const struct record *record, uint32_t param,
					      uint32_t level)
{
	for (uint32_t i = 0; i < record->format->nr; i++)
		if (record->format->part[i].param == param &&
		    record->format->part[i].level == level &&
		    record->format->part[i].fetch.from != FCA_FROM_FETCH)
			return &record->part[i];
	return NULL;
}

static const struct fc_value_bytes *find_behind(const struct record *record, uint32_t param)
{
	return find_part(record, param, 1);
}

/* What a call's two marks say: at its begin, and when it had returned. */
struct call_record {
	struct record given, after;
	bool has_after;
	/* after is of another call of a chain of tail calls, which was given this. */
	struct record other;
	bool is_by_other;
};

static const struct btf_type *proto_of(const struct record *record)
{
	const struct btf *btf = fc_types_btf(record->types);
	return btf__type_by_id(btf, btf__type_by_id(btf, record->func)->type);
}

/* False: nothing is known of its arguments. */
static bool find_call(const struct fc_values *values, struct fc_value_words args,
		      struct fc_value_words result, struct call_record *ret)
{
	const struct record *given = &ret->given, *after = &ret->after;
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
static bool adopt(const struct fc_values *values, uint32_t func, struct record *ret)
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
static bool find_result(const struct fc_values *values, struct fc_value_words words,
			struct record *ret)
{
	return find_record(values, &words, ret) && ret->format->type && proto_of(ret)->type &&
	       (!words.func || adopt(values, words.func, ret)) &&
	       !find_part(ret, FC_PARAM_RESULT, FC_LEVEL_UNASKED);
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
static bool has_failed(const struct call_record *call)
{
	const struct fc_value_bytes *error =
		call->has_after ? find_part(&call->after, FC_PARAM_RESULT, FC_LEVEL_ERRNO)
				: NULL;
	return error && error->is_there;
}

/* A pointer, and what it leads to. False: it is none, or NULL. */
static bool find_pointer(const struct record *record, uint32_t param, uint64_t *ret,
			 uint64_t *size)
{
	const struct fc_value_bytes *value = find_part(record, param, 0);
	uint32_t type = fc_types_resolve(record->types,
					 fc_param_type(record->types, record->func, param));
	const struct btf_type *pointer = btf__type_by_id(fc_types_btf(record->types), type);
	if (!value || !value->is_there || value->nr != sizeof(*ret) || !pointer ||
	    !btf_is_ptr(pointer))
		return false;
	*ret = fc_value_number(value, sizeof(*ret));
	*size = fc_types_size(record->types, pointer->type);
	return *ret;
}

/* By which parameter the last of a chain was given the pointer that this one is; none: UINT32_MAX. */
static uint32_t twin_of(const struct call_record *call, uint32_t param)
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
static bool is_only_read(const struct record *record, uint32_t param)
{
	struct fc_pointee to;
	return fc_pointee_find(record->types, fc_param_type(record->types, record->func, param),
			       &to) &&
	       to.is_const;
}

/* What the call has written counts, where it is told. */
static const struct fc_value_bytes *behind_of(const struct call_record *call, uint32_t param)
{
	const struct fc_value_bytes *given = find_behind(&call->given, param);
	const struct fc_value_bytes *written =
		call->has_after && (!has_failed(call) || is_only_read(&call->given, param))
			? find_behind(&call->after, twin_of(call, param))
			: NULL;
	bool counts = written && written->is_there && !is_same_list(given, written);
	return counts ? written : given;
}

static void begin_shown(const struct record *record, struct fc_value_shown *ret)
{
	ret->links = (struct fc_value_links){ .at = ret->link, .code = record->code };
}

static void show_arg(const struct call_record *call, uint32_t i, struct fc_value_shown *ret)
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

static void show_result(const struct record *record, struct fc_value_shown *ret)
{
	const uint8_t *at[FCA_MAX_FETCHES];
	begin_shown(record, ret);
	gather(record, FC_PARAM_RESULT, ret, at);
	add_link(ret, ret->value.at, find_behind(record, FC_PARAM_RESULT));
	link_parts(record, FC_PARAM_RESULT, at, ret);
}

static void put(struct fc_value_text *text, const struct record *record, uint32_t param,
		uint32_t type, const struct fc_value_shown *shown)
{
	if (is_masked(record, param))
		fc_value_text_add(text, "<masked>");
	else
		fc_value_text_put(text, record->types, type, &shown->value, &shown->links);
	const struct fc_value_bytes *path = find_part(record, param, FC_LEVEL_PATH);
	if (path && path->is_there && !is_masked(record, param))
		fc_value_text_path(text, path);
}

static void put_arg(struct fc_value_text *text, const struct call_record *call, uint32_t i,
		    uint32_t type)
{
	struct fc_value_shown shown;
	show_arg(call, i, &shown);
	put(text, &call->given, i, type, &shown);
}

static int64_t signed_of(const struct fc_value_bytes *value, size_t size)
{
	return fc_value_extend(fc_value_number(value, size), (uint32_t)size * 8);
}

/*
 * "rest(octal,4,has,2,64)": the argument that stands for "..." is there if parameter 2 has all bits of
 * a number of the list, "is" one of them, or is "not". Without such words it always is.
 */
static bool is_passed(const struct record *record)
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

/* What "..." stands for, or a va_list as parameter i. NULL: that is not known. */
static const struct fc_value_bytes *find_rest(const struct record *record, uint32_t i)
{
	const struct fc_value_bytes *rest = find_part(record, i, FC_LEVEL_REST);
	return rest && rest->is_there ? rest : NULL;
}

static void put_rest(struct fc_value_text *text, const struct record *record,
		     const struct fc_value_bytes *rest, bool is_first)
{
	struct fc_value_item item;
	size_t at = 0;
	while (is_passed(record) && fc_value_item_next(rest, &at, &item)) {
		fc_value_text_add(text, is_first ? "" : ", ");
		fc_value_item_text(text, &item);
		is_first = false;
	}
	if (rest->is_cut)
		fc_value_text_add(text, is_first ? "..." : ", ...");
}

/* Argument i of the call, if it is one of those that stand for "...". */
static bool find_item(const struct record *record, uint32_t i, struct fc_value_item *ret)
{
	size_t at = 0;
	uint32_t first = btf_vlen(proto_of(record));
	const struct fc_value_bytes *rest = first ? find_rest(record, --first) : NULL;
	if (!rest || i < first || !is_passed(record))
		return false;
	while (fc_value_item_next(rest, &at, ret))
		if (i-- == first)
			return true;
	return false;
}

/* The first of those that are not told, behind others that are. */
static bool is_behind_items(const struct record *record, uint32_t i)
{
	struct fc_value_item item;
	uint32_t first = btf_vlen(proto_of(record));
	const struct fc_value_bytes *rest = first ? find_rest(record, --first) : NULL;
	return rest && rest->is_cut && i >= first && !find_item(record, i, &item) &&
	       (i == first || find_item(record, i - 1, &item));
}

bool fc_values_args_text(const struct fc_values *values, struct fc_value_words args,
			 struct fc_value_words result, struct fc_value_text *ret)
{
	struct call_record call;
	fc_value_text_clear(ret);
	if (!find_call(values, args, result, &call))
		return false;
	const struct btf_type *proto = proto_of(&call.given);
	for (uint32_t i = 0; i < btf_vlen(proto); i++) {
		uint32_t type = btf_params(proto)[i].type;
		const struct fc_value_bytes *rest = find_rest(&call.given, i);
		if (rest) {
			put_rest(ret, &call.given, rest, !i);
			break;
		}
		fc_value_text_add(ret, i ? ", " : "");
		if (!type) {
			fc_value_text_add(ret, "...");
			break;
		}
		put_arg(ret, &call, i, type);
	}
	return true;
}

bool fc_values_arg_text(const struct fc_values *values, struct fc_value_words args,
			struct fc_value_words result, uint32_t i, struct fc_value_text *ret)
{
	struct call_record call;
	struct fc_value_item item;
	fc_value_text_clear(ret);
	if (!find_call(values, args, result, &call))
		return false;
	if (find_item(&call.given, i, &item)) {
		fc_value_item_text(ret, &item);
		return true;
	}
	if (i >= btf_vlen(proto_of(&call.given)) || find_rest(&call.given, i))
		return false;
	uint32_t type = btf_params(proto_of(&call.given))[i].type;
	if (type)
		put_arg(ret, &call, i, type);
	return type;
}

bool fc_values_arg_line(const struct fc_values *values, struct fc_value_words args,
			struct fc_value_words result, uint32_t i, struct fc_value_text *ret)
{
	struct call_record call;
	struct fc_value_item item;
	char number[16];
	fc_value_text_clear(ret);
	snprintf(number, sizeof(number), "arg%u", i + 1);
	if (!find_call(values, args, result, &call))
		return false;
	if (find_item(&call.given, i, &item)) {
		fc_value_text_add(ret, number);
		fc_value_text_add(ret, " = ");
		fc_value_item_text(ret, &item);
		return true;
	}
	if (is_behind_items(&call.given, i)) {
		fc_value_text_add(ret, "...");
		return true;
	}
	if (i >= btf_vlen(proto_of(&call.given)) || find_rest(&call.given, i))
		return false;
	const struct btf_param *param = &btf_params(proto_of(&call.given))[i];
	const char *name = btf__str_by_offset(fc_types_btf(call.given.types), param->name_off);
	if (!param->type) {
		fc_value_text_add(ret, "...");
		return true;
	}
	fc_declared_put(ret, call.given.types, param->type, name && *name ? name : number);
	fc_value_text_add(ret, " = ");
	put_arg(ret, &call, i, param->type);
	return true;
}

static void put_param_name(struct fc_value_text *text, const struct record *record, uint32_t i)
{
	const struct btf_param *param = &btf_params(proto_of(record))[i];
	const char *name = btf__str_by_offset(fc_types_btf(record->types), param->name_off);
	char words[64];
	snprintf(words, sizeof(words), "arg%u", i + 1);
	if (name && *name)
		snprintf(words, sizeof(words), "%s", name);
	fc_make_printable(words, strlen(words));
	fc_value_text_add(text, words);
}

bool fc_values_written_text(const struct fc_values *values, struct fc_value_words args,
			    struct fc_value_words result, struct fc_value_text *ret)
{
	struct call_record call;
	fc_value_text_clear(ret);
	if (!find_call(values, args, result, &call) || !call.has_after)
		return false;
	struct call_record begun = { .given = call.given };
	for (uint32_t i = 0; i < fc_param_nr(call.given.types, call.given.format->type); i++) {
		struct fc_value_text before, after;
		uint32_t type = btf_params(proto_of(&call.given))[i].type;
		fc_value_text_clear(&before);
		fc_value_text_clear(&after);
		put_arg(&before, &begun, i, type);
		put_arg(&after, &call, i, type);
		if (!strcmp(before.at, after.at))
			continue;
		fc_value_text_add(ret, ret->nr ? ", " : "");
		put_param_name(ret, &call.given, i);
		fc_value_text_add(ret, " = ");
		fc_value_text_add(ret, after.at);
	}
	return ret->nr;
}

static void put_error(struct fc_value_text *text, int64_t error)
{
	const char *name = error > 0 && error < FC_ERRORS ? strerrorname_np((int)error) : NULL;
	fc_value_text_add(text, name ? " " : "");
	fc_value_text_add(text, name ? name : "");
}

static bool find_errno(const struct record *record, int *ret)
{
	for (uint32_t i = 0; i < record->format->nr; i++) {
		const struct fc_value_bytes *bytes = &record->part[i];
		if (record->format->part[i].level != FC_LEVEL_ERRNO || !bytes->is_there ||
		    bytes->nr != sizeof(int))
			continue;
		*ret = (int)signed_of(bytes, sizeof(int));
		return true;
	}
	return false;
}

/* What a call that failed says of why: "-1 ENOENT"; or, if it returns errors, "16 EBUSY". */
static void add_errno(struct fc_value_text *text, const struct record *record,
		      const struct fc_value_shown *shown)
{
	struct fc_value_bytes value = shown->value;
	if (value.nr == sizeof(int) && fc_value_is_errno(record->types, record->func))
		put_error(text, signed_of(&value, sizeof(int)));
	int error;
	if (find_errno(record, &error))
		put_error(text, error);
}

/* A pointer that is an error, as the kernel's functions return them, is told as its number. */
static bool put_error_pointer(struct fc_value_text *text, const struct record *record,
			      const struct fc_value_shown *shown)
{
	enum { WORD = 8, DIGITS = 16 };
	char digits[DIGITS];
	int error;
	if (shown->value.nr != WORD || !find_errno(record, &error) ||
	    signed_of(&shown->value, WORD) != -(int64_t)error)
		return false;
	snprintf(digits, sizeof(digits), "%d", -error);
	fc_value_text_add(text, digits);
	return true;
}

bool fc_values_result_text(const struct fc_values *values, struct fc_value_words result,
			   struct fc_value_text *ret)
{
	struct record record;
	struct fc_value_shown shown;
	fc_value_text_clear(ret);
	if (!find_result(values, result, &record))
		return false;
	show_result(&record, &shown);
	if (!put_error_pointer(ret, &record, &shown))
		put(ret, &record, FC_PARAM_RESULT, proto_of(&record)->type, &shown);
	add_errno(ret, &record, &shown);
	return true;
}

bool fc_values_is_failure(const struct fc_values *values, struct fc_value_words result)
{
	struct fc_value_shown shown;
	struct record record;
	if (!find_result(values, result, &record))
		return false;
	show_result(&record, &shown);
	struct fc_value_bytes value = shown.value;
	uint64_t size = fc_types_size(record.types, proto_of(&record)->type);
	if (size < sizeof(int) || size > sizeof(int64_t) || value.nr < size)
		return false;
	return fc_value_is_failure(record.types, record.func, signed_of(&value, size));
}

static void take_bytes(const struct fc_value_bytes *bytes, struct fc_scalar *ret)
{
	size_t nr = bytes->nr < FC_VALUE_TEXT - 1 ? bytes->nr : FC_VALUE_TEXT - 1;
	memcpy(ret->text.at, nr ? bytes->at : (const uint8_t *)"", nr);
	ret->text.at[nr] = 0;
	ret->text.nr = strlen(ret->text.at);
	if (bytes->is_masked && nr)
		fc_value_text_add(&ret->text, "<masked>");
	ret->kind = bytes->is_masked && !nr ? FC_SCALAR_NONE : FC_SCALAR_TEXT;
}

/* A float is read from how it is shown. False: it cannot be told. */
static bool take_real(struct fc_scalar *ret)
{
	char *end;
	ret->kind = FC_SCALAR_FLOAT;
	ret->real = strtod(ret->text.at, &end);
	return end != ret->text.at; /* else it is "?" */
}

static bool take_item(const struct fc_value_item *item, struct fc_scalar *ret)
{
	*ret = (struct fc_scalar){ .kind = FC_SCALAR_INT };
	if (item->kind == FCA_ITEM_TEXT && item->text.is_there) {
		take_bytes(&item->text, ret);
		return ret->kind;
	}
	if (fc_value_item_number(item, &ret->number))
		return true;
	fc_value_item_text(&ret->text, item);
	ret->kind = FC_SCALAR_TEXT;
	return item->kind != FCA_ITEM_FLOAT || take_real(ret);
}

/* A string is its bytes, without quotation marks; one that is not there is its address. */
static bool take_string(const struct record *record, uint32_t type,
			const struct fc_value_shown *shown, struct fc_scalar *ret)
{
	struct fc_value_bytes string;
	if (!fc_value_string(record->types, type, &shown->value, &shown->links, &string))
		return false;
	take_bytes(&string, ret);
	return true;
}

static bool is_number(const struct btf_type *type)
{
	return type && (btf_is_int(type) || btf_is_any_enum(type) || btf_is_ptr(type));
}

/* False: it is no number of at most 64 bits, or one that does not fit. */
static bool take_number(const struct record *record, uint32_t id,
			const struct fc_value_bytes *value, struct fc_scalar *ret)
{
	const struct btf_type *type = btf__type_by_id(fc_types_btf(record->types), id);
	uint64_t size = fc_types_size(record->types, id);
	if (!is_number(type) || !size || size > sizeof(uint64_t) || value->nr < size)
		return false;
	bool is_signed = fc_types_is_signed(record->types, id);
	uint64_t word = fc_value_number(value, size);
	ret->number = is_signed ? signed_of(value, size) : (int64_t)word;
	ret->kind = FC_SCALAR_INT;
	return is_signed || word <= INT64_MAX;
}

static bool take_scalar(const struct record *record, uint32_t param, uint32_t type,
			const struct fc_value_shown *shown, struct fc_scalar *ret)
{
	uint32_t id = fc_types_resolve(record->types, type);
	const struct btf_type *what =
		id ? btf__type_by_id(fc_types_btf(record->types), id) : NULL;
	struct fc_value_bytes value = shown->value;
	*ret = (struct fc_scalar){ 0 };
	if (!value.is_there || is_masked(record, param))
		return false;
	const struct fc_value_bytes *behind =
		what && btf_is_ptr(what)
			? fc_value_behind(record->types, what->type, &value, &shown->links)
			: NULL;
	bool is_shown = behind && (behind->nr || behind->is_list);
	if (take_string(record, id, shown, ret))
		return ret->kind;
	if (!is_shown && take_number(record, id, &value, ret))
		return true;
	fc_value_text_put(&ret->text, record->types, type, &value, &shown->links);
	ret->kind = FC_SCALAR_TEXT;
	return !fc_types_is_float(record->types, id) || take_real(ret);
}

bool fc_values_arg(const struct fc_values *values, struct fc_value_words args,
		   struct fc_value_words result, uint32_t i, struct fc_scalar *ret)
{
	struct call_record call;
	struct fc_value_item item;
	if (!find_call(values, args, result, &call))
		return false;
	if (find_item(&call.given, i, &item))
		return take_item(&item, ret);
	if (i >= btf_vlen(proto_of(&call.given)) || find_rest(&call.given, i))
		return false;
	uint32_t type = btf_params(proto_of(&call.given))[i].type;
	struct fc_value_shown shown;
	show_arg(&call, i, &shown);
	return type && take_scalar(&call.given, i, type, &shown, ret);
}

bool fc_values_result(const struct fc_values *values, struct fc_value_words result,
		      struct fc_scalar *ret)
{
	struct record record;
	struct fc_value_shown shown;
	if (!find_result(values, result, &record))
		return false;
	show_result(&record, &shown);
	return take_scalar(&record, FC_PARAM_RESULT, proto_of(&record)->type, &shown, ret);
}

bool fc_values_find(const struct fc_values *values, struct fc_value_words args,
		    struct fc_value_words result, uint32_t param, struct fc_value_found *ret)
{
	struct call_record call;
	bool is_result = param == FC_PARAM_RESULT;
	if (is_result ? !find_result(values, result, &call.given)
		      : !find_call(values, args, result, &call))
		return false;
	const struct record *record = &call.given;
	if (is_masked(record, param) || (!is_result && param >= btf_vlen(proto_of(record))))
		return false;
	ret->types = record->types;
	ret->type =
		is_result ? proto_of(record)->type : btf_params(proto_of(record))[param].type;
	if (is_result)
		show_result(record, &ret->shown);
	else
		show_arg(&call, param, &ret->shown);
	return ret->type && ret->shown.value.is_there;
}

bool fc_values_func(const struct fc_values *values, struct fc_value_words words,
		    const struct fc_types **types, uint32_t *func)
{
	struct record record;
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
	struct record record;
	return find_result(values, result, &record) && find_errno(&record, ret);
}
