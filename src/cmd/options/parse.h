/* SPDX-License-Identifier: Apache-2.0 */
/* parse.h - what arguments of options are made of. Each: -EINVAL with a sentence. */
#ifndef FC_CMD_OPTIONS_PARSE_H
#define FC_CMD_OPTIONS_PARSE_H

#include <stdint.h>

/* A whole number from 1 to max; what: as in "a thread id". */
int fc_parse_number(const char *arg, unsigned long max, const char *what, unsigned long *ret);

/* 500ns, 10us, 5ms, 1.5s; in ns. */
int fc_parse_time(const char *arg, uint64_t *ret);
int fc_bad_time(const char *arg);

/* Bytes: a whole number, with K, M or G if need be. */
int fc_parse_size(const char *arg, uint64_t *ret);

/* 5, 0.5 or 0.5%: from 0 to 100. */
int fc_parse_percent(const char *arg, double *ret);

/* One of words, as in "a|b|c" or "a,b,c", by its place. */
int fc_parse_word(const char *arg, const char *words, uint32_t *ret);

#endif
