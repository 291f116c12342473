/* SPDX-License-Identifier: Apache-2.0 */
/* functions.c - finds functions in the debug information, and describes them. */
#include "dwarf/functions.h"

#include <bpf/btf.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <errno.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/bisect.h"
#include "base/memory.h"
#include "base/vec.h"
#include "dwarf/types/die.h"
#include "dwarf/types/dieread.h"
#include "dwarf/types/dietypes.h"
#include "dwarf/types/typetable.h"
#include "dwarf/handle.h"
#include "dwarf/parameters.h"
#include "dwarf/rustcall.h"

enum {
	MAX_DEPTH = 32,
	FREE_ENTRIES = 1 << 20,
	MOST_MISSING = 16 << 20, /* bytes of files' names */
};

/* A function that is asked for, found in a unit. */
struct match {
	Dwarf_Die die;
	size_t asked;
};

enum copy {
	TAKES_OTHERS = 1, /* what it need not be given it is not */
	RETURNS_LESS = 2,
};

struct finder {
	struct fc_dwarf_handle handle;
	struct fc_dietypes types;
	const struct fc_call_frame *frame;
	const uint64_t *vaddrs;
	struct fc_found_function *functions; /* by asked; func is a node */
	uint8_t *copies; /* by asked: what GCC has changed in a copy that it made, enum copy */
	bool *is_global; /* by asked */
	size_t nr, nr_found;
	FC_VEC(struct fc_location) places;
	Dwarf_CFI *cfi;
	struct fc_splits splits;
	struct fc_found_bytes missing; /* split units that no file was given for */
	/* of the unit that is gone through */
	FC_VEC(struct match) matches;
	bool has_types, has_lists, is_by_gcc, is_tracked;
	int language;
	enum fc_dwarf_wrong wrong;
};

static void note(struct finder *finder, enum fc_dwarf_wrong wrong)
{
	if (!finder->wrong)
		finder->wrong = wrong;
}

/* ---- which functions ---- */

static size_t find_asked(const struct finder *finder, uint64_t vaddr)
{
	size_t at = fc_bisect(finder->vaddrs, finder->nr, item, *item < vaddr);
	return at < finder->nr && finder->vaddrs[at] == vaddr ? at : finder->nr;
}

/* By the symbol's name: what GCC's interprocedural passes do to a copy. */
static uint8_t copy_of(const char *name)
{
	if (strstr(name, ".isra."))
		return TAKES_OTHERS | RETURNS_LESS;
	return strstr(name, ".constprop.") ? TAKES_OTHERS : 0;
}

static void note_symbols(struct finder *finder, Elf_Scn *section, size_t strings)
{
	Elf_Data *data = elf_getdata(section, NULL);
	GElf_Sym sym;

	for (int i = 0; data && gelf_getsym(data, i, &sym); i++) {
		size_t at = sym.st_shndx == SHN_UNDEF ? finder->nr
						      : find_asked(finder, sym.st_value);
		if (at == finder->nr)
			continue;
		const char *name = elf_strptr(finder->handle.elf, strings, sym.st_name);
		finder->is_global[at] |= GELF_ST_BIND(sym.st_info) != STB_LOCAL;
		finder->copies[at] |= name ? copy_of(name) : 0;
	}
}

static void note_all_symbols(struct finder *finder)
{
	Elf_Scn *section = NULL;
	GElf_Shdr head;

	while ((section = elf_nextscn(finder->handle.elf, section)))
		if (gelf_getshdr(section, &head) &&
		    (head.sh_type == SHT_SYMTAB || head.sh_type == SHT_DYNSYM))
			note_symbols(finder, section, head.sh_link);
}

/* finder->nr: it is not asked for, or known. */
static size_t find_unknown(const struct finder *finder, uint64_t vaddr)
{
	size_t at = find_asked(finder, vaddr);
	return at < finder->nr && !finder->functions[at].func ? at : finder->nr;
}

/*
 * Of a function in several parts: nobody asks for one that is entered by a jump. GCC tells first of
 * the one that the function begins with, clang (-fbasic-block-sections) does not.
 */
static size_t asked_part(const struct finder *finder, Dwarf_Die *die)
{
	size_t asked = finder->nr;
	Dwarf_Addr base = 0, begin, end;
	ptrdiff_t at = 0;

	while (asked == finder->nr && (at = dwarf_ranges(die, at, &base, &begin, &end)) > 0)
		asked = find_unknown(finder, begin);
	return asked;
}

