/* SPDX-License-Identifier: Apache-2.0 */
/*
 * output.h - where the reading commands write.
 *
 * A pipe that was closed is no error: its reader has seen enough. Anything else that keeps
 * the output from being written is said once and becomes FC_STATUS_NO.
 */
#ifndef FC_CMD_OUT_OUTPUT_H
#define FC_CMD_OUT_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* stdout as a stream that remembers why a write failed. From here on a closed pipe is an
 * error of write(), not a signal. */
FILE *fc_output_open(void);
/* Much text at once, past the stream, which must be empty. */
void fc_output_write(const char *data, size_t len);
/* As if nobody read any more. A signal's handler may call it. */
void fc_output_stop(void);
/* Nobody reads any more, or nothing can be written: time to stop. */
bool fc_output_is_over(void);
/* Write the rest and close, and wait for the pager; returns status, or FC_STATUS_NO. */
int fc_output_close(FILE *out, int status);

/* All of it, waiting where needed. 0 or -errno. */
int fc_write_all(int fd, const void *data, size_t len);

#endif
