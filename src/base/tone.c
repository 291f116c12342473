/* SPDX-License-Identifier: Apache-2.0 */
/* tone.c - the table of tones. */
#include "base/tone.h"

const char fc_tone_text[FC_NR_TONES][FC_TONE_ROOM] = {
	[FC_TONE_PLAIN] = "\33[0m", [FC_TONE_BOLD] = "\33[1m",	  [FC_TONE_DIM] = "\33[2m",
	[FC_TONE_RED] = "\33[31m",  [FC_TONE_YELLOW] = "\33[33m", [FC_TONE_GREEN] = "\33[32m",
};
