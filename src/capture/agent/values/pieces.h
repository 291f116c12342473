/* SPDX-License-Identifier: Apache-2.0 */
/* pieces.h - texts that have no room in a call's mark: they go on in marks behind it. */
#ifndef FC_CAPTURE_AGENT_VALUES_PIECES_H
#define FC_CAPTURE_AGENT_VALUES_PIECES_H

struct area;
struct fetching;
struct strand;

/*
 * A text that goes on behind the mark, of which the last one is told first; the words of the mark are free.
 * One that has ended by its last piece is told so by one without bytes.
 */
void pieces_tell(struct strand *s, struct fetching *f, const struct area *text);

#endif
