/* SPDX-License-Identifier: Apache-2.0 */
/* quoted.c - quotes names for JSON and TSDL, and keeps what it made. */
#include "show/export/quoted.h"

#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/memory.h"
#include "base/printable.h"

/* ---- JSON ---- */

void fc_quote_json(struct fc_stream *out, const char *text, size_t len)
{
	const char *end = text + len;
	struct fc_escaped escaped;

	fc_stream_char(out, '"');
	while (text < end) {
		text += fc_escape_json(text, (size_t)(end - text), &escaped);
		fc_stream_put(out, escaped.text, escaped.len);
	}
	fc_stream_char(out, '"');
}

void fc_put_json_task(struct fc_stream *out, int pid, int64_t tid)
{
	fc_stream_literal(out, ",\"pid\":");
	fc_stream_signed(out, pid);
	fc_stream_literal(out, ",\"tid\":");
	fc_stream_signed(out, tid);
}

/* ---- TSDL ---- */

size_t fc_utf8_take(const char *text, size_t len, const char **ret, size_t *ret_len)
{
	size_t nr = fc_utf8_len(text, len);

	*ret = nr ? text : "\xef\xbf\xbd";
	*ret_len = nr ? nr : 3;
	return nr ? nr : 1;
}

/* As in C; three octal digits are the escape whose end everybody sees. */
void fc_quote_tsdl(struct fc_stream *out, const char *text, size_t len)
{
	const char *piece;
	size_t nr;

	fc_stream_char(out, '"');
	while (len) {
		size_t taken = fc_utf8_take(text, len, &piece, &nr);
		unsigned char c = (unsigned char)*piece;
		char octal[] = { '\\', (char)('0' + (c >> 6)), (char)('0' + (c >> 3 & 7)),
				 (char)('0' + (c & 7)) };
		if (c < 0x20 || c == 0x7f || c == '"' || c == '\\')
			fc_stream_put(out, octal, sizeof(octal));
		else
			fc_stream_put(out, piece, nr);
		text += taken;
		len -= taken;
	}
	fc_stream_char(out, '"');
}

/* ---- names ---- */

struct made {
	FC_VEC(char) text;
};

static int gather(void *ctx, const void *data, size_t len)
{
	struct made *made = ctx;

	fc_vec_reserve(&made->text, len);
	memcpy(made->text.at + made->text.nr, data, len);
	made->text.nr += len;
	return 0;
}

struct fc_quoted_text fc_quoted_make(fc_quote quote, const char *text)
{
	struct made made = { 0 };
	struct fc_stream out;

	fc_stream_init(&out, gather, &made);
	quote(&out, text, strlen(text));
	fc_stream_flush(&out);
	fc_stream_deinit(&out);
	fc_vec_push(&made.text, '\0');
	return (struct fc_quoted_text){ made.text.at, made.text.nr - 1 };
}

static struct fc_quoted_text module_text(struct fc_quoted *quoted, const char *name)
{
	fc_vec_each (&quoted->modules, module) {
		if (module->name == name)
			return module->text;
	}
	struct fc_quoted_text text = fc_quoted_make(quoted->quote, name);
	fc_vec_push(&quoted->modules, (struct fc_quoted_module){ name, text });
	return text;
}

struct fc_quoted_func fc_quoted_ask(struct fc_quoted *quoted, uint32_t func)
{
	struct fc_name name = quoted->namer.name_of(quoted->namer.ctx, func);

	return *fc_vec_make(&quoted->funcs, func) = (struct fc_quoted_func){
		.name = fc_quoted_make(quoted->quote, name.name),
		.module = module_text(quoted, name.module),
	};
}

void fc_quoted_init(struct fc_quoted *quoted, struct fc_namer namer, fc_quote quote)
{
	*quoted = (struct fc_quoted){ .namer = namer, .quote = quote };
}

void fc_quoted_deinit(struct fc_quoted *quoted)
{
	fc_vec_each (&quoted->funcs, func)
		free((char *)func->name.text);
	fc_vec_each (&quoted->modules, module)
		free((char *)module->text.text);
	fc_vec_free(&quoted->funcs);
	fc_vec_free(&quoted->modules);
}
