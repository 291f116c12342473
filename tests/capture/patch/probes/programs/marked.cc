/* SPDX-License-Identifier: Apache-2.0 */
/* marked.cc - marked.c is C++ as well. */
#include "marked.c"
