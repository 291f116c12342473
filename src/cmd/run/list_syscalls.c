/* SPDX-License-Identifier: Apache-2.0 */
/* list_syscalls.c - prints the places in a program's file that make system calls. */
#include "cmd/run/list_syscalls.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "capture/patch/syscall_places.h"
#include "capture/syscall/syscalls.h"
#include "cmd/options/cmd.h"
#include "cmd/out/json.h"
#include "cmd/out/output.h"
#include "cmd/out/say.h"
#include "cmd/out/table.h"

/* "openat"; "?" where the number is known only as it runs. */
static char *name_of_syscall(const struct fc_syscall_insn *insn)
{
	const char *name = insn->is_known && insn->way == FC_SYSCALL_NATIVE
				   ? fc_syscall_name(insn->number)
				   : NULL;
	if (name)
		return fc_strdup(name);
	if (!insn->is_known)
		return fc_strdup("?");
	return fc_asprintf("number %llu%s", (unsigned long long)insn->number,
			   insn->way == FC_SYSCALL_COMPAT ? " of 32-bit programs" : "");
}

static void print_syscall(const struct fc_planned_program *planned, FILE *out,
			  const struct fc_syscall_place *place)
{
	fc_auto_free char *name = name_of_syscall(&place->insn);
	fc_auto_free char *func = place->func ? fc_planned_name(planned, place->func) : NULL;
	fprintf(out, "%12llx  %-24s ", (unsigned long long)place->insn.vaddr, name);
	fc_print_foreign(out, func ? func : "[in no function that is known]");
	fputc('\n', out);
}

static void json_syscall(struct fc_json *json, const struct fc_planned_program *planned,
			 const struct fc_syscall_place *place)
{
	const struct fc_syscall_insn *insn = &place->insn;
	fc_auto_free char *name = name_of_syscall(insn);
	fc_auto_free char *func = place->func ? fc_planned_name(planned, place->func) : NULL;
	fc_json_open(json, NULL, '{');
	fc_json_number(json, "vaddr", insn->vaddr);
	if (insn->is_known) {
		fc_json_number(json, "number", insn->number);
		fc_json_string(json, "name", name);
	}
	if (insn->way == FC_SYSCALL_COMPAT)
		fc_json_string(json, "way", "of 32-bit programs");
	if (func)
		fc_json_string(json, "function", func);
	fc_json_close(json, '{');
}

/* "335 places, 4 of which make whatever call they are told to". */
static void sum_syscalls(const struct fc_planned_program *planned, FILE *out,
			 const struct fc_syscall_places *places)
{
	size_t nr_told = 0;
	fc_vec_each (&places->list, place)
		nr_told += !place->insn.is_known;
	fprintf(out, "%zu place%s", places->list.nr, places->list.nr == 1 ? "" : "s");
	if (nr_told)
		fprintf(out, ", %zu of which make%s whatever call %s told to (?)", nr_told,
			nr_told == 1 ? "s" : "", nr_told == 1 ? "it is" : "they are");
	fputc('\n', out);
}

static void show_syscalls(const struct fc_planned_program *planned, FILE *out,
			  const struct fc_syscall_places *places, bool is_json)
{
	struct fc_json json = { .out = out };
	if (is_json)
		fc_json_open(&json, NULL, '[');
	else
		fprintf(out, "%12s  %-24s %s\n", "ADDRESS", "SYSTEM CALL", "FUNCTION");
	fc_vec_each (&places->list, place)
		if (is_json)
			json_syscall(&json, planned, place);
		else
			print_syscall(planned, out, place);
	if (is_json)
		fc_json_close(&json, '[');
	else
		sum_syscalls(planned, out, places);
}

int fc_list_syscalls(const struct fc_planned_program *planned, FILE *out, bool is_json)
{
	struct fc_syscall_places places = { 0 };
	fc_syscall_places_find(&places, planned->plan);
	bool has_any = places.list.nr;
	if (has_any || is_json)
		show_syscalls(planned, out, &places, is_json);
	fc_syscall_places_deinit(&places);
	if (has_any)
		return FC_STATUS_OK;
	fc_say("%s makes no system calls itself; its libraries may: fctrace list --syscalls "
	       "LIBRARY",
	       planned->path);
	return FC_STATUS_NO;
}
