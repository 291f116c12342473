/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/json.h"

#include <stddef.h>
#include <string.h>

/*
 * Length of the well-formed UTF-8 character at s, 0 if there is none (Unicode 15, table 3-7:
 * no overlong forms, no surrogates, nothing beyond U+10FFFF).
 */
static size_t utf8_len(const unsigned char *s)
{
	static const struct {
		unsigned char first, last, low, high; /* lead byte; second byte */
		size_t len;
	} forms[] = {
		{ 0xc2, 0xdf, 0x80, 0xbf, 2 }, { 0xe0, 0xe0, 0xa0, 0xbf, 3 },
		{ 0xe1, 0xec, 0x80, 0xbf, 3 }, { 0xed, 0xed, 0x80, 0x9f, 3 },
		{ 0xee, 0xef, 0x80, 0xbf, 3 }, { 0xf0, 0xf0, 0x90, 0xbf, 4 },
		{ 0xf1, 0xf3, 0x80, 0xbf, 4 }, { 0xf4, 0xf4, 0x80, 0x8f, 4 },
	};

	if (*s < 0x80)
		return 1;
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		if (*s < forms[i].first || *s > forms[i].last)
			continue;
		if (s[1] < forms[i].low || s[1] > forms[i].high)
			return 0;
		for (size_t k = 2; k < forms[i].len; k++) {
			if ((s[k] & 0xc0) != 0x80)
				return 0;
		}
		return forms[i].len;
	}
	return 0;
}

static void put_ascii(FILE *out, unsigned char c)
{
	if (c == '"' || c == '\\')
		fprintf(out, "\\%c", c);
	else if (c < 0x20 || c == 0x7f)
		fprintf(out, "\\u%04x", c);
	else
		fputc(c, out);
}

static void put_string(FILE *out, const char *value)
{
	const unsigned char *s = (const unsigned char *)value;

	fputc('"', out);
	while (*s) {
		size_t len = utf8_len(s);
		if (len == 1)
			put_ascii(out, *s);
		else if (len)
			fwrite(s, 1, len, out);
		else
			fputs("\\ufffd", out);
		s += len ? len : 1;
	}
	fputc('"', out);
}

static void new_line(struct fc_json *json)
{
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
