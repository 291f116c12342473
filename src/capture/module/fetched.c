/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/module/fetched.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/path.h"
#include "calls/names.h"
#include "capture/module/named.h"
#include "capture/module/returned.h"
#include "dwarf/signatures.h"
#include "elf/elf.h"
#include "values/copy.h"
#include "values/places.h"
#include "values/proto/known.h"
#include "values/stub_fetches.h"

static bool is_in(char **globs, struct fc_name name)
{
	for (size_t i = 0; globs && globs[i]; i++)
		if (fc_name_match(name, globs[i]))
			return true;
	return false;
}

struct making {
	const struct fc_values_asked *asked;
	const char *module;
	const struct fc_types *known; /* of the library that it is; NULL: nothing */
	struct fc_types *types;
	struct fc_formats *formats;
	struct fc_errno_place error; /* of its threads, if it is the C library */
	struct fc_named named;	     /* what else names tell */
	struct fc_types *sdt;	     /* what notes tell of probes' arguments */
	const struct fc_plan *plan;
	bool is_program;		    /* it is no library */
	FC_VEC(struct fc_type_copy) copies; /* of each table that something was taken from */
};

/* The table that knows a function of this name; *func is its id there. NULL: none does. */
static const struct fc_types *find_proto(const struct making *making, const char *name,
					 uint32_t *func)
{
	const struct fc_values_asked *asked = making->asked;
	for (size_t i = 0; i < asked->nr_protos; i++) {
		*func = fc_types_find_func(asked->protos[i], name);
		if (*func)
			return asked->protos[i];
	}
	*func = making->known ? fc_types_find_func(making->known, name) : 0;
	if (*func)
		return making->known;
	*func = asked->last_protos ? fc_types_find_func(asked->last_protos, name) : 0;
	return *func ? asked->last_protos : NULL;
}

/* The same function in the table that goes into the trace. */
static uint32_t take(struct making *making, const struct fc_types *from, uint32_t func)
{
	struct fc_type_copy *copy = NULL;
	fc_vec_each (&making->copies, known)
		if (known->from == from)
			copy = known;
	if (!copy) {
		fc_vec_push(&making->copies, (struct fc_type_copy){ 0 });
		copy = &making->copies.at[making->copies.nr - 1];
		fc_type_copy_init(copy, from, making->types);
	}
	return fc_type_copy_take(copy, func, making->asked->fetch.depth);
}

/* Also of what has values of which nobody knows where they are: nothing is fetched then. */
static void tell(struct making *making, const struct fc_fetch_plan *plan, uint32_t key,
		 uint32_t type)
{
	fc_formats_add(making->formats, key, type, plan->part, plan->nr);
}

/* A function whose values are asked for, and who knows what they are. */
struct known {
	size_t i; /* in the plan */
	struct fc_name name;
	bool has_args, has_result, has_exit; /* has_exit: its returns are seen */
	const struct fc_value_spec *args,
		*result;	      /* what the user says of them; NULL: nothing */
	const struct fc_types *types; /* NULL: nobody does, but for debug information */
	uint32_t func;
	const struct fc_planned_probe *probe; /* NULL: it is a function */
};

/* The last that matches and says anything. */
static const struct fc_value_spec *find_spec(const struct fc_value_spec *specs, size_t nr,
					     struct fc_name name)
{
	while (nr--)
		if (specs[nr].types && fc_name_match(name, specs[nr].glob))
			return &specs[nr];
	return NULL;
}

/* Is anything asked for that nobody says yet? */
static bool needs_debug_info(const struct known *known)
{
	bool is_said =
		(!known->has_args || known->args) && (!known->has_result || known->result);
	return !known->types && !is_said;
}

/* "provider:name" is declared as provider__name. */
static char *identifier_of(const char *probe)
{
	const char *colon = strchr(probe, ':');
	return fc_asprintf("%.*s__%s", (int)(colon - probe), probe, colon + 1);
}

/*
 * What its note says of an argument: how long it is, and whether it has a sign. kind: what fctrace.h says of it
 * beside; 0: nothing.
 */
static uint32_t sdt_type(struct fc_types *types, const struct fc_sdt_operand *operand,
			 char kind)
{
	static const char *const names[2][4] = {
		{ "unsigned char", "unsigned short", "unsigned int", "unsigned long" },
		{ "signed char", "short", "int", "long" },
	};
	uint32_t size = operand->size, log = (uint32_t)__builtin_ctz(size);
	if (kind == 's' && size == 8)
		return fc_types_pointer(types,
					fc_types_const(types, fc_types_number(types, "char", 1,
									      FC_NUMBER_CHAR)));
	if (operand->is_float || (kind == 'f' && size >= 4))
		return fc_types_float(types, size == 4 ? "float" : "double", size);
	if (size == 8 && !operand->is_signed && kind != 'u') /* mostly it is an address */
		return fc_types_pointer(types, 0);
	return fc_types_number(types, names[operand->is_signed][log], size,
			       operand->is_signed ? FC_NUMBER_SIGNED : FC_NUMBER_UNSIGNED);
}

