/* SPDX-License-Identifier: Apache-2.0 */
/*
 * types.h - the types of what programs pass and return: one table, in the format of the kernel's
 * BTF (Documentation/bpf/btf.rst), so that the kernel's own types are read in the same way.
 *
 * What BTF does not say of C is told by tags of a type or a function (BTF_KIND_DECL_TAG), in the
 * words of the compilers' attributes: "format(printf,2,3)", "access(write_only,2,3)", "fd_arg(1)",
 * "flag_enum", "aligned(16)". So are a vector, which is an array with the tag "vector"; a complex
 * number, a struct of two with "complex"; a decimal float with "decimal"; a class of C++ that is
 * passed by its address with "by_reference"; and flags that are shown in octal with "octal".
 * An integer of two words has "split" if it is passed as two numbers. A function: "unsure_result" if
 * it may return nothing, "read_result" if it returns what its callers read, "own_rules" if it does not
 * keep to the machine's rules.
 *
 * Ids are 1, 2, 3...; 0 is void, as in BTF. One type is read by type.h.
 */
#ifndef FC_VALUES_TYPES_H
#define FC_VALUES_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fc_types;

struct fc_types *fc_types_create(void);
/*
 * The same from bytes that anybody may have made. -EBADMSG with a sentence: they are no BTF, or
 * not sound: a reference to no type or no string, a type that contains itself, members beyond
 * their struct.
 */
int fc_types_load(const void *bytes, size_t size, struct fc_types **ret);
void fc_types_destroy(struct fc_types *types);

/* As bytes for fc_types_load(); valid until a type is added. */
const void *fc_types_bytes(const struct fc_types *types, size_t *size);

/* ---- to add to it: each returns the new type's id, or one that is the same already ---- */

enum fc_number_kind { FC_NUMBER_UNSIGNED, FC_NUMBER_SIGNED, FC_NUMBER_CHAR, FC_NUMBER_BOOL };

/* size in bytes: 1, 2, 4, 8, 16; of a float 2, 4, 8, 12, 16. */
uint32_t fc_types_number(struct fc_types *types, const char *name, uint32_t size,
			 enum fc_number_kind kind);
uint32_t fc_types_float(struct fc_types *types, const char *name, uint32_t size);
uint32_t fc_types_pointer(struct fc_types *types, uint32_t to);
/* A pointer that C++ calls a reference: "&", or "&&". It has the tag "reference" or "rvalue". */
uint32_t fc_types_reference(struct fc_types *types, uint32_t to, bool is_rvalue);
uint32_t fc_types_const(struct fc_types *types, uint32_t of);
uint32_t fc_types_array(struct fc_types *types, uint32_t of, uint32_t nr);
/* The same that is one value: __attribute__((vector_size(...))). It has the tag "vector". */
uint32_t fc_types_vector(struct fc_types *types, uint32_t of, uint32_t nr);

/* Another name of a type. The same name again: the newer one is found. */
uint32_t fc_types_typedef(struct fc_types *types, const char *name, uint32_t of);

/* A struct or union that is only known by name; fc_types_resolve() finds it when it is known. */
uint32_t fc_types_forward(struct fc_types *types, const char *name, bool is_union);

struct fc_member {
	const char *name; /* "" has none */
	uint32_t type;
	uint64_t bit;  /* where it begins */
	uint32_t bits; /* of a bit-field; 0: it is none */
};

/* name "" if it has none. size and align in bytes. nr is at most 65535. */
uint32_t fc_types_struct(struct fc_types *types, const char *name, bool is_union, uint32_t size,
			 uint32_t align, const struct fc_member *members, size_t nr);

struct fc_enumerator {
	const char *name;
	int64_t value;
};

uint32_t fc_types_enum(struct fc_types *types, const char *name, uint32_t size, bool is_signed,
		       const struct fc_enumerator *values, size_t nr);

struct fc_param {
	const char *name; /* "" has none */
	uint32_t type;
};

uint32_t fc_types_proto(struct fc_types *types, uint32_t result, const struct fc_param *params,
			size_t nr, bool is_variadic);
/* A function of that name; the same name again: the newer one is found. */
uint32_t fc_types_func(struct fc_types *types, const char *name, uint32_t proto);

/* Add a tag to a type or a function. */
void fc_types_tag(struct fc_types *types, uint32_t id, const char *tag);

/* Tags that are one word each, as bits. */
enum fc_tag {
	FC_TAG_VECTOR = 1 << 0,
	FC_TAG_COMPLEX = 1 << 1,
	FC_TAG_DECIMAL = 1 << 2,
	FC_TAG_BY_REFERENCE = 1 << 3,
	FC_TAG_REFERENCE = 1 << 4,
	FC_TAG_RVALUE = 1 << 5,
	FC_TAG_OCTAL = 1 << 6,
	FC_TAG_FLAG_ENUM = 1 << 7,
	FC_TAG_VARIANTS = 1 << 8,
	FC_TAG_SPLIT = 1 << 9,
	FC_TAG_UNSURE_RESULT = 1 << 10,
	FC_TAG_READ_RESULT = 1 << 11,
	FC_TAG_OWN_RULES = 1 << 12,
	FC_TAG_RUST = 1 << 13,
	FC_TAG_MEMBER_POINTER = 1 << 14,
	FC_TAG_NORETURN = 1 << 15,
};

/* The tag of bit 1 << i in words; NULL: there is none. */
const char *fc_tag_word(unsigned i);

/* ---- to find in it: 0 if there is none ---- */

uint32_t fc_types_find_func(const struct fc_types *types, const char *name);
/* Is it the id of a function? */
bool fc_types_is_func(const struct fc_types *types, uint32_t id);
uint32_t fc_types_find_typedef(const struct fc_types *types, const char *name);
/* A struct, union or enum. */
uint32_t fc_types_find_tag(const struct fc_types *types, const char *name);

/* Behind typedefs and qualifiers; a forward is what it became, if it is known. */
uint32_t fc_types_resolve(const struct fc_types *types, uint32_t id);

/* Is it a whole number with a sign, behind typedefs; is it a float? */
bool fc_types_is_signed(const struct fc_types *types, uint32_t id);
bool fc_types_is_float(const struct fc_types *types, uint32_t id);
/* Is it a char: a byte of a text? */
bool fc_types_is_char(const struct fc_types *types, uint32_t id);
/* Is it a reference of C++ ("&", "&&"), which is a pointer to one thing, never to a text? */
bool fc_types_is_reference(const struct fc_types *types, uint32_t pointer);
/* Is it an array? Of what. */
bool fc_types_item(const struct fc_types *types, uint32_t id, uint32_t *item);

/* Bytes; 0: void, a function, or not known. */
uint64_t fc_types_size(const struct fc_types *types, uint32_t id);
uint32_t fc_types_align(const struct fc_types *types, uint32_t id);

/* The tags of a type or a function, as bits of enum fc_tag. */
uint32_t fc_types_tags(const struct fc_types *types, uint32_t id);
/* Its tags, one by one, the last first; NULL: no more. */
const char *fc_types_tag_at(const struct fc_types *types, uint32_t id, size_t i);
/* Has it this tag, or one that begins so and goes on with a parenthesis? Its text, or NULL. */
const char *fc_types_tagged(const struct fc_types *types, uint32_t id, const char *tag);

#endif
