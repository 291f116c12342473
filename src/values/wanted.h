/* SPDX-License-Identifier: Apache-2.0 */
/* wanted.h - a function whose values are wanted: what is known of it, and what is to be fetched. */
#ifndef FC_VALUES_WANTED_H
#define FC_VALUES_WANTED_H

#include "arch/location.h"
#include "values/formats.h"
#include "values/masks.h"

struct fc_fetch_opts {
	uint32_t string_size; /* bytes of a string or of a buffer, at most */
	unsigned depth;	      /* how often a pointer is followed */
	bool has_paths;	      /* where file descriptors lead */
	struct fc_masks masks;
};

/* A function of a table of types, and where its values are. */
struct fc_fetch_func {
	const struct fc_types *types;
	uint32_t type; /* BTF_KIND_FUNC */
	const struct fc_location *param;
	uint32_t nr; /* parameters with a location */
	struct fc_location result;
	struct fc_errno_place error; /* that it sets when it fails */
	bool no_args, no_result;     /* they are not asked for */
};

/* Fetches at an entry or at an exit; of which parameters. */
struct fc_fetch_plan {
	uint32_t nr;
	struct fc_format_part part[FCA_MAX_FETCHES];
	uint8_t nr_kept; /* at an entry: struct fca_fetches.kept */
	uint8_t kept[FCA_MAX_KEPT];
};

#endif
