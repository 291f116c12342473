/* SPDX-License-Identifier: Apache-2.0 */
/* json.c - writes JSON with line breaks and indentation. */
#include "cmd/out/json.h"

#include <stddef.h>
#include <string.h>

#include "base/escape.h"

static void put_string(FILE *out, const char *value)
{
	const char *end = value + strlen(value);
	struct fc_escaped escaped;

	fputc('"', out);
	while (value < end) {
		value += fc_escape_json(value, (size_t)(end - value), &escaped);
		fwrite(escaped.text, 1, escaped.len, out);
	}
	fputc('"', out);
}

static void new_line(struct fc_json *json)
{
	if (json->is_line)
		return;
	fputc('\n', json->out);
	for (int i = 0; i < json->depth; i++)
		fputs("  ", json->out);
}

static void begin_item(struct fc_json *json, const char *key)
{
	if (json->has_item)
		fputc(',', json->out);
	if (json->depth)
		new_line(json);
	json->has_item = true;
	if (key) {
		put_string(json->out, key);
		fputs(": ", json->out);
	}
}

void fc_json_open(struct fc_json *json, const char *key, char bracket)
{
	begin_item(json, key);
	fputc(bracket, json->out);
	json->depth++;
	json->has_item = false;
}

void fc_json_close(struct fc_json *json, char bracket)
{
	json->depth--;
	if (json->has_item)
		new_line(json);
	fputc(bracket == '{' ? '}' : ']', json->out);
	json->has_item = true;
	if (!json->depth)
		fputc('\n', json->out);
}

void fc_json_string(struct fc_json *json, const char *key, const char *value)
{
	if (!value) {
		fc_json_null(json, key);
		return;
	}
	begin_item(json, key);
	put_string(json->out, value);
}

void fc_json_number(struct fc_json *json, const char *key, uint64_t value)
{
	begin_item(json, key);
	fprintf(json->out, "%llu", (unsigned long long)value);
}

void fc_json_literal(struct fc_json *json, const char *key, const char *value)
{
	begin_item(json, key);
	fputs(value, json->out);
}

void fc_json_bool(struct fc_json *json, const char *key, bool value)
{
	begin_item(json, key);
	fputs(value ? "true" : "false", json->out);
}

void fc_json_null(struct fc_json *json, const char *key)
{
	begin_item(json, key);
	fputs("null", json->out);
}
