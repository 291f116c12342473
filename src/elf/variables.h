/* SPDX-License-Identifier: Apache-2.0 */
/* variables.h - the variables of a file by their addresses, as symbols name them. */
#ifndef FC_ELF_VARIABLES_H
#define FC_ELF_VARIABLES_H

#include <stdbool.h>
#include <stdint.h>

struct fc_variables;

/*
 * Those of the file at path, or of its debug file. build_id: in hex, what it must have; "" is that of a
 * file that has none. -ENOENT...: cannot be opened; -ESTALE: it is another file by now. Each with a
 * sentence.
 */
int fc_variables_open(const char *path, const char *build_id, struct fc_variables **ret);
void fc_variables_close(struct fc_variables *variables);

/* Does the file map something there? */
bool fc_variables_has(const struct fc_variables *variables, uint64_t vaddr);
/* The variable that this address is in, and where in it. False: none is known. */
bool fc_variables_find(const struct fc_variables *variables, uint64_t vaddr, const char **name,
		       uint64_t *offset);

#endif
