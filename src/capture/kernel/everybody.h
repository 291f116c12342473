/* SPDX-License-Identifier: Apache-2.0 */
/* everybody.h - an instance of tracefs records what all threads do but those of this process. */
#ifndef FC_CAPTURE_KERNEL_EVERYBODY_H
#define FC_CAPTURE_KERNEL_EVERYBODY_H

#include <stdbool.h>

/*
 * In the folder of an instance that records nothing yet, and until then only threads that are named.
 * Where this kernel cannot leave this process out, it is recorded, too. -errno with a sentence.
 */
int fc_everybody_begin(const char *folder, bool with_functions);

#endif
