/* SPDX-License-Identifier: Apache-2.0 */
/* What the controller writes when it injects the agent, and what a forked child begins without. */
#include "capture/agent/base/config.h"

#include <stddef.h>

_Static_assert(offsetof(struct fca_config, is_quiet) == FCA_CONFIG_QUIET, "treaty");
_Static_assert(offsetof(struct fca_config, found_by) == FCA_CONFIG_FOUND_BY, "treaty");
_Static_assert(offsetof(struct fca_config, is_closing) == FCA_CONFIG_CLOSING, "treaty");
_Static_assert(offsetof(struct fca_config, thread_word) == FCA_CONFIG_WORD, "treaty");
_Static_assert(offsetof(struct fca_config, arena) == 0, "treaty");
_Static_assert(offsetof(struct fca_arena, keeper) == 0, "treaty");
_Static_assert(sizeof(struct fca_arena) <= FCA_ARENA_HEAD, "treaty");

__attribute__((section(".config"))) struct fca_config agent_config = { .nr_pools = 0 };

__attribute__((aligned(FCA_PAGE))) struct agent_wiped agent_wiped;
