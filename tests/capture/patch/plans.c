/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plans EVERY <PATHS - plans each EVERY-th ELF file of those that are named, one a line: how
 * many functions are hooked, by which tactic, and why the others are not. objdump is the
 * witness: the bytes that a plan overwrites begin with an instruction of its disassembly and
 * hold whole ones, and no branch that it shows goes into them. A function is hooked with
 * --libs=api if it is with --libs=all, and where the unwinder of a file is was found.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/vec.h"
#include "capture/patch/plan_private.h"
#include "capture/patch/known/rule.h"

enum { GOAL_PER_MILLE = 999 };

struct reason {
	const char *why;
	size_t nr;
};

static FC_VEC(struct reason) reasons;
static size_t nr_files, nr_real, nr_recorded, nr_parts;

/* What the linker and the loader put in is no function in the sense of a program. */
static bool is_glue(const struct fc_elf *elf, const struct fc_func *func)
{
	const struct fc_rule *rule = func->name ? fc_rule_find(func->name) : NULL;
	return func->vaddr == elf->entry ||
	       (rule && (rule->kind == FC_RULE_SKIP || rule->kind == FC_RULE_DL)) ||
	       fc_elf_is_linkage(elf, func->vaddr) ||
	       func->flags & (FC_FUNC_IFUNC | FC_FUNC_SIGNAL | FC_FUNC_NO_RETURN_ADDRESS);
}

static void count_reason(const char *why)
{
	fc_vec_each (&reasons, reason)
		if (!strcmp(reason->why, why)) {
			reason->nr++;
			return;
		}
	fc_vec_push(&reasons, (struct reason){ why, 1 });
}

static void count(const struct fc_plan *plan)
{
	for (size_t i = 0; i < plan->nr; i++) {
		const struct fc_func_info *info = &plan->infos[i];
		if (info->how == FC_HOW_PART) {
			nr_parts++;
		} else if (!is_glue(plan->elf, &plan->funcs[i])) {
			nr_real++;
			nr_recorded += info->how != FC_HOW_SKIPPED;
			count_reason(info->why);
		}
	}
	nr_files++;
}

/* What is overwritten, and what objdump says of it. A bit for each address of a range. */
struct bits {
	uint64_t vaddr, size;
	uint8_t *starts;  /* an instruction begins here */
	uint8_t *targets; /* a direct branch leads here */
};

static struct bits *bits_of(struct bits *bits, size_t nr, uint64_t vaddr)
{
	for (size_t i = 0; i < nr; i++)
		if (vaddr - bits[i].vaddr < bits[i].size)
			return &bits[i];
	return NULL;
}

static void set(uint8_t *bits, uint64_t i)
{
	bits[i / 8] |= 1 << i % 8;
}

static bool is_set(const uint8_t *bits, uint64_t i)
{
	return bits[i / 8] >> i % 8 & 1;
}

/* Is it a direct branch? "call   12a0 <f>", "bnd jne 12a0", "loop 12a0" */
static bool is_branch(const char *insn, uint64_t *to)
{
	static const char *const names[] = { "call", "j", "loop", "xbegin" };
	while (!strncmp(insn, "bnd ", 4) || !strncmp(insn, "notrack ", 8) ||
	       !strncmp(insn, "data16 ", 7) || !strncmp(insn, "rex", 3))
		insn += strcspn(insn, " ") + 1;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strncmp(insn, names[i], strlen(names[i])))
			continue;
		const char *operand = insn + strcspn(insn, " ");
		operand += strspn(operand, " ");
		char *end;
		*to = strtoull(operand, &end, 16);
		return end != operand && (!*end || *end == ' ' || *end == '\n');
	}
	return false;
}

/* "    12a0:\tcall   1050 <puts@plt>" */
static void read_line(const char *line, struct bits *bits, size_t nr)
{
	char *end;
	uint64_t vaddr = strtoull(line, &end, 16), to;
	if (line[0] != ' ' || end[0] != ':' || end[1] != '\t')
		return;
	struct bits *at = bits_of(bits, nr, vaddr);
	if (at && !strstr(end, "(bad)"))
		set(at->starts, vaddr - at->vaddr);
	if (!is_branch(end + 2, &to))
		return;
	at = bits_of(bits, nr, to);
	if (at)
		set(at->targets, to - at->vaddr);
}

