/* SPDX-License-Identifier: Apache-2.0 */
/* list_probes.c - prints the static probes of a program's file, and how each would be hooked. */
#include "cmd/run/list_probes.h"

#include "base/cleanup.h"
#include "cmd/options/cmd.h"
#include "cmd/out/json.h"
#include "cmd/out/say.h"

/* What the plan says of it. */
static const struct fc_func_info *find_probe(const struct fc_planned_program *planned,
					     const struct fc_probe *probe)
{
	const struct fc_func_info *info = fc_plan_info_before(planned->plan, probe->vaddr);
	bool is_it = info && info->vaddr == probe->vaddr && info->name == probe->name;
	return is_it ? info : NULL;
}

static const char *how_of(const struct fc_func_info *info)
{
	return info && info->how == FC_HOW_ENTRY_ONLY ? "hooked" : "skipped";
}

/* NULL: it is hooked. */
static const char *why_of(const struct fc_planned_program *planned,
			  const struct fc_probe *probe, const struct fc_func_info *info)
{
	size_t nr;
	const struct fc_unplaced_probe *unplaced = fc_plan_unplaced_probes(planned->plan, &nr);
	if (info)
		return info->how == FC_HOW_ENTRY_ONLY ? NULL : info->why;
	for (size_t i = 0; i < nr; i++)
		if (unplaced[i].name == probe->name)
			return unplaced[i].why;
	return "static probes of this machine cannot be hooked";
}

/* "hooked   python:line  8@%r14 8@%rax -4@%ebp" */
static void print_probe(const struct fc_planned_program *planned, FILE *out,
			const struct fc_probe *probe)
{
	const struct fc_func_info *info = find_probe(planned, probe);
	const char *why = why_of(planned, probe, info);
	fprintf(out, "%-8s %12llx  %s  %s%s%s\n", how_of(info),
		(unsigned long long)probe->vaddr, probe->name, probe->args, why ? ": " : "",
		why ? why : "");
}

static void json_probe(struct fc_json *json, const struct fc_planned_program *planned,
		       const struct fc_probe *probe)
{
	const struct fc_func_info *info = find_probe(planned, probe);
	const char *why = why_of(planned, probe, info);
	fc_json_open(json, NULL, '{');
	fc_json_string(json, "probe", probe->name);
	fc_json_number(json, "vaddr", probe->vaddr);
	fc_json_number(json, "semaphore", probe->semaphore);
	fc_json_string(json, "arguments", probe->args);
	fc_json_string(json, "how", how_of(info));
	fc_json_string(json, "why", why ? why : "");
	fc_json_close(json, '{');
}

int fc_list_probes(const struct fc_planned_program *planned, FILE *out, bool is_json)
{
	size_t nr;
	const struct fc_probe *probes = fc_elf_probes(planned->elf, &nr);
	struct fc_json json = { .out = out };
	if (is_json)
		fc_json_open(&json, NULL, '[');
	else if (nr)
		fprintf(out, "%-8s %12s  %s\n", "HOW", "ADDRESS", "PROBE  ARGUMENTS");
	for (size_t i = 0; i < nr; i++) {
		if (is_json)
			json_probe(&json, planned, &probes[i]);
		else
			print_probe(planned, out, &probes[i]);
	}
	if (is_json)
		fc_json_close(&json, '[');
	size_t nr_damaged = fc_elf_damaged_probes(planned->elf);
	if (nr_damaged)
		fc_say("%s: %zu note%s of static probes cannot be read: damaged, or too many",
		       planned->path, nr_damaged, nr_damaged == 1 ? "" : "s");
	if (nr)
		return FC_STATUS_OK;
	fc_say("%s has no static probes", planned->path);
	return FC_STATUS_NO;
}
