/* SPDX-License-Identifier: Apache-2.0 */
/* xml.h - text as XML has it, between tags and in attributes. */
#ifndef FC_SHOW_EXPORT_XML_H
#define FC_SHOW_EXPORT_XML_H

#include "base/stream.h"

/* What is no UTF-8, or a control character, or what XML cannot hold at all, becomes a ?. */
void fc_quote_xml(struct fc_stream *out, const char *text, size_t len);

#endif
