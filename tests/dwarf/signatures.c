/* SPDX-License-Identifier: Apache-2.0 */
/*
 * signatures FILE [NAME...] - what is known of the functions of a file from its debug information:
 * of those with these names, or of all. Types are told from the outside in: "*const char", "[3]int".
 *
 *	int add(a int @r5, p struct pair @r4:8,stack+8:4, rest *void @?, ...) tags
 *	struct pair 12 { a int 0; b int 32:3; }
 *
 * A place that is not told is the ABI's; "?": it is not there, or not known. A struct follows a
 * function that has it, or a pointer to it, once. --count: only how much it is.
 */
#include <bpf/btf.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <linux/btf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/vec.h"
#include "dwarf/signatures.h"
#include "elf/content.h"
#include "elf/image.h"
#include "values/places.h"
#include "values/types.h"
#include "values/types_private.h"

struct symbol {
	char *name;
	uint64_t vaddr;
};

static FC_VEC(struct symbol) symbols;
static const struct fc_types *types;
static const struct btf *btf;
static bool *is_shown;

/* ---- functions ---- */

static bool is_wanted(const char *name, char **names)
{
	for (; *names; names++)
		if (!strcmp(name, *names))
			return true;
	return false;
}

static void read_symbols(Elf *elf, Elf_Scn *section, size_t strings, char **names)
{
	Elf_Data *data = elf_getdata(section, NULL);
	GElf_Sym sym;
	for (int i = 0; data && gelf_getsym(data, i, &sym); i++) {
		const char *name = elf_strptr(elf, strings, sym.st_name);
		if (GELF_ST_TYPE(sym.st_info) == STT_FUNC && sym.st_shndx && name &&
		    (!*names || is_wanted(name, names)))
			fc_vec_push(&symbols, (struct symbol){ fc_strdup(name), sym.st_value });
	}
}

static void find_symbols(const char *path, char **names)
{
	elf_version(EV_CURRENT);
	int fd = open(path, O_RDONLY);
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	Elf_Scn *section = NULL;
	GElf_Shdr head;
	while (elf && (section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &head) && head.sh_type == SHT_SYMTAB)
			read_symbols(elf, section, head.sh_link, names);
	elf_end(elf);
	close(fd);
}

static struct fc_content content;
static struct fc_image image;

static void find_build_id(const char *path, char ret[41])
{
	struct stat st;
	int fd = open(path, O_RDONLY);
	if (fd < 0 || fstat(fd, &st) || fc_content_map(fd, &st, &content) ||
	    fc_image_init(&image, content.at, content.size, path))
		exit(2);
	fc_image_build_id(&image, ret);
	close(fd);
}

/* ---- types ---- */

static const char *name_of(const struct btf_type *type)
{
	return btf__name_by_offset(btf, type->name_off);
}

static void show_tags(uint32_t id)
{
	for (uint32_t i = 1; i < btf__type_cnt(btf); i++) {
		const struct btf_type *type = btf__type_by_id(btf, i);
		if (btf_is_decl_tag(type) && type->type == id)
			printf(" %s", name_of(type));
	}
}

static void show_type(uint32_t id);

static void show_params(const struct btf_type *proto)
{
	for (uint32_t i = 0; i < btf_vlen(proto); i++) {
		printf("%s", i ? ", " : "");
		show_type(btf_params(proto)[i].type);
	}
}

static void show_type(uint32_t id)
{
	const struct btf_type *type = btf__type_by_id(btf, id);
	const char *name = name_of(type);
	switch (btf_kind(type)) {
	case BTF_KIND_UNKN:
		printf("void");
		break;
	case BTF_KIND_PTR:
		printf("%s", fc_types_tagged(types, id, "reference") ? "&" : "*");
		show_type(type->type);
		break;
	case BTF_KIND_CONST:
		printf("const ");
		show_type(type->type);
		break;
	case BTF_KIND_ARRAY:
		printf(fc_types_tagged(types, id, "vector") ? "<%u>" : "[%u]",
		       btf_array(type)->nelems);
		show_type(btf_array(type)->type);
		break;
	case BTF_KIND_STRUCT:
		printf("struct %s", *name ? name : "-");
		break;
	case BTF_KIND_UNION:
		printf("union %s", *name ? name : "-");
		break;
	case BTF_KIND_FWD:
		printf("unknown %s", name);
		break;
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		printf("enum %s", *name ? name : "-");
		break;
	case BTF_KIND_FUNC_PROTO:
		printf("func(");
		show_params(type);
		printf(")");
		show_type(type->type);
		break;
	default:
		printf("%s", name);
	}
}