static bool disassemble(const char *path, struct bits *bits, size_t nr)
{
	fc_auto_free char *command =
		fc_asprintf("LC_ALL=C objdump -d -w --no-show-raw-insn '%s' 2>/dev/null", path);
	FILE *in = popen(command, "r");
	if (!in)
		return false;
	fc_auto_free char *line = NULL;
	size_t room = 0;
	while (getline(&line, &room, in) > 0)
		read_line(line, bits, nr);
	return pclose(in) == 0;
}

static bool complain(const struct fc_plan *plan, const struct fc_planned *p, const char *what,
		     uint64_t vaddr)
{
	const char *name = plan->infos[p - plan->planned].name;
	printf("# %s: %s+%#llx: %s at %#llx\n", plan->elf->path, name ? name : "",
	       (unsigned long long)p->site.window.vaddr, what, (unsigned long long)vaddr);
	return false;
}

enum { FWAIT = 0x9b };

/*
 * Objdump takes data among code for branches, too (tables of Pascal and of GHC). What is a branch goes to
 * where an instruction begins, or behind its prefix: `lock` is jumped over where there is one thread.
 */
static bool may_be_target(const struct fc_plan *plan, const struct bits *at, uint64_t vaddr)
{
	static const uint8_t prefixes[] = { 0xf0, 0xf2, 0xf3, 0x66, 0x2e, 0x3e, FWAIT };
	const uint8_t *before = fc_elf_bytes(plan->elf, vaddr - 1, 1);
	return is_set(at->starts, vaddr - at->vaddr) ||
	       (before && memchr(prefixes, *before, sizeof(prefixes)));
}

/* The first byte of an entry may be jumped to; the bytes of a hop may not. */
static bool none_goes_into(const struct fc_plan *plan, const struct fc_planned *p,
			   struct bits *bits, size_t nr, uint64_t from, uint64_t to)
{
	for (uint64_t vaddr = from; vaddr < to; vaddr++) {
		const struct bits *at = bits_of(bits, nr, vaddr);
		if (at && is_set(at->targets, vaddr - at->vaddr) &&
		    may_be_target(plan, at, vaddr))
			return complain(plan, p, "a branch goes into it", vaddr);
	}
	return true;
}

static bool holds_whole_instructions(const struct fc_plan *plan, const struct fc_planned *p,
				     struct bits *bits, size_t nr)
{
	const struct fc_window *window = &p->site.window;
	const uint8_t *code = fc_elf_bytes(plan->elf, window->vaddr, window->size);
	const struct bits *at = bits_of(bits, nr, window->vaddr);
	bool unused;
	for (size_t off = 0; off < window->size;) {
		/* What waits for the x87 (finit, fsave) is two instructions, and one to objdump. */
		if (!is_set(at->starts, window->vaddr + off - at->vaddr) &&
		    !(off && code[off - 1] == FWAIT))
			return complain(plan, p, "no instruction begins", window->vaddr + off);
		off += plan->arch->code->insn_len(code + off, window->size - off, &unused);
	}
	return true;
}

/* Where objdump lost its way, over data or filler among code, it cannot be asked. */
static bool is_in_step(struct bits *bits, size_t nr, uint64_t vaddr)
{
	const struct bits *at = bits_of(bits, nr, vaddr);
	return at && is_set(at->starts, vaddr - at->vaddr);
}

static bool is_witnessed(const struct fc_plan *plan, struct bits *bits, size_t nr)
{
	bool is_good = true;
	for (size_t i = 0; i < plan->nr; i++) {
		const struct fc_planned *p = &plan->planned[i];
		const struct fc_window *window = &p->site.window;
		if (!p->is_hooked || !is_in_step(bits, nr, window->vaddr))
			continue;
		is_good &= holds_whole_instructions(plan, p, bits, nr);
		is_good &= none_goes_into(plan, p, bits, nr, window->vaddr + 1,
					  window->vaddr + window->jump_size);
		uint64_t hop = fc_site_hop(&p->site);
		if (hop)
			is_good &= none_goes_into(plan, p, bits, nr, hop,
						  hop + plan->arch->jumps->far_size);
	}
	return is_good;
}

