/* SPDX-License-Identifier: Apache-2.0 */
/*
 * postscript.h - names that a finished trace is given later, behind its end.
 *
 *   as it was:  ... packets | END | trailer
 *   after:      ... packets | END | trailer | NAMES | END | trailer
 *
 * What was there stays as it is, byte by byte: whatever ends fctrace or fills the disk meanwhile, the
 * trace can be read as before. A reader goes by the last end.
 */
#ifndef FC_TRACE_POSTSCRIPT_H
#define FC_TRACE_POSTSCRIPT_H

#include <stddef.h>
#include <stdint.h>

/* A function of a trace, and what it is called. */
struct fc_told_name {
	uint32_t id;
	const char *name;
};

/*
 * Add names to the trace at path. -ENODATA: it has no end, so that it may be recorded still; -EBUSY:
 * somebody else does the same; -errno: it cannot be written, and is as it was. Each with a
 * sentence.
 */
int fc_postscript_add(const char *path, const struct fc_told_name *names, size_t nr);

/*
 * Write a trace at `to` that is the one at path with these names; an earlier file there becomes
 * to.old. One without an end has none after that either. -errno with a sentence: all files are
 * as they were.
 */
int fc_postscript_copy(const char *path, const char *to, const struct fc_told_name *names,
		       size_t nr);

#endif