static void show_content(uint32_t id);

static void show_struct(uint32_t id, const struct btf_type *type)
{
	const struct btf_member *members = btf_members(type);
	show_type(id);
	printf(" %u {", type->size);
	for (uint32_t i = 0; i < btf_vlen(type); i++) {
		uint32_t bits = btf_member_bitfield_size(type, i);
		const char *name = btf__name_by_offset(btf, members[i].name_off);
		printf(" %s ", *name ? name : "-");
		show_type(members[i].type);
		printf(" %u", btf_member_bit_offset(type, i));
		if (bits)
			printf(":%u", bits);
		printf(";");
	}
	printf(" }");
	show_tags(id);
	puts("");
	for (uint32_t i = 0; i < btf_vlen(type); i++)
		show_content(members[i].type);
}

static void show_enum(uint32_t id, const struct btf_type *type)
{
	show_type(id);
	printf(" %u%s {", type->size, btf_kflag(type) ? " signed" : "");
	for (uint32_t i = 0; i < btf_vlen(type); i++) {
		if (btf_is_enum64(type))
			printf(" %s=%lld;",
			       btf__name_by_offset(btf, btf_enum64(type)[i].name_off),
			       (long long)btf_enum64_value(&btf_enum64(type)[i]));
		else
			printf(" %s=%d;", btf__name_by_offset(btf, btf_enum(type)[i].name_off),
			       btf_enum(type)[i].val);
	}
	printf(" }\n");
}

static void show_base(uint32_t id, const struct btf_type *type, const char *kind)
{
	printf("%s ", kind);
	show_type(id);
	printf(" %u", type->size);
	if (btf_is_int(type))
		printf("%s%s%s", btf_int_encoding(type) & BTF_INT_SIGNED ? " signed" : "",
		       btf_int_encoding(type) & BTF_INT_CHAR ? " char" : "",
		       btf_int_encoding(type) & BTF_INT_BOOL ? " bool" : "");
	show_tags(id);
	puts("");
}

/* What there is to know of a type, and of those that it is made of. */
static void show_content(uint32_t id)
{
	const struct btf_type *type = btf__type_by_id(btf, id);
	if (!id || is_shown[id])
		return;
	is_shown[id] = true;
	switch (btf_kind(type)) {
	case BTF_KIND_TYPEDEF:
		printf("typedef %s ", name_of(type));
		show_type(type->type);
		puts("");
		show_content(type->type);
		break;
	case BTF_KIND_PTR:
	case BTF_KIND_CONST:
		show_content(type->type);
		break;
	case BTF_KIND_ARRAY:
		show_content(btf_array(type)->type);
		break;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		show_struct(id, type);
		break;
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		show_enum(id, type);
		break;
	case BTF_KIND_INT:
		show_base(id, type, "int");
		break;
	case BTF_KIND_FLOAT:
		show_base(id, type, "float");
		break;
	}
}

/* ---- functions' places ---- */

static void show_place(const struct fc_location *location)
{
	printf(" @%s%s", location->is_absent ? "?" : "", location->is_address ? "*" : "");
	for (int i = 0; i < location->nr; i++) {
		const struct fc_piece *piece = &location->piece[i];
		if (piece->kind == FC_PIECE_STACK)
			printf("%sstack+%d:%u", i ? "," : "", piece->off, piece->size);
		else
			printf("%s%c%u:%u", i ? "," : "",
			       piece->kind == FC_PIECE_INT ? 'r' : 'v', piece->reg,
			       piece->size);
	}
}

