/* SPDX-License-Identifier: Apache-2.0 */
/*
 * printable.h - text from a file or a program, which must not steer the terminal it is shown on.
 *
 * Control characters (those of Unicode beyond ASCII, and what turns the direction of text
 * around, among them) and bytes that are no UTF-8 are shown as question marks.
 */
#ifndef FC_BASE_PRINTABLE_H
#define FC_BASE_PRINTABLE_H

#include <stdbool.h>
#include <stddef.h>

/* Length of the well-formed UTF-8 character at the begin of s's len bytes; 0: there is none. */
size_t fc_utf8_len(const char *s, size_t len);

/* Of a character of several bytes: U+0080 to U+009F, U+2028 to U+202E, U+2066 to U+2069? */
bool fc_is_steering(const char *s, size_t len);

/* Put a ? over each byte that is not to be shown; the length stays. */
void fc_make_printable(char *text, size_t len);

#endif
