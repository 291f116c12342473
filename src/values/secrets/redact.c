/* SPDX-License-Identifier: Apache-2.0 */
/* redact.c - finds secrets in texts by keywords and formats. */
#include "values/secrets/redact.h"

#include <ctype.h>
#include <string.h>

#include "values/type.h"

enum {
	WORD = 8,
	MOST_TEXTS = FCA_VALUE_WORDS, /* each has a word in front */
	MOST_NAME = 64,
	ALL = -1,   /* nothing is taken out */
	SHORT = 64, /* bytes of a text that is not cut into pieces */
};

/* Bytes of a mark, and the word in front of them that says how many. */
struct text {
	uint32_t head;
	uint32_t nr;
	int part; /* of the format; -1: one of those that stand for "..." */
	bool is_raw; /* no text: pointers, a path of /proc; it is a secret only where it is hidden */
	int keep; /* bytes that stay, or ALL */
};

struct redaction {
	const struct fc_redact_place *place;
	const struct fc_masks *masks;
	const struct fc_types *types;
	const struct fc_value_format *format;
	uint64_t *words;
	uint32_t nr_words, nr;
	uint32_t at[FCA_MAX_FETCHES]; /* of each part: its first word; 0: it is not there */
	bool has_begun;		      /* the call is among those that were given secrets */
	struct text text[MOST_TEXTS];
};

static uint32_t words_of(uint64_t bytes)
{
	return (uint32_t)((bytes + WORD - 1) / WORD);
}

static bool is_text(uint8_t how)
{
	return how == FCA_FETCH_STRING || how == FCA_FETCH_ARRAY || how == FCA_FETCH_REST;
}

bool fc_redact_concerns(const struct fc_value_format *format)
{
	for (uint32_t i = 0; i < format->nr; i++)
		if (is_text(format->part[i].fetch.how) || format->part[i].is_hidden ||
		    format->part[i].fetch.how == FCA_FETCH_BYTES)
			return true;
	return false;
}

bool fc_redact_hides(const struct fc_value_format *format)
{
	for (uint32_t i = 0; i < format->nr; i++)
		if (format->part[i].is_hidden)
			return true;
	return false;
}

bool fc_redact_may_go_on(const struct fc_value_format *format)
{
	for (uint32_t i = 0; i < format->nr; i++)
		if ((format->part[i].fetch.how == FCA_FETCH_STRING ||
		     format->part[i].fetch.how == FCA_FETCH_ARRAY) &&
		    format->part[i].fetch.size > SHORT)
			return true;
	return false;
}

bool fc_redact_is_secretive(const struct fc_value_format *exit)
{
	for (uint32_t i = 0; i < exit->nr; i++)
		if (exit->part[i].param == FC_PARAM_RESULT &&
		    fc_format_is_masked(&exit->part[i]))
			return true;
	return false;
}

static const char *bytes_of(const struct redaction *r, const struct text *text)
{
	return (const char *)(r->words + text->head + 1);
}

/* The bytes behind the word at *at, and what comes behind them. False: they are not there. */
static bool add(struct redaction *r, uint32_t *at, int part, bool is_raw)
{
	uint32_t nr = r->words[*at] & FCA_GOT_BYTES;
	if (words_of(nr) > r->nr_words - *at - 1)
		return false;
	if (r->nr < MOST_TEXTS)
		r->text[r->nr++] = (struct text){ *at, nr, part, is_raw, ALL };
	*at += 1 + words_of(nr);
	return true;
}

/* What stands for "...". */
static bool add_rest(struct redaction *r, uint32_t *at)
{
	for (uint32_t left = r->words[(*at)++] & FCA_GOT_BYTES; left; left--) {
		bool is_there = *at < r->nr_words;
		bool is_item = is_there && fca_item_kind(r->words[*at]) == FCA_ITEM_BYTES;
		if (!is_there || !add(r, at, -1, !is_item))
			return false;
	}
	return true;
}

/* What a part gave. False: it is not there, or not whole. */
static bool add_part(struct redaction *r, uint32_t *at, uint32_t i)
{
	const struct fca_fetch *fetch = &r->format->part[i].fetch;
	bool is_raw = fetch->how == FCA_FETCH_ERROR || fetch->how == FCA_FETCH_DESCRIPTOR ||
		      fetch->how == FCA_FETCH_POINTERS;
	if (fetch->how == FCA_FETCH_VALUE) {
		*at += words_of(fetch->size);
		return *at <= r->nr_words;
	}
	if (*at >= r->nr_words)
		return false;
	return fetch->how == FCA_FETCH_REST ? add_rest(r, at) : add(r, at, (int)i, is_raw);
}

