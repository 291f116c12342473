/* SPDX-License-Identifier: Apache-2.0 */
/*
 * order.h - which of two comes first, as qsort() asks for it.
 *
 *	return fc_order(x->pid, y->pid) ?: fc_order(x->tid, y->tid);
 */
#ifndef FC_BASE_ORDER_H
#define FC_BASE_ORDER_H

/* < 0: a is less; > 0: it is greater; 0: they are alike. */
#define fc_order(a, b) (((a) > (b)) - ((a) < (b)))

#endif
