/* SPDX-License-Identifier: Apache-2.0 */
/* text_output.c - opens stdout for people, or for programs. */
#include "cmd/options/text_output.h"

#include "cmd/out/looks.h"
#include "cmd/out/output.h"
#include "cmd/out/pager.h"

FILE *fc_text_output_open(const struct fc_settings *settings, bool is_text)
{
	if (is_text)
		fc_looks_begin(settings->color);
	if (is_text && !settings->no_pager)
		fc_pager_allow();
	return fc_output_open();
}
