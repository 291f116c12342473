/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_symbols.c - the kernel's own list of its functions, sorted by address. */
#include "capture/kernel/kernel_symbols.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/memory.h"
#include "base/order.h"
#include "base/vec.h"
#include "capture/kernel/tracefile.h"

/* "ffffffff81000000 T _text", or with "\t[MODULE]" behind. */
struct symbol {
	uint64_t address;
	const char *name; /* the first one of those at that address */
};

struct fc_kernel_symbols {
	char *text; /* the names are in it */
	FC_VEC(struct symbol) list;
};

static bool is_function(char kind)
{
	return kind && strchr("tTwW", kind);
}

static void add_line(struct fc_kernel_symbols *symbols, char *line)
{
	char *end;
	uint64_t address = strtoull(line, &end, 16);
	if (!address || end[0] != ' ' || !is_function(end[1]) || end[2] != ' ')
		return;
	char *name = end + 3;
	name[strcspn(name, "\t ")] = '\0';
	fc_vec_push(&symbols->list, (struct symbol){ address, name });
}

/* Where a function has several names, the first one in the text comes first. */
static int by_address(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;
	return fc_order(x->address, y->address) ?: fc_order(x->name, y->name);
}

struct fc_kernel_symbols *fc_kernel_symbols_read(const char *folder)
{
	struct fc_kernel_symbols *symbols = fc_alloc(sizeof(*symbols));
	size_t size;
	char *rest = NULL;
	symbols->text = fc_tracefile_read(folder, "kallsyms", &size);
	char *line = symbols->text ? strtok_r(symbols->text, "\n", &rest) : NULL;
	for (; line; line = strtok_r(NULL, "\n", &rest))
		add_line(symbols, line);
	if (!symbols->list.nr) {
		fc_kernel_symbols_destroy(symbols);
		return NULL;
	}
	qsort(symbols->list.at, symbols->list.nr, sizeof(*symbols->list.at), by_address);
	return symbols;
}

void fc_kernel_symbols_destroy(struct fc_kernel_symbols *symbols)
{
	if (!symbols)
		return;
	fc_vec_free(&symbols->list);
	free(symbols->text);
	free(symbols);
}

const char *fc_kernel_symbols_name(const struct fc_kernel_symbols *symbols, uint64_t address)
{
	enum { MOST_SIZE = 1 << 16 }; /* of the last one, and of the last one of a module */
	const struct symbol *list = symbols->list.at;
	size_t nr = fc_bisect(list, symbols->list.nr, symbol, symbol->address <= address);
	if (!nr || address - list[nr - 1].address >= MOST_SIZE)
		return NULL;
	while (nr > 1 && list[nr - 2].address == list[nr - 1].address)
		nr--;
	return list[nr - 1].name;
}
