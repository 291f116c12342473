/* SPDX-License-Identifier: Apache-2.0 */
/* quoted.h - the names of functions as a format writes them, made once each. */
#ifndef FC_SHOW_EXPORT_QUOTED_H
#define FC_SHOW_EXPORT_QUOTED_H

#include "base/stream.h"
#include "base/vec.h"
#include "calls/names.h"

/* Text of len bytes, as the format writes it. */
typedef void (*fc_quote)(struct fc_stream *out, const char *text, size_t len);

/* A JSON string, with its quotes. Bytes that are no UTF-8 become U+FFFD. */
void fc_quote_json(struct fc_stream *out, const char *text, size_t len);

/* The same of a whole text. */
static inline void fc_quote_json_text(struct fc_stream *out, const char *text)
{
	fc_quote_json(out, text, strlen(text));
}

/* Members of a JSON object that has others before them: a process and a thread. */
void fc_put_json_task(struct fc_stream *out, int pid, int64_t tid);

/* A string of TSDL, the language that describes CTF, with its quotes. The same of bytes. */
void fc_quote_tsdl(struct fc_stream *out, const char *text, size_t len);

/*
 * The first character of text, whose len is not 0: *ret_len bytes at *ret, those of U+FFFD if it
 * is no UTF-8. Returns how many bytes of text it is.
 */
size_t fc_utf8_take(const char *text, size_t len, const char **ret, size_t *ret_len);

struct fc_quoted_text {
	const char *text; /* NULL: not asked for yet */
	size_t len;
};

/* Some text, ended by a 0 behind len; the caller frees it. */
struct fc_quoted_text fc_quoted_make(fc_quote quote, const char *text);

struct fc_quoted_func {
	struct fc_quoted_text name, module;
};

struct fc_quoted_module {
	const char *name; /* the namer's own: each module has one */
	struct fc_quoted_text text;
};

struct fc_quoted {
	struct fc_namer namer;
	fc_quote quote;
	FC_VEC(struct fc_quoted_func) funcs; /* by function id */
	FC_VEC(struct fc_quoted_module) modules;
};

void fc_quoted_init(struct fc_quoted *quoted, struct fc_namer namer, fc_quote quote);
void fc_quoted_deinit(struct fc_quoted *quoted);

struct fc_quoted_func fc_quoted_ask(struct fc_quoted *quoted, uint32_t func);

/* The texts live as long as quoted. */
static inline struct fc_quoted_func fc_quoted_get(struct fc_quoted *quoted, uint32_t func)
{
	if (func < quoted->funcs.nr && quoted->funcs.at[func].name.text)
		return quoted->funcs.at[func];
	return fc_quoted_ask(quoted, func);
}

#endif
