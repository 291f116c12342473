/* SPDX-License-Identifier: Apache-2.0 */
#include "values/masks.h"

#include <bpf/btf.h>
#include <fnmatch.h>

/* A question is answered with "yes" behind so many members: nobody reads as many. */
enum { MOST_MEMBERS = 1 << 16, MOST_DEPTH = 16 };

static const char *const secrets[] = {
	"*passw*",	  "*passphrase*",  "*secret*",	    "pass",	    "pwd",
	"*_pwd",	  "userpass",	   "*private_key*", "*privatekey*", "*priv_key*",
	"*privkey*",	  "*api_key*",	   "*apikey*",	    "*auth_token*", "*authtoken*",
	"*access_token*", "*accesstoken*", "*credential*",  NULL,
};

static const char *const keys[] = { "key", "*_key", NULL };

struct question {
	const struct fc_masks *masks;
	const struct fc_types *types;
	unsigned nr_members; /* looked at */
};

static bool is_one_of(const char *const globs[], const char *name)
{
	while (*name == '_')
		name++;
	for (size_t i = 0; globs && globs[i]; i++)
		if (!fnmatch(globs[i], name, FNM_CASEFOLD))
			return true;
	return false;
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

/* Are these bytes, rather than a text or a number? */
static bool is_bytes(const struct question *question, const struct btf_type *type)
{
	bool leads = btf_is_array(type) || btf_is_ptr(type);
	const struct btf_type *of = leads ? type_of(question, beneath(type)) : NULL;
	return of && btf_is_int(of) && of->size == 1 &&
	       !(btf_int_encoding(of) & (BTF_INT_CHAR | BTF_INT_SIGNED));
}

static bool is_named(const struct question *question, const char *name,
		     const struct btf_type *type)
{
	bool is_number =
		type && !btf_is_ptr(type) && !btf_is_array(type) && !btf_is_composite(type);
	if (is_one_of((const char *const *)question->masks->globs, name))
		return true;
	if (question->masks->is_unmasked || is_number)
		return false;
	return is_one_of(secrets, name) ||
	       (type && is_one_of(keys, name) && is_bytes(question, type));
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
		if (what && !btf_is_ptr(what) && is_named(question, name, what))
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
	if (is_named(&question, name, type))
		return true;
	return holds_secret(&question, type && btf_is_ptr(type) ? type->type : id, 0);
}
