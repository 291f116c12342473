/* SPDX-License-Identifier: Apache-2.0 */
/* variables.c - keeps the symbols of data of a file and of its debug file, by address. */
#include "elf/variables.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/cleanup.h"
#include "base/fail.h"
#include "base/foreign.h"
#include "base/order.h"
#include "elf/content.h"
#include "elf/debugfile.h"
#include "elf/symtab.h"

struct fc_variables {
	struct fc_content content;
	struct fc_image image;
	struct fc_debugfile debug;
	bool has_debug;
	struct fc_symtab symtab;
	FC_VEC(const struct fc_func *) list; /* by vaddr; of each the best name first */
};

static int open_file(struct fc_variables *variables, const char *path)
{
	struct stat st;
	fc_auto_close int fd = fc_foreign_open(AT_FDCWD, path, &st);

	if (fd < 0)
		return fc_fail(-fd, "%s: %s", path, fc_foreign_why(fd));
	return fc_content_open(fd, &st, path, &variables->content)
		       ?: fc_image_init(&variables->image, variables->content.at,
					variables->content.size, path);
}

static int check_build_id(const struct fc_variables *variables, const char *path,
			  const char *expected)
{
	char found[41];

	fc_image_build_id(&variables->image, found);
	if (!strcmp(found, expected))
		return 0;
	return fc_fail(ESTALE, "%s: not the file that was traced: it has another build-id",
		       path);
}

static int by_vaddr(const void *a, const void *b)
{
	const struct fc_func *x = *(const struct fc_func *const *)a;
	const struct fc_func *y = *(const struct fc_func *const *)b;

	return fc_order(x->vaddr, y->vaddr) ?: -fc_symtab_is_better(x, y);
}

static void list_variables(struct fc_variables *variables)
{
	fc_vec_each (&variables->symtab.symbols, symbol)
		if (!(symbol->flags & (FC_SYM_FUNC | FC_SYM_NOTYPE)) && symbol->size)
			fc_vec_push(&variables->list, symbol);
	fc_vec_sort(&variables->list, by_vaddr);
}

int fc_variables_open(const char *path, const char *build_id, struct fc_variables **ret)
{
	struct fc_variables *variables = fc_alloc(sizeof(*variables));
	int err = open_file(variables, path) ?: check_build_id(variables, path, build_id);

	if (err) {
		fc_variables_close(variables);
		return err;
	}
	fc_symtab_read(&variables->symtab, &variables->image);
	variables->has_debug = !variables->symtab.has_symtab &&
			       fc_debugfile_open(&variables->debug, FC_DEBUGFILE_SYMBOLS,
						 &variables->image, path);
	if (variables->has_debug)
		fc_symtab_read(&variables->symtab, &variables->debug.image);
	list_variables(variables);
	*ret = variables;
	return 0;
}

void fc_variables_close(struct fc_variables *variables)
{
	if (!variables)
		return;
	fc_vec_free(&variables->list);
	fc_symtab_deinit(&variables->symtab);
	if (variables->has_debug)
		fc_debugfile_close(&variables->debug);
	fc_image_deinit(&variables->image);
	fc_content_close(&variables->content);
	free(variables);
}

bool fc_variables_has(const struct fc_variables *variables, uint64_t vaddr)
{
	for (size_t i = 0; i < variables->image.nr_phdrs; i++) {
		const Elf64_Phdr *phdr = &variables->image.phdrs[i];
		if (phdr->p_type == PT_LOAD && vaddr >= phdr->p_vaddr &&
		    vaddr - phdr->p_vaddr < phdr->p_memsz)
			return true;
	}
	return false;
}

bool fc_variables_find(const struct fc_variables *variables, uint64_t vaddr, const char **name,
		       uint64_t *offset)
{
	size_t end = fc_bisect(variables->list.at, variables->list.nr, symbol,
			       (*symbol)->vaddr <= vaddr);

	if (!end)
		return false;
	uint64_t begin = variables->list.at[end - 1]->vaddr;
	while (end > 1 && variables->list.at[end - 2]->vaddr == begin)
		end--;
	const struct fc_func *symbol = variables->list.at[end - 1];
	if (vaddr - begin >= symbol->size)
		return false;
	*name = symbol->name;
	*offset = vaddr - begin;
	return true;
}