/* finder->nr: it is not asked for, or known. */
static size_t asked_for(const struct finder *finder, Dwarf_Die *die)
{
	Dwarf_Addr entry;

	if (dwarf_hasattr(die, DW_AT_low_pc) || dwarf_hasattr(die, DW_AT_entry_pc))
		return dwarf_entrypc(die, &entry) ? finder->nr : find_unknown(finder, entry);
	return dwarf_hasattr(die, DW_AT_ranges) ? asked_part(finder, die) : finder->nr;
}

static bool may_hold_functions(int tag)
{
	switch (tag) {
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_subprogram:
	case DW_TAG_lexical_block:
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
		return true;
	}
	return false;
}

static bool tells_types(int tag)
{
	return tag == DW_TAG_base_type || tag == DW_TAG_structure_type ||
	       tag == DW_TAG_class_type || tag == DW_TAG_pointer_type ||
	       tag == DW_TAG_typedef || tag == DW_TAG_enumeration_type ||
	       tag == DW_TAG_imported_unit;
}

static void go_through(struct finder *finder, Dwarf_Die *parent, int depth)
{
	Dwarf_Die die;

	if (depth == MAX_DEPTH || dwarf_child(parent, &die))
		return;
	do {
		int tag = dwarf_tag(&die);
		size_t asked = tag == DW_TAG_subprogram ? asked_for(finder, &die) : finder->nr;
		if (!finder->types.left)
			return;
		finder->types.left--;
		finder->has_types |= tells_types(tag);
		if (!finder->has_lists &&
		    (tag == DW_TAG_formal_parameter || tag == DW_TAG_variable))
			finder->has_lists = fc_entry_has_list(&die);
		if (asked < finder->nr)
			fc_vec_push(&finder->matches, (struct match){ die, asked });
		if (may_hold_functions(tag) && dwarf_haschildren(&die) > 0)
			go_through(finder, &die, depth + 1);
	} while (!dwarf_siblingof(&die, &die));
}

/* ---- what is told of them ---- */

static const char *linkage_name(Dwarf_Die *die)
{
	Dwarf_Attribute attr;

	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attr) ||
	    dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attr))
		return dwarf_formstring(&attr);
	return fc_die_name(die);
}

/* Is it told in another unit, as when units were compiled together (LTO)? */
static bool is_told_elsewhere(Dwarf_Die *die)
{
	Dwarf_Die origin, unit, its;

	return fc_die_ref(die, DW_AT_abstract_origin, &origin) &&
	       dwarf_diecu(die, &unit, NULL, NULL) && dwarf_diecu(&origin, &its, NULL, NULL) &&
	       unit.addr != its.addr;
}

/*
 * With -g1, as Rust's own library has it, a function has neither result nor parameters: that is not
 * void f(void). There are no types at all, then.
 */
static bool is_told(const struct finder *finder, Dwarf_Die *die)
{
	Dwarf_Attribute attr;

	return finder->has_types || is_told_elsewhere(die) ||
	       dwarf_attr_integrate(die, DW_AT_prototyped, &attr);
}

static uint32_t make_proto(struct finder *finder, Dwarf_Die *die,
			   const struct fc_parameters *params)
{
	struct fc_typegraph *graph = &finder->types.graph;
	uint32_t result = fc_dietypes_node_of(&finder->types, die);
	uint32_t proto = fc_typegraph_add(graph);
	struct fc_typenode *node = fc_typegraph_node(graph, proto);

	node->kind = BTF_KIND_FUNC_PROTO;
	node->of = result;
	for (uint32_t i = 0; i < params->nr; i++) {
		struct fc_typeitem item = { .name = params->params[i].name,
					    .of = params->params[i].type };
		fc_typegraph_item(graph, proto, item);
	}
	if (params->is_variadic)
		fc_typegraph_item(graph, proto, (struct fc_typeitem){ 0 });
	return proto;
}

/* May what nobody uses not be passed, or returned? Calls are told only then. */
static bool is_optimised(const struct finder *finder, Dwarf_Die *die)
{
	Dwarf_Attribute attr;

	return finder->has_lists || dwarf_attr_integrate(die, DW_AT_call_all_calls, &attr) ||
	       dwarf_attr_integrate(die, DW_AT_GNU_all_call_sites, &attr);
}

