/* SPDX-License-Identifier: Apache-2.0 */
/*
 * joined.h - several wells as one: what they tell of the threads comes in order of time.
 *
 *	system calls  enter 10, leave 90      --.
 *	                                        +--> enter 10, out 20, in 80, leave 90
 *	switches      out 20, in 80           --'
 */
#ifndef FC_CAPTURE_DRAIN_WEAVE_JOINED_H
#define FC_CAPTURE_DRAIN_WEAVE_JOINED_H

#include "capture/drain/well.h"

struct fc_joined;

/* Of a list that ends with NULL; the wells are kept. */
struct fc_joined *fc_joined_create(struct fc_well *const *wells);
void fc_joined_destroy(struct fc_joined *joined);

struct fc_well *fc_joined_well(struct fc_joined *joined);

#endif
