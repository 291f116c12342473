/* SPDX-License-Identifier: Apache-2.0 */
/* graph_options.h - what fctrace graph is asked for. */
#ifndef FC_CMD_OPTIONS_GRAPH_OPTIONS_H
#define FC_CMD_OPTIONS_GRAPH_OPTIONS_H

#include "cmd/options/settings.h"

extern const struct fc_option fc_option_graph_from, fc_option_graph_to, fc_option_graph_depth,
	fc_option_graph_min, fc_option_graph_by_calls, fc_option_graph_dot;

#define FC_OPTIONS_GRAPH                                                                       \
	&fc_option_graph_from, &fc_option_graph_to, &fc_option_graph_depth,                    \
		&fc_option_graph_min, &fc_option_graph_by_calls, &fc_option_graph_dot

#endif
