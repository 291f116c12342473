/* SPDX-License-Identifier: Apache-2.0 */
/*
 * signatures.h - what debug information tells of a file's functions: names and types of their
 * parameters and results, and where the parameters are.
 *
 * That may lie in a file of its own, as that of lines does (linetable.h). Any of these files may be
 * anybody's: what is wrong with one costs what it tells, and nothing else.
 */
#ifndef FC_DWARF_SIGNATURES_H
#define FC_DWARF_SIGNATURES_H

#include <stddef.h>
#include <stdint.h>

#include "values/signature.h"

struct fc_signatures;
struct fc_types;

/*
 * Of the functions that begin at nr addresses of the file at path, whose build-id is that in hex
 * ("": it has none). All are read now, and the file is not needed afterwards.
 * -ENOENT...: cannot be opened; -ESTALE: it is another file by now; -EFBIG: what there is is not
 * read; -ENODATA: there is no debug information; -EBADMSG: nothing was brought to an end. Each with
 * a sentence.
 */
int fc_signatures_read(const char *path, const char *build_id, const uint64_t *vaddrs,
		       size_t nr, struct fc_signatures **ret);
void fc_signatures_destroy(struct fc_signatures *signatures);

/* Types and functions; it lives as long as the signatures. */
const struct fc_types *fc_signatures_types(const struct fc_signatures *signatures);
/* Of the function at vaddrs[i]. */
void fc_signatures_get(const struct fc_signatures *signatures, size_t i,
		       struct fc_signature *ret);

/* Why some are not known, as a sentence ends; NULL: nothing was wrong. */
const char *fc_signatures_wrong(const struct fc_signatures *signatures);

#endif