static uint32_t sdt_func(struct fc_types *types, const char *name,
			 const struct fc_planned_probe *probe)
{
	struct fc_param params[FC_MAX_SDT_OPERANDS];
	size_t nr_kinds = probe->kinds ? strlen(probe->kinds) : 0;
	for (uint8_t i = 0; i < probe->nr_operands; i++) {
		char kind = i < nr_kinds ? probe->kinds[i] : 0;
		params[i] = (struct fc_param){ "", sdt_type(types, &probe->operand[i], kind) };
	}
	return fc_types_func(types, name,
			     fc_types_proto(types, 0, params, probe->nr_operands, false));
}

/* A declaration counts if it has as many parameters. */
static void find_probe(struct making *making, const struct fc_func_info *info, size_t i,
		       const struct fc_planned_probe *probe, struct known *ret)
{
	fc_auto_free char *name = identifier_of(info->name);
	*ret = (struct known){
		.i = i,
		.name = { .name = info->name, .module = making->module },
		.has_args = true,
		.probe = probe,
	};
	ret->types = find_proto(making, name, &ret->func);
	if (!ret->types) {
		ret->types = fc_known_types("[probe]");
		ret->func = ret->types ? fc_types_find_func(ret->types, name) : 0;
	}
	if (ret->func && fc_param_nr(ret->types, ret->func) == probe->nr_operands)
		return;
	if (!making->sdt)
		making->sdt = fc_types_create();
	ret->types = making->sdt;
	ret->func = sdt_func(making->sdt, name, probe);
}

static void place_probe(const struct fc_planned_probe *probe, struct fc_signature *signature)
{
	signature->nr = probe->nr_operands;
	for (uint8_t i = 0; i < probe->nr_operands; i++)
		fc_arch_here->probe->place(&probe->operand[i], i, &signature->param[i]);
}

/*
 * What the user gives counts, then what fctrace brings for common libraries, which tells more than their
 * types: flags, and what is written where. Then debug information.
 */
static bool find_known(struct making *making, const struct fc_func_info *info, size_t i,
		       struct known *ret)
{
	const struct fc_values_asked *asked = making->asked;
	struct fc_name name = { .name = info->name, .module = making->module };
	if (!info->id || !info->name)
		return false;
	const struct fc_planned_probe *probe = fc_plan_probe(making->plan, i);
	if (probe) {
		find_probe(making, info, i, probe, ret);
		return true;
	}
	*ret = (struct known){
		.i = i,
		.name = name,
		.has_args = asked->is_all || is_in(asked->args, name),
		.has_result = info->how == FC_HOW_HOOKED &&
			      (asked->is_all || is_in(asked->results, name)),
		.has_exit = info->how == FC_HOW_HOOKED,
	};
	if (!ret->has_args && !ret->has_result)
		return false;
	if (ret->has_args)
		ret->args = find_spec(asked->arg_specs, asked->nr_arg_specs, name);
	if (ret->has_result)
		ret->result = find_spec(asked->result_specs, asked->nr_result_specs, name);
	ret->types = find_proto(making, info->name, &ret->func);
	return true;
}

/* What no door sees is not told. */
static void leave_out_unseen(struct fc_location *location)
{
	bool is_seen = true;
	for (uint8_t i = 0; i < location->nr; i++)
		is_seen &= fc_arch_here->abi->can_fetch(&location->piece[i]);
	if (!is_seen)
		*location = (struct fc_location){ .is_absent = true };
}

/* A function, and where its values are; types NULL: nothing is known of it. */
struct told {
	const struct fc_types *types;
	uint32_t func;
	struct fc_value_places places;
};

static void find_places(struct told *told, const struct fc_types *types,
			const struct fc_signature *signature)
{
	*told = (struct told){ .types = signature->func ? types : NULL,
			       .func = signature->func };
	if (!told->types)
		return;
	fc_value_places_find(fc_arch_here, types, signature, &told->places);
	for (uint32_t k = 0; k < told->places.nr; k++)
		leave_out_unseen(&told->places.param[k]);
	leave_out_unseen(&told->places.result);
}

static struct fc_fetch_func fetch_func(const struct making *making, const struct told *told)
{
	struct fc_fetch_func ret = {
		.types = told->types,
		.type = told->func,
		.param = told->places.param,
		.nr = told->places.nr,
		.result = told->places.result,
	};
	if (told->types == making->known) /* its own functions set it */
		ret.error = making->error;
	return ret;
}

