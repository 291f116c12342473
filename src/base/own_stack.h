/* SPDX-License-Identifier: Apache-2.0 */
/* own_stack.h - stacks that are large enough, whatever the shell says (ulimit -s). */
#ifndef FC_BASE_OWN_STACK_H
#define FC_BASE_OWN_STACK_H

/*
 * Calls fn, on a stack of its own if the process' is limited to less than fctrace needs; so are those of threads that
 * it makes. The limit is left as it is: a program that is run has the one that the shell gave. Returns
 * what fn does.
 */
int fc_own_stack_call(int (*fn)(int argc, char **argv), int argc, char **argv);

#endif
