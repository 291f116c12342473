/* SPDX-License-Identifier: Apache-2.0 */
/* wrong.h - what may be wrong with debug information that is read all the same. */
#ifndef FC_DWARF_WRONG_H
#define FC_DWARF_WRONG_H

enum fc_dwarf_wrong {
	FC_DWARF_GOOD,
	FC_DWARF_DAMAGED,
	FC_DWARF_MANY,	 /* it has more parts than are kept */
	FC_DWARF_SHARED, /* its parts say the same bytes again and again */
	FC_DWARF_SPLIT,	 /* most of it lies in files of its own (.dwo) */
	FC_DWARF_NR_WRONG
};

#endif