/*
 * A result that no caller of the same unit looks at may not be returned: GCC tells by the symbol,
 * LLVM not at all; but what its code reads behind a call has been returned. GCC's reads registers, too, of
 * which it knows that the function left them alone.
 */
static enum fc_tag tag_of_result(const struct finder *finder, Dwarf_Die *die, size_t asked)
{
	bool is_optional =
		!finder->is_by_gcc && is_optimised(finder, die) && !finder->is_global[asked];

	return finder->copies[asked] & RETURNS_LESS ? FC_TAG_UNSURE_RESULT
	       : is_optional			    ? FC_TAG_READ_RESULT
						    : 0;
}

/* Not the machine's own, but one that this function alone has? */
static bool has_own_rules(Dwarf_Die *die)
{
	enum { /* of LLVM's; arguments and results are as in C */
	       CC_SYSV = 0xc2,
	       CC_PRESERVE_MOST = 0xc9,
	       CC_PRESERVE_ALL = 0xca
	};
	uint64_t convention;

	if (!fc_die_number(die, DW_AT_calling_convention, &convention))
		return false;
	switch (convention) {
	case 0:
	case DW_CC_normal:
	case DW_CC_program:
	case DW_CC_pass_by_reference:
	case DW_CC_pass_by_value:
	case CC_SYSV:
	case CC_PRESERVE_MOST:
	case CC_PRESERVE_ALL:
		return false;
	}
	return true;
}

static uint32_t make_function(struct finder *finder, Dwarf_Die *die, size_t asked,
			      const struct fc_parameters *params)
{
	uint32_t proto = make_proto(finder, die, params);
	uint32_t name = fc_dietypes_name(&finder->types, linkage_name(die));
	uint32_t func = fc_typegraph_add(&finder->types.graph);
	struct fc_typenode *node = fc_typegraph_node(&finder->types.graph, func);
	Dwarf_Attribute attr;

	node->kind = BTF_KIND_FUNC;
	node->of = proto;
	node->name = name;
	if (dwarf_attr_integrate(die, DW_AT_noreturn, &attr))
		node->tags |= FC_TAG_NORETURN;
	if (fc_typegraph_node(&finder->types.graph, proto)->of)
		node->tags |= tag_of_result(finder, die, asked);
	if (has_own_rules(die) || params->has_own_rules)
		node->tags |= FC_TAG_OWN_RULES;
	if (finder->language == DW_LANG_Rust)
		node->tags |= FC_TAG_RUST;
	return func;
}

/* Where the ABI would tell of places, but is not that of Rust: they are not known. */
static void forget_homes(struct finder *finder, const struct match *match)
{
	struct fc_found_function *function = &finder->functions[match->asked];
	const struct fc_typegraph *graph = &finder->types.graph;

	if (!function->func || !(fc_typegraph_node(graph, function->func)->tags & FC_TAG_RUST))
		return;
	uint32_t proto = fc_typegraph_node(graph, function->func)->of;
	if (fc_rustcall_is_plain(graph, proto))
		return;
	if (!function->nr) {
		function->first = (uint32_t)finder->places.nr;
		function->nr = fc_typegraph_node(graph, proto)->nr;
		for (uint32_t i = 0; i < function->nr; i++)
			fc_vec_push(&finder->places, (struct fc_location){ 0 });
	}
	for (uint32_t i = 0; i < function->nr; i++) {
		struct fc_location *place = &finder->places.at[function->first + i];
		place->is_absent = !place->nr;
		place->is_unsure = place->is_unsure && place->nr;
	}
}

static bool is_fortran(int language)
{
	switch (language) {
	case DW_LANG_Fortran77:
	case DW_LANG_Fortran90:
	case DW_LANG_Fortran95:
	case DW_LANG_Fortran03:
	case DW_LANG_Fortran08:
		return true;
	}
	return false;
}

static uint64_t end_of(Dwarf_Die *function)
{
	Dwarf_Addr ret;

	return dwarf_highpc(function, &ret) ? 0 : ret;
}

