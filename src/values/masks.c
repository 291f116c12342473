/* SPDX-License-Identifier: Apache-2.0 */
/* masks.c - matches names of parameters and fields with the names of secrets. */
#include "values/masks.h"

#include <ctype.h>
#include <fnmatch.h>
#include <string.h>

#include "values/sequence.h"
#include "values/type.h"

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

/* Which letters are in it, of either case, as bits. */
static uint32_t letters_of(const char *text)
{
	uint32_t ret = 0;
	for (; *text; text++) {
		unsigned letter = ((unsigned char)*text | 0x20) - 'a';
		ret |= letter < 26 ? 1u << letter : 0;
	}
	return ret;
}

/* May this name match? What lacks one of a glob's letters does not, and fnmatch() takes long to say so. */
static bool may_match(const char *glob, uint32_t letters)
{
	return strpbrk(glob, "[\\") || !(letters_of(glob) & ~letters);
}

static bool is_one_of(const char *const globs[], const char *name)
{
	char words[NAME_ROOM];
	while (*name == '_')
		name++;
	split_words(name, words);
	uint32_t letters = letters_of(name);
	for (size_t i = 0; globs && globs[i]; i++)
		if (may_match(globs[i], letters) && (!fnmatch(globs[i], name, FNM_CASEFOLD) ||
						     !fnmatch(globs[i], words, FNM_CASEFOLD)))
			return true;
	return false;
}

bool fc_mask_names_secret(const struct fc_masks *masks, const char *name)
{
	if (is_one_of((const char *const *)masks->globs, name))
		return true;
	return !masks->is_unmasked && (is_one_of(secrets, name) || is_one_of(texts, name));
}

/* Does it lead to others: is it a pointer or an array? */
static bool leads(const struct fc_type *type)
{
	return type->kind == FC_TYPE_ARRAY || type->kind == FC_TYPE_POINTER;
}

/* The type behind pointers to pointers, or the type itself. */
static struct fc_type end_of(const struct fc_type *type)
{
	struct fc_type ret = *type;
	for (int i = 0; leads(&ret) && i < MOST_DEPTH; i++)
		ret = fc_type_at(type->types, ret.of);
	return ret;
}

static bool is_byte(const struct fc_type *type)
{
	return type->kind == FC_TYPE_INT && type->size == 1;
}

/* Are these bytes, rather than a text or a number? */
static bool is_bytes(const struct fc_type *type)
{
	struct fc_type of = fc_type_at(type->types, leads(type) ? type->of : 0);
	return is_byte(&of) && of.number != FC_NUMBER_CHAR && of.number != FC_NUMBER_SIGNED;
}

/* A text, or bytes; also one of C++ or Rust, and a pointer to it. */
static bool is_text(const struct fc_type *type)
{
	struct fc_sequence sequence;
	struct fc_type of = end_of(type);
	uint32_t object = type->kind == FC_TYPE_POINTER ? type->of : type->id;
	if (fc_sequence_find(type->types, object, &sequence))
		return sequence.size == 1;
	return leads(type) && is_byte(&of) && of.number != FC_NUMBER_BOOL;
}

static bool is_named(const struct question *question, const char *name,
		     const struct fc_type *type)
{
	bool is_number = type->id && !leads(type) && !fc_type_has_members(type);
	if (is_one_of((const char *const *)question->masks->globs, name))
		return true;
	if (question->masks->is_unmasked || is_number)
		return false;
	if (is_one_of(secrets, name))
		return true;
	return (is_one_of(texts, name) && is_text(type)) ||
	       (is_one_of(keys, name) && is_bytes(type));
}

/* What a member that is a pointer leads to is not read with its struct. */
static bool holds_secret(struct question *question, uint32_t id, unsigned depth)
{
	struct fc_type type = fc_type_at(question->types, id);
	while (type.kind == FC_TYPE_ARRAY && depth++ < MOST_DEPTH)
		type = fc_type_at(question->types, type.of);
	if (!fc_type_has_members(&type))
		return false;
	if (depth >= MOST_DEPTH)
		return true;
	for (uint32_t i = 0; i < type.nr; i++) {
		struct fc_member member = fc_type_member(&type, i);
		struct fc_type its = fc_type_at(question->types, member.type);
		if (question->nr_members++ == MOST_MEMBERS)
			return true;
		if (its.id && its.kind != FC_TYPE_POINTER &&
		    is_named(question, member.name, &its))
			return true;
		if (holds_secret(question, member.type, depth + 1))
			return true;
	}
	return false;
}

bool fc_mask_hides(const struct fc_masks *masks, const struct fc_types *types, const char *name,
		   uint32_t id)
{
	struct question question = { masks, types, 0 };
	struct fc_type type = fc_type_at(types, id);
	if (is_named(&question, name, &type))
		return true;
	return holds_secret(&question, type.kind == FC_TYPE_POINTER ? type.of : id, 0);
}
