/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_values.c - any bytes as what a trace tells of values: the table of formats, and the words of
 * marks. What is shown ends, and holds nothing that steers a terminal.
 */
#include <stdlib.h>
#include <string.h>

#include "base/little.h"
#include "values/recorded.h"
#include "values/recorded_scalar.h"
#include "values/recorded_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void check(const struct fc_value_text *text)
{
	if (text->nr >= sizeof(text->at) || strlen(text->at) != text->nr)
		abort();
	for (size_t i = 0; i < text->nr; i++)
		if ((unsigned char)text->at[i] < ' ' || text->at[i] == 0x7f)
			abort();
}

static void check_scalar(const struct fc_scalar *scalar)
{
	if (scalar->kind == FC_SCALAR_NONE || scalar->text.nr >= sizeof(scalar->text.at) ||
	    strlen(scalar->text.at) != scalar->text.nr)
		abort();
}

/* The size of the table (4 bytes), the table, then words of two marks. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct fc_value_text text;
	struct fc_scalar scalar;
	uint64_t word[2][64] = { { 0 } };
	if (size < 4 || fc_get_32(bytes) > size - 4)
		return 0;
	size_t nr_table = fc_get_32(bytes), left = size - 4 - nr_table;
	struct fc_values *values = fc_values_create();
	memcpy(word, bytes + 4 + nr_table, left < sizeof(word) ? left : sizeof(word));
	fc_values_add(values, bytes + 4, nr_table);
	for (uint32_t nr = 0; nr <= 64; nr += 7) {
		struct fc_value_words args = { word[0], nr }, result = { word[1], nr };
		if (fc_values_args_text(values, args, result, &text))
			check(&text);
		if (fc_values_result_text(values, result, &text))
			check(&text);
		for (uint32_t i = 0; i < 8; i++) {
			if (fc_values_arg(values, args, result, i, &scalar))
				check_scalar(&scalar);
			if (fc_values_arg_text(values, args, result, i, &text))
				check(&text);
			if (fc_values_arg_line(values, args, result, i, &text))
				check(&text);
		}
		if (fc_values_result(values, result, &scalar))
			check_scalar(&scalar);
		fc_values_is_failure(values, result);
	}
	fc_values_destroy(values);
	return 0;
}
