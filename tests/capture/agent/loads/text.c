/* SPDX-License-Identifier: Apache-2.0 */
/* A library that is looked into. */
const char a_text[8192] = "a text of a library";