static void hear(uint8_t *heard, bool is_known)
{
	uint8_t what = FC_HEARD_FUNCTION | (is_known ? FC_HEARD_VALUES : 0);
	__atomic_fetch_or(heard, what, __ATOMIC_RELAXED);
}

/* By which globs a function was asked for, and whether anybody knows what its values are. */
static void note_all(uint8_t *heard, char **globs, struct fc_name name, bool is_known)
{
	for (size_t i = 0; heard && globs && globs[i]; i++)
		if (fc_name_match(name, globs[i]))
			hear(&heard[i], is_known);
}

static void note_probe(uint8_t *heard, char **globs, struct fc_name name)
{
	for (size_t i = 0; heard && globs && globs[i]; i++)
		if (fc_name_match(name, globs[i]))
			__atomic_fetch_or(&heard[i], FC_HEARD_PROBE, __ATOMIC_RELAXED);
}

static void note(const struct making *making, const struct known *known, bool has_args,
		 bool has_result)
{
	const struct fc_values_asked *asked = making->asked;
	if (known->probe) {
		note_probe(asked->args_heard, asked->args, known->name);
		note_probe(asked->results_heard, asked->results, known->name);
		return;
	}
	note_all(asked->args_heard, asked->args, known->name, has_args);
	note_all(asked->results_heard, asked->results, known->name, has_result);
	if (making->is_program && asked->program_heard)
		hear(asked->program_heard, has_args || has_result);
}

/*
 * What the user says counts, of the arguments and of the result each. Where only one of both is said,
 * what the call writes behind its arguments is not told: they are not those that stand in the trace.
 */
static void make(struct making *making, const struct known *known, uint32_t id,
		 const struct told *told, struct fc_fetched *ret)
{
	struct fc_fetch_plan entry = { 0 }, exit = { 0 };
	struct told args = *told, result = *told;
	if (known->args)
		find_places(&args, known->args->types, &known->args->signature);
	if (known->result)
		find_places(&result, known->result->types, &known->result->signature);
	if (known->has_args && args.types) {
		struct fc_fetch_func what = fetch_func(making, &args);
		fc_fetch_plan_entry(&what, &making->asked->fetch, &entry);
	}
	if (known->has_exit && result.types && (known->has_result || !known->args)) {
		struct fc_fetch_func what = fetch_func(making, &result);
		what.no_args = known->args || !known->has_args;
		what.no_result = !known->has_result;
		fc_fetch_plan_exit(&what, &making->asked->fetch, &entry, &exit);
	}
	note(making, known, args.types, result.types);
	ret->values = fc_fetch_plan_make(&entry, fca_format(id, false));
	ret->result = fc_fetch_plan_make(&exit, fca_format(id, true));
	bool has_args = known->has_args && args.types && fc_param_nr(args.types, args.func);
	bool has_result = known->has_result && result.types &&
			  fc_param_type(result.types, result.func, FC_PARAM_RESULT);
	if (entry.nr || has_args)
		tell(making, &entry, fca_format(id, false),
		     take(making, args.types, args.func));
	if (exit.nr || has_result)
		tell(making, &exit, fca_format(id, true),
		     take(making, result.types, result.func));
}

/* All that are asked for, in the plan's order. */
struct asked_funcs {
	FC_VEC(struct known) list;
};

/*
 * Debug information of those that nobody else knows. NULL: there is none, as of most programs, or
 * *unread says why.
 */
static struct fc_signatures *read_signatures(const struct asked_funcs *asked,
					     const struct fc_elf *elf,
					     const struct fc_func_info *funcs, char **unread)
{
	struct fc_signatures *ret = NULL;
	FC_VEC(uint64_t) vaddrs = { 0 };
	fc_vec_each (&asked->list, known)
		if (needs_debug_info(known))
			fc_vec_push(&vaddrs, funcs[known->i].vaddr);
	int err = vaddrs.nr ? fc_signatures_read(elf->reached_by, elf->build_id, vaddrs.at,
						 vaddrs.nr, &ret)
			    : -ENODATA;
	const char *wrong = err ? NULL : fc_signatures_wrong(ret);
	if (wrong)
		*unread = fc_asprintf("%s: %s", elf->path, wrong);
	else if (err == -EBADMSG || err == -EFBIG || err == -ESTALE)
		*unread = fc_strdup(fc_fail_text());
	fc_vec_free(&vaddrs);
	return err ? NULL : ret;
}

/* What its code, and the code behind its calls, tells beside debug information. */
static void find_code(const struct fc_elf *elf, const struct fc_returned *returned,
		      const struct fc_func_info *info, struct fc_signature *signature)
{
	enum { ENOUGH = 4096 };
	if (!signature->func)
		return;
	signature->code_size = info->size < ENOUGH ? info->size : ENOUGH;
	signature->code = fc_elf_bytes(elf, info->vaddr, signature->code_size);
	signature->results_read = fc_returned_of(returned, info->vaddr);
}

