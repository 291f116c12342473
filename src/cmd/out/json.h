/* SPDX-License-Identifier: Apache-2.0 */
/*
 * json.h - JSON written piece by piece: commas, line breaks and escapes are taken care of.
 *
 * key is NULL inside an array. Strings that are not UTF-8 get U+FFFD for what is wrong.
 */
#ifndef FC_CMD_OUT_JSON_H
#define FC_CMD_OUT_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct fc_json {
	FILE *out;
	int depth;
	bool has_item; /* at this depth */
	bool is_line;  /* no line breaks but the one behind it */
};

/* bracket: '{' or '['. */
void fc_json_open(struct fc_json *json, const char *key, char bracket);
void fc_json_close(struct fc_json *json, char bracket);

/* NULL is null. */
void fc_json_string(struct fc_json *json, const char *key, const char *value);
void fc_json_number(struct fc_json *json, const char *key, uint64_t value);
/* A number that is written already. */
void fc_json_literal(struct fc_json *json, const char *key, const char *value);
void fc_json_bool(struct fc_json *json, const char *key, bool value);
void fc_json_null(struct fc_json *json, const char *key);

#endif
