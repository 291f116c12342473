/* SPDX-License-Identifier: Apache-2.0 */
/* dieread.h - what each type says that was asked for (dietypes.h). */
#ifndef FC_DWARF_TYPES_DIEREAD_H
#define FC_DWARF_TYPES_DIEREAD_H

struct fc_dietypes;

/* Read all that was asked for, and what that refers to. */
void fc_dieread_all(struct fc_dietypes *types);

#endif
