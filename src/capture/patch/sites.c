/* SPDX-License-Identifier: Apache-2.0 */
/* sites.c - the kinds of site, in the order in which they are tried. */
#include "capture/patch/site.h"

const struct fc_site_ops *const fc_site_ops[FC_SITE_NR_KINDS] = {
	[FC_SITE_FAR] = &fc_site_far,
	[FC_SITE_NEAR] = &fc_site_near,
	[FC_SITE_PUN] = &fc_site_pun,
};
