/* SPDX-License-Identifier: Apache-2.0 */
/* peers.h - what does here what an option of strace, ltrace, perf or uftrace does there. */
#ifndef FC_CMD_OPTIONS_PEERS_H
#define FC_CMD_OPTIONS_PEERS_H

struct fc_cmd;

/*
 * For a letter that cmd does not have; arg: the word that may be its argument, or NULL. A sentence's
 * part that says what to do, the caller's to free; NULL: nothing is known of it.
 */
char *fc_peers_hint(const struct fc_cmd *cmd, int letter, const char *arg);

#endif