static void describe_function(struct finder *finder, struct match *match)
{
	struct fc_found_function *function = &finder->functions[match->asked];
	uint64_t vaddr = finder->vaddrs[match->asked];
	struct fc_entry entry = { .vaddr = vaddr,
				  .end = end_of(&match->die),
				  .frame = finder->frame,
				  .is_by_gcc = finder->is_by_gcc,
				  .is_tracked = finder->is_tracked || finder->has_lists,
				  .is_optimised = is_optimised(finder, &match->die),
				  .has_own_rules = has_own_rules(&match->die),
				  .cfi = finder->cfi,
				  .is_of_c = fc_language_is_c(finder->language),
				  .is_fortran = is_fortran(finder->language),
				  .is_remade = finder->copies[match->asked] & TAKES_OTHERS,
				  .is_global = finder->is_global[match->asked] };
	struct fc_parameters params;

	if (function->func || !is_told(finder, &match->die))
		return;
	fc_entry_find_base(&match->die, &entry);
	fc_parameters_read(&params, &finder->types, &match->die, &entry);
	function->func = make_function(finder, &match->die, match->asked, &params);
	finder->nr_found++;
	if (!fc_parameters_are_placed(&params))
		return;
	function->first = (uint32_t)finder->places.nr;
	function->nr = params.nr;
	for (uint32_t i = 0; i < params.nr; i++)
		fc_vec_push(&finder->places, params.params[i].place);
}

/* ---- units ---- */

static bool holds_any(struct finder *finder, Dwarf_Die *unit)
{
	Dwarf_Addr base = 0, begin, end;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(unit, at, &base, &begin, &end)) > 0) {
		size_t i = fc_bisect(finder->vaddrs, finder->nr, item, *item < begin);
		if (i < finder->nr && finder->vaddrs[i] < end)
			return true;
	}
	if (at < 0)
		note(finder, FC_DWARF_DAMAGED);
	return false;
}

static bool is_assembly(int language)
{
	return language == DW_LANG_Mips_Assembler;
}

/* GCC follows the stack pointer through the code at a function's start. */
static bool is_by_gcc(const char *producer)
{
	return producer && !strncmp(producer, "GNU ", 4);
}

static bool is_by_llvm(const char *producer)
{
	return producer && (strstr(producer, "clang") || strstr(producer, "LLVM"));
}

/*
 * GCC follows variables where it optimises, unless it is told not to, and says what it was told. A
 * place that LLVM tells in one for all of a function is a register where it optimises.
 */
static bool is_tracked(const char *producer)
{
	const char *level = NULL;

	if (!is_by_gcc(producer))
		return is_by_llvm(producer);
	for (const char *at = producer; (at = strstr(at, " -O")); at++)
		level = at + strlen(" -O"); /* the last one counts */
	return level && *level != '0' && !strstr(producer, "-fno-var-tracking");
}

/* LLVM before 18 passes an integer of two words as two that know nothing of each other. */
static bool splits_wide(const char *producer)
{
	enum { FIRST_RIGHT = 18 };
	const char *version = producer ? strstr(producer, "clang version ") : NULL;

	if (is_by_gcc(producer))
		return false;
	return !version || atoi(version + strlen("clang version ")) < FIRST_RIGHT;
}

static const char *producer_of(Dwarf_Die *unit)
{
	Dwarf_Attribute attr;

	return dwarf_attr(unit, DW_AT_producer, &attr) ? dwarf_formstring(&attr) : NULL;
}

static void read_unit(struct finder *finder, Dwarf_Die *unit, const char *producer)
{
	finder->language = dwarf_srclang(unit);
	if (is_assembly(finder->language))
		return;
	finder->is_by_gcc = is_by_gcc(producer);
	finder->is_tracked = is_tracked(producer);
	finder->types.splits_wide = splits_wide(producer);
	finder->has_types = finder->has_lists = false;
	finder->matches.nr = 0;
	go_through(finder, unit, 0);
	fc_vec_each (&finder->matches, match)
		describe_function(finder, match);
	fc_dieread_all(&finder->types);
	fc_vec_each (&finder->matches, match)
		forget_homes(finder, match);
}

/* In a file of its own; one that was given and does not have it is damaged. */
static void read_split_unit(struct finder *finder, Dwarf_CU *cu, Dwarf_Die *die)
{
	struct fc_split_unit unit;
	struct fc_skeleton skeleton;

	if (!fc_skeleton_read(cu, die, &skeleton)) {
		note(finder, FC_DWARF_DAMAGED);
		return;
	}
	if (fc_splits_find(&finder->splits, &skeleton, &unit)) {
		read_unit(finder, &unit.die, unit.producer);
		return;
	}
	note(finder, finder->splits.is_full ? FC_DWARF_MANY : FC_DWARF_SPLIT);
	if (*skeleton.name && strlen(skeleton.name) < FC_FOUND_PATH &&
	    strlen(skeleton.dir) < FC_FOUND_PATH && finder->missing.bytes.nr < MOST_MISSING)
		fc_found_put_split(
			&finder->missing,
			&(struct fc_found_split){ skeleton.id, skeleton.name, skeleton.dir });
}

