/* SPDX-License-Identifier: Apache-2.0 */
/* contexts.c with its stacks side by side in one mapping, without a gap. */
#define ADJACENT
#include "contexts.c"
