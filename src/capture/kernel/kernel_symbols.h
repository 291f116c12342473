/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernel_symbols.h - which of the kernel's functions an address is in, also of those that cannot be traced
 * (kernel_funcs.h): all that /proc/kallsyms lists.
 */
#ifndef FC_CAPTURE_KERNEL_KERNEL_SYMBOLS_H
#define FC_CAPTURE_KERNEL_KERNEL_SYMBOLS_H

#include <stdint.h>

struct fc_kernel_symbols;

/* folder: "/proc". NULL: the kernel hides the addresses. */
struct fc_kernel_symbols *fc_kernel_symbols_read(const char *folder);
void fc_kernel_symbols_destroy(struct fc_kernel_symbols *symbols);

/* NULL: none that is known. */
const char *fc_kernel_symbols_name(const struct fc_kernel_symbols *symbols, uint64_t address);

#endif