/* Of a copy that the compiler made of a function, that of the copy. */
static const char *full_name(const char *name, const char *symbol)
{
	size_t len = strlen(name);
	return !strncmp(name, symbol, len) && symbol[len] == '.' ? symbol : name;
}

/* What is not sure is what the function's code shows. */
static void settle(struct fc_signature *signature, uint64_t vaddr)
{
	struct fc_value_places places;
	signature->code = fc_image_load(&image, vaddr, &signature->code_size);
	fc_value_places_find(fc_arch_here, types, signature, &places);
	for (uint32_t i = 0; i < signature->nr; i++) {
		struct fc_location *param = &signature->param[i];
		if (param->is_unsure || param->is_weak || param->late)
			*param = places.param[i];
	}
}

static void show_function(const struct fc_signature *signature, const char *symbol)
{
	const struct btf_type *func = btf__type_by_id(btf, signature->func);
	const struct btf_type *proto = btf__type_by_id(btf, func->type);
	show_type(proto->type);
	printf(" %s(", full_name(name_of(func), symbol));
	for (uint32_t i = 0; i < btf_vlen(proto); i++) {
		const struct btf_param *param = &btf_params(proto)[i];
		const struct fc_location *location = &signature->param[i];
		const char *name = btf__name_by_offset(btf, param->name_off);
		printf("%s", i ? ", " : "");
		if (!param->type) {
			printf("...");
			continue;
		}
		printf("%s ", *name ? name : "-");
		show_type(param->type);
		if (i < signature->nr && (location->nr || location->is_absent))
			show_place(location);
	}
	printf(")");
	show_tags(signature->func);
	puts("");
	show_content(proto->type);
	for (uint32_t i = 0; i < btf_vlen(proto); i++)
		show_content(btf_params(proto)[i].type);
}

static void forget_all(void)
{
	fc_vec_each (&symbols, symbol)
		free(symbol->name);
	fc_vec_free(&symbols);
	free(is_shown);
	fc_image_deinit(&image);
	fc_content_close(&content);
}

int main(int argc, char **argv)
{
	bool is_count = argc > 1 && !strcmp(argv[1], "--count");
	char build_id[41];
	struct fc_signatures *signatures;
	struct fc_signature signature;
	FC_VEC(uint64_t) vaddrs = { 0 };
	size_t size, nr_known = 0, nr_placed = 0;
	argv += is_count;
	if (argc - is_count < 2)
		return 2;
	find_symbols(argv[1], argv + 2);
	find_build_id(argv[1], build_id);
	fc_vec_each (&symbols, symbol)
		fc_vec_push(&vaddrs, symbol->vaddr);
	if (fc_signatures_read(argv[1], build_id, vaddrs.at, vaddrs.nr, &signatures)) {
		printf("%s\n", fc_fail_text());
		fc_vec_free(&vaddrs);
		forget_all();
		return 1;
	}
	types = fc_signatures_types(signatures);
	btf = fc_types_btf(types);
	is_shown = calloc(btf__type_cnt(btf), sizeof(*is_shown));
	for (size_t i = 0; i < vaddrs.nr; i++) {
		fc_signatures_get(signatures, i, &signature);
		nr_known += signature.func > 0;
		nr_placed += signature.nr > 0;
		settle(&signature, vaddrs.at[i]);
		if (!is_count && signature.func)
			show_function(&signature, symbols.at[i].name);
		else if (!is_count && argv[2])
			printf("%s is not known\n", symbols.at[i].name);
	}
	fc_types_bytes(types, &size);
	if (is_count)
		printf("%zu functions, %zu known, %zu with places, %u types, %zu bytes\n",
		       vaddrs.nr, nr_known, nr_placed, btf__type_cnt(btf), size);
	if (fc_signatures_wrong(signatures))
		printf("wrong: %s\n", fc_signatures_wrong(signatures));
	fc_signatures_destroy(signatures);
	fc_vec_free(&vaddrs);
	forget_all();
	return 0;
}