/* Where all texts and bytes are. What had no room, and all behind it, is not there. */
static void find_texts(struct redaction *r)
{
	uint32_t at = 1;
	for (uint32_t i = 0; i < r->format->nr; i++) {
		uint32_t begin = at;
		if (!add_part(r, &at, i)) {
			r->nr_words = begin;
			return;
		}
		r->at[i] = begin;
	}
}

/* Does it name a secret? "DB_PASSWORD", "--api-key"; PWD is where a shell stands. */
static bool names_secret(const struct redaction *r, const char *text, size_t nr)
{
	char name[MOST_NAME];
	while (nr && *text == '-') {
		text++;
		nr--;
	}
	if (!nr || nr >= sizeof(name))
		return false;
	for (size_t i = 0; i < nr; i++)
		name[i] = text[i] == '-' || text[i] == '.' ? '_' : text[i];
	name[nr] = 0;
	return strcmp(name, "PWD") != 0 && strcmp(name, "OLDPWD") != 0 &&
	       fc_mask_names_secret(r->masks, name);
}

static bool is_of_name(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '-' || c == '.';
}

/* "NAME=value", "Name: value": bytes up to where the value begins; ALL: it is none, or no secret. */
static int find_named(const struct redaction *r, const char *text, size_t nr)
{
	size_t end = 0;
	while (end < nr && is_of_name(text[end]))
		end++;
	if (end == nr || (text[end] != '=' && text[end] != ':') || !names_secret(r, text, end))
		return ALL;
	end++;
	while (end < nr && text[end] == ' ')
		end++;
	return end < nr ? (int)end : ALL;
}

/* "postgres://me:password@host": bytes up to where the password begins. */
static int find_login(const char *text, size_t nr)
{
	const char *at = memmem(text, nr, "://", 3), *end = text + nr;
	const char *colon = NULL;
	for (at = at ? at + 3 : end; at < end && *at != '/' && *at != ' '; at++) {
		if (*at == ':' && !colon)
			colon = at + 1;
		if (*at == '@' && colon)
			return (int)(colon - text);
	}
	/* What is cut may have its @ behind that. */
	return colon && at == end && !isdigit((unsigned char)*colon) ? (int)(colon - text)
								     : ALL;
}

/* What a text itself says of what is in it, line by line. */
static int find_secret(const struct redaction *r, const char *text, size_t nr)
{
	for (size_t at = 0; at < nr;) {
		const char *end = memchr(text + at, '\n', nr - at);
		int keep = find_named(r, text + at, nr - at);
		if (keep != ALL)
			return (int)at + keep;
		at = end ? (size_t)(end - text) + 1 : nr;
	}
	return r->masks->is_unmasked ? ALL : find_login(text, nr);
}

/* The next text of the same list as an option that has its value there: "--password" */
static bool is_value_of_option(const struct redaction *r, uint32_t i)
{
	const struct text *text = &r->text[i], *before = &r->text[i - 1];
	if (!i || text->part < 0 || before->part < 0)
		return false;
	const struct fc_format_part *part = &r->format->part[text->part],
				    *option = &r->format->part[before->part];
	bool is_list = part->fetch.from == FCA_FROM_FETCH &&
		       option->fetch.from == FCA_FROM_FETCH &&
		       part->fetch.reg == option->fetch.reg;
	return is_list && before->nr && *bytes_of(r, before) == '-' &&
	       !memchr(bytes_of(r, before), '=', before->nr) &&
	       names_secret(r, bytes_of(r, before), before->nr);
}

/* Does a parameter that is a text name the value of this one, or of the result? */
static bool is_named_by_other(const struct redaction *r, uint32_t param)
{
	uint32_t by;
	if (!r->format->type || !fc_param_named_by(r->types, r->format->type, param, &by))
		return false;
	for (uint32_t i = 0; i < r->nr; i++) {
		const struct text *text = &r->text[i];
		if (text->part < 0 || r->format->part[text->part].param != by ||
		    r->format->part[text->part].level != 1)
			continue;
		return names_secret(r, bytes_of(r, text), text->nr);
	}
	return false;
}

/* ---- what the calls are given that are open ---- */