static bool check_by_witness(const struct fc_plan *plan)
{
	size_t nr = plan->nr_ranges;
	fc_auto_free struct bits *bits = fc_alloc(nr * sizeof(*bits));
	for (size_t i = 0; i < nr; i++) {
		bits[i].vaddr = plan->ranges[i].vaddr;
		bits[i].size = plan->ranges[i].size;
		bits[i].starts = fc_alloc(bits[i].size / 8 + 1);
		bits[i].targets = fc_alloc(bits[i].size / 8 + 1);
	}
	bool is_good = disassemble(plan->elf->path, bits, nr) && is_witnessed(plan, bits, nr);
	for (size_t i = 0; i < nr; i++) {
		free(bits[i].starts);
		free(bits[i].targets);
	}
	return is_good;
}

/*
 * What is hooked with --libs=all, without help by a neighbour. Of calls that never return the agent
 * must know where these may pass over what is not hooked.
 */
static bool is_hooked_by_all(const struct fc_plan *plan, uint64_t vaddr)
{
	const struct fc_func *func = fc_plan_func_at(plan, vaddr);
	const struct fc_rule *rule = func && func->name ? fc_rule_find(func->name) : NULL;
	return func && func->vaddr == vaddr && (!rule || rule->kind != FC_RULE_JUMP) &&
	       !strcmp(plan->infos[func - plan->funcs].why, "jmp5");
}

static bool is_no_worse_by_api(struct fc_elf *elf, const struct fc_plan *plan)
{
	static const struct fc_plan_opts api = { .exported_only = true };
	struct fc_plan *narrow = NULL;
	bool is_good = !fc_plan_create(elf, &api, &narrow);
	for (size_t i = 0; is_good && i < narrow->nr; i++)
		if (narrow->funcs[i].flags & FC_FUNC_API &&
		    narrow->infos[i].how != FC_HOW_HOOKED &&
		    is_hooked_by_all(plan, narrow->funcs[i].vaddr))
			is_good = complain(narrow, &narrow->planned[i], narrow->infos[i].why,
					   narrow->infos[i].vaddr);
	fc_plan_destroy(narrow);
	return is_good;
}

static void check_file(struct fc_elf *elf, bool has_witness)
{
	static const struct fc_plan_opts all = { 0 };
	struct fc_plan *plan = NULL;
	if (!fc_plan_create(elf, &all, &plan)) {
		count(plan);
		bool is_good = (!has_witness || check_by_witness(plan)) &&
			       is_no_worse_by_api(elf, plan) && !fc_plan_lost_unwinder(plan);
		struct fc_plan_sums sums = fc_plan_sums(plan);
		printf("%s %s: %zu hooked, %zu entry only, %zu skipped, %zu parts\n",
		       is_good ? "ok" : "not ok", elf->path, sums.hooked, sums.entry_only,
		       sums.skipped, sums.parts);
		fflush(stdout);
	}
	fc_plan_destroy(plan);
}

static int by_number(const void *a, const void *b)
{
	const struct reason *x = a, *y = b;
	return x->nr < y->nr ? 1 : -(x->nr > y->nr);
}

static void print_sums(void)
{
	if (reasons.nr)
		qsort(reasons.at, reasons.nr, sizeof(*reasons.at), by_number);
	printf("# %zu files, %zu functions and %zu parts\n", nr_files, nr_real, nr_parts);
	fc_vec_each (&reasons, reason)
		printf("# %9zu  %s\n", reason->nr, reason->why);
	bool is_reached = nr_recorded * 1000 >= nr_real * GOAL_PER_MILLE;
	printf("%s %.3f %% of the functions are hooked or entry only\n",
	       is_reached ? "ok" : "not ok", nr_real ? nr_recorded * 100.0 / nr_real : 0);
	fc_vec_free(&reasons);
}

int main(int argc, char **argv)
{
	bool has_witness = system("objdump --version >/dev/null 2>&1") == 0;
	size_t every = argc > 1 ? strtoul(argv[1], NULL, 10) : 1, nr = 0;
	fc_auto_free char *line = NULL;
	size_t room = 0;
	if (!has_witness)
		puts("ok the witness # SKIP there is no objdump");
	while (getline(&line, &room, stdin) > 0) {
		struct fc_elf *elf = NULL;
		line[strcspn(line, "\n")] = 0;
		if (!fc_elf_open(line, line, &elf) && nr++ % every == 0)
			check_file(elf, has_witness);
		fc_elf_close(elf);
	}
	print_sums();
	return 0;
}
