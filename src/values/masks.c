/* SPDX-License-Identifier: Apache-2.0 */
#include "values/masks.h"

#include <bpf/btf.h>
#include <ctype.h>
#include <fnmatch.h>
#include <string.h>

#include "values/sequence.h"

/* A question is answered with "yes" behind so many members: nobody reads as many. */
enum { MOST_MEMBERS = 1 << 16, MOST_DEPTH = 16 };

enum { NAME_ROOM = 128 }; /* bytes of a name that are compared; what is longer is cut */

/* Whatever they lead to. */
static const char *const secrets[] = {
	"*passw*",
	"*passphrase*",
	"*passcode*",
	"*secret*",
	"pass",
	"pass[0-9]",
	"*_pass",
	"dbpass",
	"userpass",
	"*getpass*",
	"*askpass*",
	"*readpass*",
	"pw",
	"*_pw",
	"pwd",
	"*_pwd",
	"*private_key*",
	"*privatekey*",
	"*priv_key*",
	"*privkey*",
	"*api_key*",
	"*apikey*",
	"*auth_token*",
	"*authtoken*",
	"*access_token*",
	"*accesstoken*",
	"*credential*",
	"*authorization*",
	NULL,
};

/* Where they lead to a text or to bytes: a parser has tokens, too, and a board has pins. */
static const char *const texts[] = {
	"key",	 "*_key", "*token", "*tokens",	"*token_value", "pin", "*_pin", "psk",
	"*_psk", "otp",	  "*_otp",  "*cookie*", "*bearer",	"dsn", "*_dsn", NULL,
};

/* Where they lead to bytes that are no text: there are monkeys among the texts. */
static const char *const keys[] = { "*key", NULL };

struct question {
	const struct fc_masks *masks;
	const struct fc_types *types;
	unsigned nr_members; /* looked at */
};

/* "userPin" as "user_pin". */
static void split_words(const char *name, char ret[NAME_ROOM])
{
	size_t nr = 0;
	for (const char *at = name; *at && nr + 2 < NAME_ROOM; at++) {
		if (at > name && isupper((unsigned char)*at) && !isupper((unsigned char)at[-1]))
			ret[nr++] = '_';
		ret[nr++] = *at;
	}
	ret[nr] = 0;
}

static bool is_one_of(const char *const globs[], const char *name)
{
	char words[NAME_ROOM];
	while (*name == '_')
		name++;
	split_words(name, words);
	for (size_t i = 0; globs && globs[i]; i++)
		if (!fnmatch(globs[i], name, FNM_CASEFOLD) ||
		    !fnmatch(globs[i], words, FNM_CASEFOLD))
			return true;
	return false;
}

bool fc_mask_names_secret(const struct fc_masks *masks, const char *name)
{
	if (is_one_of((const char *const *)masks->globs, name))
		return true;
	return !masks->is_unmasked && (is_one_of(secrets, name) || is_one_of(texts, name));
}

static const struct btf_type *type_of(const struct question *question, uint32_t type)
{
	uint32_t what = fc_types_resolve(question->types, type);
	return what ? btf__type_by_id(fc_types_btf(question->types), what) : NULL;
}

/* The type of what an array is of, or of what a pointer leads to; 0: it is neither, or void. */
static uint32_t beneath(const struct btf_type *type)
{
	if (btf_is_array(type))
		return btf_array(type)->type;
	return btf_is_ptr(type) ? type->type : 0;
}

/* What it leads to, behind pointers to pointers; or is itself. */
static const struct btf_type *end_of(const struct question *question,
				     const struct btf_type *type)
{
	for (int i = 0; type && (btf_is_array(type) || btf_is_ptr(type)) && i < MOST_DEPTH; i++)
		type = type_of(question, beneath(type));
	return type;
}

/* Are these bytes, rather than a text or a number? */
static bool is_bytes(const struct question *question, const struct btf_type *type)
{
	bool leads = btf_is_array(type) || btf_is_ptr(type);
	const struct btf_type *of = leads ? type_of(question, beneath(type)) : NULL;
	return of && btf_is_int(of) && of->size == 1 &&
	       !(btf_int_encoding(of) & (BTF_INT_CHAR | BTF_INT_SIGNED));
}

/* A text, or bytes; also one of C++ or Rust, and a pointer to it. */
static bool is_text(const struct question *question, uint32_t id, const struct btf_type *type)
{
	struct fc_sequence sequence;
	const struct btf_type *of = end_of(question, type);
	uint32_t object = btf_is_ptr(type) ? type->type : id;
	if (fc_sequence_find(question->types, fc_types_resolve(question->types, object),
			     &sequence))
		return sequence.size == 1;
	return of != type && of && btf_is_int(of) && of->size == 1 &&
	       !(btf_int_encoding(of) & BTF_INT_BOOL);
}

static bool is_named(const struct question *question, const char *name, uint32_t id,
		     const struct btf_type *type)
{
	bool is_number =
		type && !btf_is_ptr(type) && !btf_is_array(type) && !btf_is_composite(type);
	if (is_one_of((const char *const *)question->masks->globs, name))
		return true;
	if (question->masks->is_unmasked || is_number)
		return false;
	if (is_one_of(secrets, name))
		return true;
	return type && ((is_one_of(texts, name) && is_text(question, id, type)) ||
			(is_one_of(keys, name) && is_bytes(question, type)));
}

/* What a member that is a pointer leads to is not read with its struct. */
static bool holds_secret(struct question *question, uint32_t id, unsigned depth)
{
	const struct btf_type *type = type_of(question, id);
	while (type && btf_is_array(type) && depth++ < MOST_DEPTH)
		type = type_of(question, beneath(type));
	if (!type || !btf_is_composite(type))
		return false;
	if (depth >= MOST_DEPTH)
		return true;
	const struct btf_member *member = btf_members(type);
	const struct btf *btf = fc_types_btf(question->types);
	for (uint32_t i = 0; i < btf_vlen(type); i++) {
		const char *name = btf__name_by_offset(btf, member[i].name_off);
		const struct btf_type *what = type_of(question, member[i].type);
		if (question->nr_members++ == MOST_MEMBERS)
			return true;
		if (what && !btf_is_ptr(what) && is_named(question, name, member[i].type, what))
			return true;
		if (holds_secret(question, member[i].type, depth + 1))
			return true;
	}
	return false;
}

bool fc_mask_hides(const struct fc_masks *masks, const struct fc_types *types, const char *name,
		   uint32_t id)
{
	struct question question = { masks, types, 0 };
	const struct btf_type *type = type_of(&question, id);
	if (is_named(&question, name, id, type))
		return true;
	return holds_secret(&question, type && btf_is_ptr(type) ? type->type : id, 0);
}