/* The word at off within a part; 0: it is not there. */
static uint64_t word_in(const struct redaction *r, uint32_t i, uint32_t off)
{
	uint64_t ret = 0;
	if (i >= r->format->nr || !r->at[i])
		return 0;
	const struct fca_fetch *fetch = &r->format->part[i].fetch;
	bool is_value = fetch->how == FCA_FETCH_VALUE;
	const uint64_t *word = r->words + r->at[i];
	uint64_t size = is_value ? words_of(fetch->size) * WORD : *word & FCA_GOT_BYTES;
	if ((uint64_t)off + WORD <= size)
		memcpy(&ret, (const char *)(word + !is_value) + off, WORD);
	return ret;
}

static bool is_pointer_value(const struct fc_format_part *part)
{
	return part->fetch.how == FCA_FETCH_VALUE && part->fetch.size == WORD && !part->level;
}

/* Where that is what a part gave; 0: the mark does not tell. */
static uint64_t address_of(const struct redaction *r, uint32_t i)
{
	const struct fc_format_part *part = &r->format->part[i];
	if (part->fetch.from == FCA_FROM_FETCH && part->fetch.off >= 0)
		return word_in(r, part->fetch.reg, (uint32_t)part->fetch.off);
	for (uint32_t k = 0; k < r->format->nr && part->level == 1; k++)
		if (r->format->part[k].param == part->param &&
		    is_pointer_value(&r->format->part[k]))
			return word_in(r, k, 0);
	return 0;
}

/* Among the calls that were given secrets, or pointers to some. */
static void begin_call(struct redaction *r)
{
	if (!r->has_begun)
		fc_given_begin(r->place->given, r->place->depth + 1,
			       fca_format_func(r->format->key));
	r->has_begun = true;
}

static bool is_entry(const struct redaction *r)
{
	return !(r->format->key & 1);
}

/* Bytes of a text, from the from-th on, are a secret of the call. */
static void give(struct redaction *r, const struct text *text, uint32_t from, uint32_t nr)
{
	const struct fc_format_part *part = &r->format->part[text->part];
	uint64_t at = address_of(r, (uint32_t)text->part);
	bool is_cut = r->words[text->head] & FCA_GOT_MORE;
	/* What goes on beyond what was read is a secret, too; how far is not known. */
	uint64_t more = is_cut && is_text(part->fetch.how) ? UINT16_MAX : 0;
	begin_call(r);
	fc_given_add(r->place->given, at ? at + from : 0, nr + more, bytes_of(r, text) + from,
		     nr, is_text(part->fetch.how));
}

static bool is_pointer(const struct redaction *r, uint32_t param)
{
	uint32_t type = fc_param_type(r->types, r->format->type, param);
	return fc_type_at(r->types, type).kind == FC_TYPE_POINTER;
}

/* A hidden value itself: its words become zeroes. What a pointer leads to may be written by the call. */
static void hide_value(struct redaction *r, uint32_t i)
{
	const struct fc_format_part *part = &r->format->part[i];
	uint64_t *word = r->words + r->at[i];
	if (is_pointer(r, part->param))
		fc_given_add(r->place->given, *word, 1, "", 0, false);
	else
		fc_given_add(r->place->given, 0, 0, (const char *)word, part->fetch.size,
			     false);
	memset(word, 0, words_of(part->fetch.size) * WORD);
}

/* What is only there to know secrets by: texts first, as the values are their addresses. */
static void take_hidden(struct redaction *r)
{
	for (uint32_t i = 0; i < r->nr; i++) {
		struct text *text = &r->text[i];
		if (text->part < 0 || !r->format->part[text->part].is_hidden)
			continue;
		text->keep = 0;
		give(r, text, 0, text->is_raw ? 0 : text->nr);
	}
	for (uint32_t i = 0; i < r->format->nr; i++) {
		const struct fc_format_part *part = &r->format->part[i];
		if (!part->is_hidden)
			continue;
		begin_call(r);
		if (!r->at[i])
			fc_given_add_unknown(r->place->given);
		else if (part->fetch.how == FCA_FETCH_VALUE)
			hide_value(r, i);
	}
}

/* Is it behind a pointer to a secret that the call was given when it began? */
static bool is_behind_given(const struct redaction *r, const struct fc_format_part *part)
{
	return !is_entry(r) && part->param != FC_PARAM_RESULT &&
	       fc_given_has_param(r->place->given, r->place->depth,
				  fca_format_func(r->format->key), part->param);
}

/* Pointers that lead into what an outer call was given: what they lead to when the call ends is that, too. */
static void note_params(struct redaction *r)
{
	for (uint32_t i = 0; i < r->format->nr && is_entry(r); i++) {
		const struct fc_format_part *part = &r->format->part[i];
		if (!r->at[i] || part->is_hidden || !is_pointer_value(part) ||
		    !fc_given_has_address(r->place->given, word_in(r, i, 0)))
			continue;
		begin_call(r);
		fc_given_add_param(r->place->given, part->param);
	}
}

