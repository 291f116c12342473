/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sanitizer.h - what the runtimes of -fsanitize do with a program: their reports show return
 * addresses that they find by frame pointers, and LeakSanitizer traces the program's threads.
 */
#ifndef FC_CAPTURE_PATCH_KNOWN_SANITIZER_H
#define FC_CAPTURE_PATCH_KNOWN_SANITIZER_H

#include <stdbool.h>
#include <stdint.h>

struct fc_elf;

/*
 * Why no return address may be replaced in a program with this file, which has such a runtime or
 * needs one; NULL: it does not. Needs no more than the headers.
 */
const char *fc_sanitizer(const struct fc_elf *elf);

/* An address in the function that starts a tracer of the program's own threads; 0: none. */
uint64_t fc_sanitizer_tracer(const struct fc_elf *elf);

#endif
