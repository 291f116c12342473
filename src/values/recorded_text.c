/* SPDX-License-Identifier: Apache-2.0 */
/*
 * recorded_text.c - formats what a call was given and gave back: "3, "abc", 16", "= -1 ENOENT".
 */
#include "values/recorded_text.h"

#include <stdio.h>
#include <string.h>

#include "base/printable.h"
#include "values/declared.h"
#include "values/failure.h"
#include "values/sockopt.h"
#include "values/recorded_private.h"

static void put(struct fc_value_text *text, const struct fc_recorded *record, uint32_t param,
		uint32_t type, const struct fc_value_shown *shown)
{
	if (fc_recorded_is_masked(record, param))
		fc_value_text_add(text, "<masked>");
	else
		fc_value_text_put(text, record->types, type, &shown->value, &shown->links);
	const struct fc_value_bytes *path = fc_recorded_part(record, param, FC_LEVEL_PATH);
	if (path && path->is_there && !fc_recorded_is_masked(record, param))
		fc_value_text_path(text, path);
}

/* A number that a function was given. False: it is not known. */
static bool find_number(const struct fc_recorded *record, uint32_t param, int64_t *ret)
{
	const struct fc_value_bytes *part = fc_recorded_part(record, param, 0);
	if (!part || !part->is_there || part->nr < sizeof(int))
		return false;
	*ret = fc_recorded_signed(part, sizeof(int));
	return true;
}

/* The name of a socket's option, and what it is set to. False: it is another argument, or not known. */
static bool put_option(struct fc_value_text *text, const struct fc_recorded *record, uint32_t i,
		       const struct fc_value_shown *shown)
{
	struct fc_sockopt_params params;
	int64_t level, option;
	char words[128];
	if (!fc_sockopt_params(record->types, record->func, &params) ||
	    (i != params.name && i != params.value) || fc_recorded_is_masked(record, i) ||
	    !find_number(record, params.level, &level) ||
	    !find_number(record, params.name, &option))
		return false;
	const char *name = fc_sockopt_name(level, option);
	if (i == params.name) {
		fc_value_text_add(text, name ? name : "");
		return name;
	}
	const struct fc_value_bytes *behind =
		fc_value_behind(record->types, 0, &shown->value, &shown->links);
	if (!behind || behind->is_masked ||
	    !fc_sockopt_value(level, option, behind->at, behind->nr, words, sizeof(words)))
		return false;
	fc_value_text_add(text, words);
	return true;
}

static void put_arg(struct fc_value_text *text, const struct fc_recorded_call *call, uint32_t i,
		    uint32_t type)
{
	struct fc_value_shown shown;
	fc_recorded_show_arg(call, i, &shown);
	if (i >= FC_SOCKOPT_FIRST && put_option(text, &call->given, i, &shown))
		return;
	put(text, &call->given, i, type, &shown);
}

static void put_rest(struct fc_value_text *text, const struct fc_recorded *record,
		     const struct fc_value_bytes *rest, bool is_first)
{
	struct fc_value_item item;
	size_t at = 0;
	while (fc_recorded_is_passed(record) && fc_value_item_next(rest, &at, &item)) {
		fc_value_text_add(text, is_first ? "" : ", ");
		fc_value_item_text(text, &item);
		is_first = false;
	}
	if (rest->is_cut)
		fc_value_text_add(text, is_first ? "..." : ", ...");
}

/* The first of those that are not told, behind others that are. */
static bool is_behind_items(const struct fc_recorded *record, uint32_t i)
{
	struct fc_value_item item;
	uint32_t first = fc_recorded_nr_args(record);
	const struct fc_value_bytes *rest = first ? fc_recorded_rest(record, --first) : NULL;
	return rest && rest->is_cut && i >= first && !fc_recorded_item(record, i, &item) &&
	       (i == first || fc_recorded_item(record, i - 1, &item));
}

bool fc_values_args_text(const struct fc_values *values, struct fc_value_words args,
			 struct fc_value_words result, struct fc_value_text *ret)
{
	struct fc_recorded_call call;
	fc_value_text_clear(ret);
	if (!fc_recorded_call(values, args, result, &call))
		return false;
	struct fc_type proto = fc_recorded_proto(&call.given);
	for (uint32_t i = 0; i < fc_recorded_nr_args(&call.given); i++) {
		const struct fc_value_bytes *rest = fc_recorded_rest(&call.given, i);
		if (rest) {
			put_rest(ret, &call.given, rest, !i);
			break;
		}
		fc_value_text_add(ret, i ? ", " : "");
		if (i == proto.nr) {
			fc_value_text_add(ret, "...");
			break;
		}
		put_arg(ret, &call, i, fc_type_param(&proto, i).type);
	}
	return true;
}

