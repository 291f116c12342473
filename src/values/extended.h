/* SPDX-License-Identifier: Apache-2.0 */
/* extended.h - floats of 80 bits: converted, since a trace may be read where there are none. */
#ifndef FC_VALUES_EXTENDED_H
#define FC_VALUES_EXTENDED_H

#include <stdint.h>

#include "capture/agent/fetch.h"

/* As near as a long double of this machine comes. What is no number, or none that a machine makes, is NaN. */
long double fc_extended_get(const uint8_t at[FCA_EXTENDED_BYTES]);

#endif
