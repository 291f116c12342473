/* SPDX-License-Identifier: Apache-2.0 */
/* recorded_scalar.c - reads one value as a number or as text. */
#include "values/recorded_scalar.h"

#include <stdlib.h>
#include <string.h>

#include "values/recorded_private.h"

static void clear(struct fc_scalar *scalar)
{
	scalar->kind = FC_SCALAR_NONE;
	scalar->number = 0;
	scalar->real = 0;
	fc_value_text_clear(&scalar->text);
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
	clear(ret);
	ret->kind = FC_SCALAR_INT;
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
static bool take_string(const struct fc_recorded *record, uint32_t type,
			const struct fc_value_shown *shown, struct fc_scalar *ret)
{
	struct fc_value_bytes string;
	if (!fc_value_string(record->types, type, &shown->value, &shown->links, &string))
		return false;
	take_bytes(&string, ret);
	return true;
}

/* False: it is no number of at most 64 bits, or one that does not fit. */
static bool take_number(const struct fc_type *type, const struct fc_value_bytes *value,
			struct fc_scalar *ret)
{
	uint32_t size = type->size;
	if (!fc_type_is_whole(type) || !size || size > sizeof(uint64_t) || value->nr < size)
		return false;
	bool is_signed = fc_types_is_signed(type->types, type->id);
	uint64_t word = fc_value_number(value, size);
	ret->number = is_signed ? fc_recorded_signed(value, size) : (int64_t)word;
	ret->kind = FC_SCALAR_INT;
	return is_signed || word <= INT64_MAX;
}

static bool take_scalar(const struct fc_recorded *record, uint32_t param, uint32_t type,
			const struct fc_value_shown *shown, struct fc_scalar *ret)
{
	struct fc_type what = fc_type_at(record->types, type);
	struct fc_value_bytes value = shown->value;
	clear(ret);
	if (!value.is_there || fc_recorded_is_masked(record, param))
		return false;
	const struct fc_value_bytes *behind =
		what.kind == FC_TYPE_POINTER
			? fc_value_behind(record->types, what.of, &value, &shown->links)
			: NULL;
	bool is_shown = behind && (behind->nr || behind->is_list);
	if (take_string(record, what.id, shown, ret))
		return ret->kind;
	if (!is_shown && take_number(&what, &value, ret))
		return true;
	fc_value_text_put(&ret->text, record->types, type, &value, &shown->links);
	ret->kind = FC_SCALAR_TEXT;
	return what.kind != FC_TYPE_FLOAT || take_real(ret);
}

bool fc_values_arg(const struct fc_values *values, struct fc_value_words args,
		   struct fc_value_words result, uint32_t i, struct fc_scalar *ret)
{
	struct fc_recorded_call call;
	struct fc_value_item item;
	if (!fc_recorded_call(values, args, result, &call))
		return false;
	if (fc_recorded_item(&call.given, i, &item))
		return take_item(&item, ret);
	struct fc_type proto = fc_recorded_proto(&call.given);
	if (i >= proto.nr || fc_recorded_rest(&call.given, i))
		return false;
	struct fc_value_shown shown;
	fc_recorded_show_arg(&call, i, &shown);
	return take_scalar(&call.given, i, fc_type_param(&proto, i).type, &shown, ret);
}

bool fc_values_result(const struct fc_values *values, struct fc_value_words result,
		      struct fc_scalar *ret)
{
	struct fc_recorded record;
	struct fc_value_shown shown;
	if (!fc_recorded_result(values, result, &record))
		return false;
	fc_recorded_show_result(&record, &shown);
	return take_scalar(&record, FC_PARAM_RESULT, fc_recorded_proto(&record).of, &shown,
			   ret);
}