static void read_units(struct finder *finder)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die die;
	uint8_t type;
	int is_end = 0;

	while (finder->types.left && finder->nr_found < finder->nr &&
	       !(is_end = dwarf_get_units(finder->handle.dwarf, cu, &cu, NULL, &type, &die,
					  NULL))) {
		if (dwarf_tag(&die) == DW_TAG_invalid)
			note(finder, FC_DWARF_DAMAGED);
		else if (type == DW_UT_compile && holds_any(finder, &die))
			read_unit(finder, &die, producer_of(&die));
		else if (type == DW_UT_skeleton && holds_any(finder, &die))
			read_split_unit(finder, cu, &die);
	}
	if (is_end < 0)
		note(finder, FC_DWARF_DAMAGED);
	if (!finder->types.left)
		note(finder, finder->types.is_full ? FC_DWARF_MANY : FC_DWARF_SHARED);
}

/* ---- what is sent ---- */

static int send_findings(const struct finder *finder, const uint32_t *ids,
			 const struct btf *btf, struct fc_found_bytes *ret)
{
	uint32_t types_size;
	const void *types = btf__raw_data(btf, &types_size);
	struct fc_found_head head = { .wrong = finder->wrong,
				      .nr_functions = (uint32_t)finder->nr,
				      .nr_places = (uint32_t)finder->places.nr,
				      .types_size = types_size,
				      .splits_size = (uint32_t)finder->missing.bytes.nr };

	if (!types)
		return -ENOMEM;
	fc_found_put(ret, &head, sizeof(head));
	for (size_t i = 0; i < finder->nr; i++) {
		struct fc_found_function function = finder->functions[i];
		function.func = function.func ? ids[function.func - 1] : 0;
		fc_found_put(ret, &function, sizeof(function));
	}
	for (size_t i = 0; i < finder->places.nr; i++) {
		struct fc_found_place place = fc_found_place(&finder->places.at[i]);
		fc_found_put(ret, &place, sizeof(place));
	}
	fc_found_put(ret, types, types_size);
	fc_found_put(ret, finder->missing.bytes.at, finder->missing.bytes.nr);
	return 0;
}

static int make_table(struct finder *finder, struct fc_found_bytes *ret)
{
	size_t nr = finder->types.graph.nodes.nr;
	uint32_t *ids = fc_alloc((nr + 1) * sizeof(*ids));
	struct btf *btf = fc_typegraph_table(&finder->types.graph, ids);
	int err = btf ? send_findings(finder, ids, btf, ret) : -ENOMEM;

	btf__free(btf);
	free(ids);
	return err;
}

int fc_dwarf_functions_find(const struct fc_image *image, const struct fc_image *alt,
			    const struct fc_split_files *splits,
			    const struct fc_dwarf_size *size, const uint64_t *vaddrs, size_t nr,
			    struct fc_found_bytes *ret)
{
	struct finder finder = { .vaddrs = vaddrs,
				 .nr = nr,
				 .frame = fc_arch_call_frame(image->machine) };

	/* Each is gone through twice at most, and takes a byte at least. */
	finder.types.left = FREE_ENTRIES + 2 * size->all;
	finder.functions = fc_alloc((nr + 1) * sizeof(*finder.functions));
	finder.is_global = fc_alloc(nr + 1);
	finder.copies = fc_alloc(nr + 1);
	fc_dwarf_handle_init(&finder.handle, image, alt, FC_DWARF_SIGNATURES);
	finder.splits = (struct fc_splits){ .files = splits, .main = finder.handle.elf };
	if (!finder.handle.dwarf)
		note(&finder, FC_DWARF_DAMAGED);
	else if (finder.frame) {
		note_all_symbols(&finder);
		finder.cfi = dwarf_getcfi_elf(finder.handle.elf);
		read_units(&finder);
		dwarf_cfi_end(finder.cfi);
	}
	int err = make_table(&finder, ret);
	free(finder.functions);
	free(finder.is_global);
	free(finder.copies);
	fc_vec_free(&finder.places);
	fc_vec_free(&finder.missing.bytes);
	fc_vec_free(&finder.splits.elfs);
	fc_vec_free(&finder.matches);
	fc_dietypes_deinit(&finder.types);
	return err;
}
