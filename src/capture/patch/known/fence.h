/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fence.h - code between two pages of instructions that fault. A program that translates another
 * one (valgrind) keeps functions for that one there: the CPU never comes to them, the translator
 * reads them.
 */
#ifndef FC_CAPTURE_PATCH_KNOWN_FENCE_H
#define FC_CAPTURE_PATCH_KNOWN_FENCE_H

#include <stdbool.h>
#include <stdint.h>

struct fc_elf;

/* Where it is, in a program that needs no other file. False: nowhere. Needs only the headers. */
bool fc_fence_find(const struct fc_elf *elf, uint64_t *start, uint64_t *end);

#endif