/* NULL: it is of none. */
static const struct fc_format_part *part_of(const struct redaction *r, const struct text *text)
{
	return text->part < 0 ? NULL : &r->format->part[text->part];
}

/* What calls around it were given, or this one is given under another name. */
static void judge_given(struct redaction *r)
{
	const struct fc_given *given = r->place->given;
	for (uint32_t i = 0; i < r->nr; i++) {
		struct text *text = &r->text[i];
		const struct fc_format_part *part = part_of(r, text);
		if (text->is_raw || !text->keep)
			continue;
		size_t nr = text->keep == ALL ? text->nr : (size_t)text->keep;
		size_t keep = fc_given_find(given, bytes_of(r, text), text->nr);
		bool is_there =
			part &&
			(is_behind_given(r, part) ||
			 fc_given_has_address(given, address_of(r, (uint32_t)text->part)));
		if (is_there)
			text->keep = 0;
		else if (keep < nr)
			text->keep = !part || is_text(part->fetch.how) ? (int)keep : 0;
	}
}

/* Where what a text says of a secret in it ends. */
static uint32_t end_of_secret(const struct redaction *r, const struct text *text)
{
	const char *bytes = bytes_of(r, text);
	uint32_t end = (uint32_t)text->keep;
	while (end < text->nr && bytes[end] != '\n' && bytes[end] != '\r')
		end++;
	const char *at = memrchr(bytes + text->keep, '@', end - (uint32_t)text->keep);
	bool is_login = memmem(bytes, (size_t)text->keep, "://", 3) && at;
	return is_login ? (uint32_t)(at - bytes) : end;
}

static void judge(struct redaction *r)
{
	for (uint32_t i = 0; i < r->nr; i++) {
		struct text *text = &r->text[i];
		const struct fc_format_part *part = part_of(r, text);
		if (text->is_raw || !text->keep)
			continue;
		bool is_named = (part && is_named_by_other(r, part->param)) ||
				(i && is_value_of_option(r, i));
		if (is_named || r->place->hides_all)
			text->keep = 0;
		else if (!part || is_text(part->fetch.how))
			text->keep = find_secret(r, bytes_of(r, text), text->nr);
		bool is_found = part && is_entry(r) && text->keep != ALL && text->nr &&
				(is_named || !r->place->hides_all);
		if (is_found)
			give(r, text, (uint32_t)text->keep,
			     end_of_secret(r, text) - (uint32_t)text->keep);
	}
}

/* The end of a text's last line; of one that is longer, with a byte in front that begins no name. */
static void keep_end(struct fc_redact_text *rest, const char *bytes, size_t nr)
{
	enum { MOST = FC_REDACT_END - 1 };
	size_t begin = nr > MOST ? nr - MOST : 0;
	const char *line = memrchr(bytes + begin, '\n', nr - begin);
	rest->nr_end = 0;
	if (line)
		begin = (size_t)(line + 1 - bytes);
	else if (begin)
		rest->end[rest->nr_end++] = ' ';
	memcpy(rest->end + rest->nr_end, bytes + begin, nr - begin);
	rest->nr_end += nr - begin;
}

/* Which texts may go on: those that are cut, and not short. */
static void note_rest(const struct redaction *r, struct fc_redact_rest *rest)
{
	rest->key = (uint32_t)r->words[0];
	rest->nr = 0;
	for (uint32_t i = 0; i < r->nr && rest->nr < FCA_MAX_MEMORY; i++) {
		const struct text *text = &r->text[i];
		if (text->nr < SHORT || text->part < 0 || text->head > UINT8_MAX ||
		    !(r->words[text->head] & FCA_GOT_MORE))
			continue;
		struct fc_redact_text *of = &rest->text[rest->nr++];
		of->head = of->head_now = (uint8_t)text->head;
		of->is_masked = text->keep != ALL;
		of->nr = text->nr;
		keep_end(of, bytes_of(r, text), text->nr);
	}
}

static void note_moved(struct fc_redact_rest *rest, uint32_t head, uint32_t by)
{
	for (uint32_t i = 0; i < rest->nr; i++)
		if (rest->text[i].head > head)
			rest->text[i].head_now = (uint8_t)(rest->text[i].head - by);
}

