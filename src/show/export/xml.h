/* SPDX-License-Identifier: Apache-2.0 */
/* xml.h - text as XML has it, between tags and in attributes. */
#ifndef FC_SHOW_EXPORT_XML_H
#define FC_SHOW_EXPORT_XML_H

#include "base/stream.h"

/* Invalid UTF-8, control characters, and what XML does not allow become a ?. */
void fc_quote_xml(struct fc_stream *out, const char *text, size_t len);

#endif
