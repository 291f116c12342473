/* SPDX-License-Identifier: Apache-2.0 */
/*
 * demangle.h - names of C++ and Rust functions as people write them.
 *
 *	symbol   _ZNSt6vectorIiSaIiEE9push_backEOi
 *	full     std::vector<int, std::allocator<int> >::push_back(int&&)
 *	simple   std::vector::push_back
 *
 * Any bytes are safe: what is too long, too deep or too large for a name is no mangled name.
 */
#ifndef FC_BASE_DEMANGLE_H
#define FC_BASE_DEMANGLE_H

#include <stdbool.h>

enum fc_demangle {
	FC_DEMANGLE_SIMPLE = 0, /* without parameters and template arguments */
	FC_DEMANGLE_FULL,
	FC_DEMANGLE_NO,
};

/* Does it look like a mangled name? Cheap; fc_demangle() may still say no. */
bool fc_is_mangled(const char *symbol);

/* The symbol in this form, which the caller frees; NULL: it is what people write already. */
char *fc_demangle(const char *symbol, enum fc_demangle form);
/* The same, or a copy of the symbol. */
char *fc_readable(const char *symbol, enum fc_demangle form);

#endif