bool fc_values_arg_text(const struct fc_values *values, struct fc_value_words args,
			struct fc_value_words result, uint32_t i, struct fc_value_text *ret)
{
	struct fc_recorded_call call;
	struct fc_value_item item;
	fc_value_text_clear(ret);
	if (!fc_recorded_call(values, args, result, &call))
		return false;
	if (fc_recorded_item(&call.given, i, &item)) {
		fc_value_item_text(ret, &item);
		return true;
	}
	struct fc_type proto = fc_recorded_proto(&call.given);
	if (i >= proto.nr || fc_recorded_rest(&call.given, i))
		return false;
	put_arg(ret, &call, i, fc_type_param(&proto, i).type);
	return true;
}

bool fc_values_arg_line(const struct fc_values *values, struct fc_value_words args,
			struct fc_value_words result, uint32_t i, struct fc_value_text *ret)
{
	struct fc_recorded_call call;
	struct fc_value_item item;
	char number[16];
	fc_value_text_clear(ret);
	snprintf(number, sizeof(number), "arg%u", i + 1);
	if (!fc_recorded_call(values, args, result, &call))
		return false;
	if (fc_recorded_item(&call.given, i, &item)) {
		fc_value_text_add(ret, number);
		fc_value_text_add(ret, " = ");
		fc_value_item_text(ret, &item);
		return true;
	}
	if (is_behind_items(&call.given, i)) {
		fc_value_text_add(ret, "...");
		return true;
	}
	struct fc_type proto = fc_recorded_proto(&call.given);
	if (i >= fc_recorded_nr_args(&call.given) || fc_recorded_rest(&call.given, i))
		return false;
	if (i == proto.nr) {
		fc_value_text_add(ret, "...");
		return true;
	}
	struct fc_param param = fc_type_param(&proto, i);
	fc_declared_put(ret, call.given.types, param.type, *param.name ? param.name : number);
	fc_value_text_add(ret, " = ");
	put_arg(ret, &call, i, param.type);
	return true;
}

static void put_param_name(struct fc_value_text *text, const struct fc_type *proto, uint32_t i)
{
	const char *name = fc_type_param(proto, i).name;
	char words[64];
	snprintf(words, sizeof(words), "arg%u", i + 1);
	if (*name)
		snprintf(words, sizeof(words), "%s", name);
	fc_make_printable(words, strlen(words));
	fc_value_text_add(text, words);
}

bool fc_values_written_text(const struct fc_values *values, struct fc_value_words args,
			    struct fc_value_words result, struct fc_value_text *ret)
{
	struct fc_recorded_call call;
	fc_value_text_clear(ret);
	if (!fc_recorded_call(values, args, result, &call) || !call.has_after)
		return false;
	struct fc_recorded_call begun = { .given = call.given };
	struct fc_type proto = fc_recorded_proto(&call.given);
	for (uint32_t i = 0; i < proto.nr; i++) {
		struct fc_value_text before, after;
		uint32_t type = fc_type_param(&proto, i).type;
		fc_value_text_clear(&before);
		fc_value_text_clear(&after);
		put_arg(&before, &begun, i, type);
		put_arg(&after, &call, i, type);
		if (!strcmp(before.at, after.at))
			continue;
		fc_value_text_add(ret, ret->nr ? ", " : "");
		put_param_name(ret, &proto, i);
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

/* What a call that failed says of why: "-1 ENOENT"; or, if it returns errors, "16 EBUSY". */
static void add_errno(struct fc_value_text *text, const struct fc_recorded *record,
		      const struct fc_value_shown *shown)
{
	struct fc_value_bytes value = shown->value;
	if (value.nr == sizeof(int) && fc_value_is_errno(record->types, record->func))
		put_error(text, fc_recorded_signed(&value, sizeof(int)));
	int error;
	if (fc_recorded_errno(record, &error))
		put_error(text, error);
}

/* A pointer that is an error, as the kernel's functions return them, is told as its number. */
static bool put_error_pointer(struct fc_value_text *text, const struct fc_recorded *record,
			      const struct fc_value_shown *shown)
{
	enum { WORD = 8, DIGITS = 16 };
	char digits[DIGITS];
	int error;
	if (shown->value.nr != WORD || !fc_recorded_errno(record, &error) ||
	    fc_recorded_signed(&shown->value, WORD) != -(int64_t)error)
		return false;
	snprintf(digits, sizeof(digits), "%d", -error);
	fc_value_text_add(text, digits);
	return true;
}

bool fc_values_result_text(const struct fc_values *values, struct fc_value_words result,
			   struct fc_value_text *ret)
{
	struct fc_recorded record;
	struct fc_value_shown shown;
	fc_value_text_clear(ret);
	if (!fc_recorded_result(values, result, &record))
		return false;
	fc_recorded_show_result(&record, &shown);
	if (!put_error_pointer(ret, &record, &shown))
		put(ret, &record, FC_PARAM_RESULT, fc_recorded_proto(&record).of, &shown);
	add_errno(ret, &record, &shown);
	return true;
}