/* Those whose results debug information alone does not tell. */
static void find_returned(const struct asked_funcs *asked,
			  const struct fc_signatures *signatures, const struct fc_elf *elf,
			  const struct fc_func_info *funcs, struct fc_returned *ret)
{
	struct fc_signature signature;
	FC_VEC(uint64_t) unsure = { 0 };
	size_t nr_read = 0;
	fc_vec_each (&asked->list, known) {
		if (!needs_debug_info(known))
			continue;
		fc_signatures_get(signatures, nr_read++, &signature);
		if (signature.func && known->has_result &&
		    fc_types_tags(fc_signatures_types(signatures), signature.func) &
			    FC_TAG_READ_RESULT)
			fc_vec_push(&unsure, funcs[known->i].vaddr);
	}
	fc_returned_find(fc_arch_here, elf, unsure.at, unsure.nr, ret);
	fc_vec_free(&unsure);
}

static void make_all(struct making *making, const struct asked_funcs *asked,
		     const struct fc_signatures *signatures, const struct fc_func_info *funcs,
		     struct fc_fetched *ret)
{
	size_t nr_read = 0;
	struct fc_returned returned = { 0 };
	if (signatures)
		find_returned(asked, signatures, making->named.elf, funcs, &returned);
	fc_vec_each (&asked->list, known) {
		const struct fc_types *types = known->types;
		struct fc_signature signature = { .func = known->func };
		struct told told;
		if (known->probe)
			place_probe(known->probe, &signature);
		if (signatures && needs_debug_info(known)) {
			fc_signatures_get(signatures, nr_read++, &signature);
			find_code(making->named.elf, &returned, &funcs[known->i], &signature);
			types = fc_signatures_types(signatures);
		}
		if (needs_debug_info(known) && !signature.func &&
		    fc_named_find(&making->named, &funcs[known->i], &signature))
			types = making->named.types;
		find_places(&told, types, &signature);
		make(making, known, funcs[known->i].id, &told, &ret[known->i]);
	}
	fc_returned_deinit(&returned);
}

static void find_errno(const struct fc_elf *elf, struct fc_errno_place *ret)
{
	enum { ROOM = 32 };
	uint64_t vaddr;
	const uint8_t *code = fc_elf_symbol(elf, "__errno_location", &vaddr)
				      ? NULL
				      : fc_elf_bytes(elf, vaddr, ROOM);
	if (code)
		fc_arch_here->code->errno_place(code, ROOM, vaddr, ret);
}

void fc_module_values_init(struct fc_module_values *values, const struct fc_elf *elf,
			   const struct fc_plan *plan, const struct fc_values_asked *asked)
{
	*values = (struct fc_module_values){ 0 };
	if (!asked)
		return;
	struct making making = { .asked = asked,
				 .module = fc_base_name(elf->path),
				 .types = fc_types_create(),
				 .plan = plan,
				 .is_program = !fc_elf_soname(elf) && elf->entry,
				 .named.elf = elf };
	making.formats = fc_formats_create(making.types);
	making.known = fc_known_types(making.module);
	find_errno(elf, &making.error);
	const struct fc_func_info *funcs = fc_plan_funcs(plan, &values->nr_funcs);
	values->fetched = fc_alloc((values->nr_funcs + 1) * sizeof(*values->fetched));
	struct asked_funcs list = { 0 };
	struct known known;
	for (size_t i = 0; i < values->nr_funcs; i++)
		if (find_known(&making, &funcs[i], i, &known))
			fc_vec_push(&list.list, known);
	struct fc_signatures *signatures = read_signatures(&list, elf, funcs, &values->unread);
	making.is_program &= !values->unread; /* which is said, and why */
	if (making.is_program && signatures &&
	    asked->program_heard) /* with -F it may be of no use */
		hear(asked->program_heard, true);
	make_all(&making, &list, signatures, funcs, values->fetched);
	fc_vec_free(&list.list);
	if (!fc_formats_is_empty(making.formats))
		values->bytes = fc_formats_bytes(making.formats, &values->size);
	fc_formats_destroy(making.formats);
	fc_signatures_destroy(signatures);
	fc_vec_each (&making.copies, copy)
		fc_type_copy_deinit(copy);
	fc_vec_free(&making.copies);
	fc_named_deinit(&making.named);
	fc_types_destroy(making.sdt);
}

void fc_module_values_deinit(struct fc_module_values *values)
{
	for (size_t i = 0; i < values->nr_funcs; i++) {
		free((void *)values->fetched[i].values);
		free((void *)values->fetched[i].result);
	}
	free(values->fetched);
	free(values->bytes);
	free(values->unread);
	*values = (struct fc_module_values){ 0 };
}