/* What stays moves up. */
static uint32_t take_out(struct redaction *r, struct fc_redact_rest *rest)
{
	uint32_t from = 0, to = 0;
	for (uint32_t i = 0; i < r->nr; i++) {
		const struct text *text = &r->text[i];
		if (text->keep == ALL || !text->nr)
			continue;
		uint32_t nr = text->head - from;
		memmove(r->words + to, r->words + from, nr * sizeof(*r->words));
		to += nr;
		uint64_t head = r->words[text->head];
		nr = words_of((uint32_t)text->keep);
		r->words[to++] = (head & ~(uint64_t)FCA_GOT_BYTES) | (uint32_t)text->keep |
				 FCA_GOT_MORE | FCA_GOT_MASKED;
		memmove(r->words + to, r->words + text->head + 1, nr * sizeof(*r->words));
		if (text->keep % WORD)
			r->words[to + nr - 1] &= (1ull << text->keep % WORD * 8) - 1;
		to += nr;
		from = text->head + 1 + words_of(text->nr);
		if (rest)
			note_moved(rest, text->head, from - to);
	}
	memmove(r->words + to, r->words + from, (r->nr_words - from) * sizeof(*r->words));
	return to + r->nr_words - from;
}

uint32_t fc_redact(const struct fc_redact_place *place, const struct fc_types *types,
		   const struct fc_value_format *format, uint64_t *words, uint32_t nr)
{
	struct redaction r = { .place = place,
			       .masks = place->masks,
			       .types = types,
			       .format = format,
			       .words = words,
			       .nr_words = nr };
	if (place->rest)
		place->rest->key = 0;
	if (!nr)
		return nr;
	find_texts(&r);
	if (!fc_given_is_empty(place->given))
		note_params(&r);
	take_hidden(&r); /* of an entry: exits have none */
	judge(&r);
	if (!fc_given_is_empty(place->given))
		judge_given(&r);
	if (place->rest)
		note_rest(&r, place->rest);
	return take_out(&r, place->rest);
}

/* NULL: it goes on with none that is known. */
static struct fc_redact_text *find_text(struct fc_redact_rest *rest, const uint64_t *words)
{
	for (uint32_t i = 0; i < rest->nr && rest->key == (uint32_t)words[0]; i++)
		if (rest->text[i].head == fca_more_head(words[1]) &&
		    rest->text[i].nr == fca_more_before(words[1]))
			return &rest->text[i];
	return NULL;
}

/* Bytes of a piece that stay; ALL: it has no secret. */
static int find_in_piece(const struct fc_redact_place *place, struct fc_redact_text *text,
			 const char *bytes, size_t nr)
{
	struct redaction r = { .masks = place->masks };
	char both[FC_REDACT_END + FCA_VALUE_WORDS * WORD];
	memcpy(both, text->end, text->nr_end);
	memcpy(both + text->nr_end, bytes, nr);
	int keep = find_secret(&r, both, text->nr_end + nr);
	size_t given = fc_given_find(place->given, both, text->nr_end + nr);
	if (given < text->nr_end + nr && (keep == ALL || (int)given < keep))
		keep = (int)given;
	if (keep != ALL)
		keep = keep > (int)text->nr_end ? keep - (int)text->nr_end : 0;
	keep_end(text, both, text->nr_end + nr);
	return keep;
}

uint32_t fc_redact_piece(const struct fc_redact_place *place, uint64_t *words, uint32_t nr)
{
	const uint64_t hidden = FCA_GOT_MORE | FCA_GOT_MASKED;
	struct fc_redact_rest *rest = place->rest;
	if (nr < FCA_MORE_WORDS)
		return nr;
	uint32_t size = words[2] & FCA_GOT_BYTES;
	struct fc_redact_text *text = rest ? find_text(rest, words) : NULL;
	bool fits = text && nr <= FCA_VALUE_WORDS && words_of(size) <= nr - FCA_MORE_WORDS;
	if (!fits || text->is_masked || place->hides_all) {
		words[2] = hidden;
		return FCA_MORE_WORDS;
	}
	int keep = find_in_piece(place, text, (const char *)(words + FCA_MORE_WORDS), size);
	words[1] = fca_more(text->head_now, text->nr);
	text->nr += size;
	if (keep == ALL)
		return nr;
	text->is_masked = true;
	words[2] = hidden | (uint32_t)keep;
	nr = words_of((uint32_t)keep);
	if (keep % WORD)
		words[FCA_MORE_WORDS + nr - 1] &= (1ull << keep % WORD * 8) - 1;
	return FCA_MORE_WORDS + nr;
}
