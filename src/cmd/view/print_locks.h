/* SPDX-License-Identifier: Apache-2.0 */
/* print_locks.h - report --locks: locks with their waits: who waited, who had them, who woke. */
#ifndef FC_CMD_VIEW_PRINT_LOCKS_H
#define FC_CMD_VIEW_PRINT_LOCKS_H

struct fc_settings;

/* As a command's run(). */
int fc_locks_run(const struct fc_settings *settings, int argc, char **argv);

#endif
