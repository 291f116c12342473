/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/json.h"

#include <stddef.h>
#include <string.h>

#include "base/printable.h"

static void put_ascii(FILE *out, unsigned char c)
{
	if (c == '"' || c == '\\')
		fprintf(out, "\\%c", c);
	else if (c < 0x20 || c == 0x7f)
		fprintf(out, "\\u%04x", c);
	else
		fputc(c, out);
}

/* Control characters beyond ASCII are escaped as well: JSON is looked at on terminals, too. */
static void put_wide(FILE *out, const char *s, size_t len)
{
	if (len == 2 && (unsigned char)s[0] == 0xc2 && (unsigned char)s[1] < 0xa0)
		fprintf(out, "\\u%04x", (unsigned char)s[1]);
	else
		fwrite(s, 1, len, out);
}

static void put_string(FILE *out, const char *value)
{
	const char *end = value + strlen(value);

	fputc('"', out);
	while (value < end) {
		size_t len = fc_utf8_len(value, (size_t)(end - value));
		if (len == 1)
			put_ascii(out, (unsigned char)*value);
		else if (len)
			put_wide(out, value, len);
		else
			fputs("\\ufffd", out);
		value += len ? len : 1;
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
